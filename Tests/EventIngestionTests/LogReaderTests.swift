import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EventIngestion

/// Those for whom retention keeps records are seen, and can be sent away.
struct LogReaderTests {
    @Test func `readers are listed with their positions, and removed by name`() async throws {
        let setup = IngestorSetup()
        var table = MethodTable()
        setup.ingestor.register(in: &table)
        let client = TableClient(table)
        try await setup.running { () async throws in
            for _ in 0..<3 { _ = try await setup.submit(EventSamples.charge()) }
        }
        for (name, after) in [("b", UInt64(2)), ("a", 1)] {
            let position = LogPosition(partition: 1, afterSequence: after, reader: name)
            try await setup.ingestor.read(after: position) { _ in }
        }
        try await setup.store.note(
            LogReader(
                name: "old", partition: 3, sequence: 0,
                seen: EventSamples.now.advanced(byMilliseconds: -31 * .millisecondsPerDay)))
        let readers = try await client.call(Methods.listReaders, Empty(), timeout: .seconds(1)).readers
        #expect(readers.map(\.name) == ["a", "b", "old"])
        #expect(readers.map(\.isGivenUp) == [false, false, true])
        #expect(readers[1].handled == [LogHead(partition: 1, sequence: 2)])
        #expect(readers[0].lastSeen == EventSamples.now)
        _ = try await client.call(Methods.removeReader, LogReaderReference(name: "old"), timeout: .seconds(1))
        #expect(try await setup.store.readers().map(\.name) == ["a", "b"])
        let refusal = await #expect(throws: EnergyError.self) {
            try await client.call(Methods.removeReader, LogReaderReference(name: "old"), timeout: .seconds(1))
        }
        #expect(refusal?.code == .notFound)
    }
}
