import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import EventIngestion
import Foundation
import Synchronization
import Testing

struct LogReadingTests {
    private final class Chunks: ReplyWriter {
        let kept = Mutex<[[UInt8]]>([])
        func write(_ chunk: [UInt8]) async throws(CallFailure) { kept.withLock { $0.append(chunk) } }
    }

    private func table(_ setup: IngestorSetup) -> MethodTable {
        var table = MethodTable()
        setup.ingestor.register(in: &table)
        return table
    }

    private func call(
        _ table: MethodTable, _ method: String, _ body: [UInt8]
    ) async throws(CallFailure) -> [UInt8] {
        guard case .unary(let handler)? = table.entries[method]?.handler else {
            throw CallFailure(.unimplemented, method)
        }
        return try await handler(body, RequestContext(principal: .local, timeout: .seconds(1)))
    }

    private func read(_ setup: IngestorSetup, _ position: LogPosition) async throws(CallFailure) -> [[UInt8]] {
        guard case .streaming(let handler)? = table(setup).entries[Methods.readLog.name]?.handler else {
            throw CallFailure(.unimplemented, "ReadLog")
        }
        let chunks = Chunks()
        try await handler(position.encoded(), RequestContext(principal: .local, timeout: .seconds(1)), chunks)
        return chunks.kept.withLock { $0 }
    }

    @Test func `events are submitted and the log is read over the wire's methods`() async throws {
        let setup = IngestorSetup()
        let table = table(setup)
        let charge = EventSamples.charge()
        try await setup.running { () async throws in
            let reply = try await call(table, Methods.submitEvents.name, EventBatch(events: charge).encoded())
            #expect(try SubmitResult(decoding: reply) == SubmitResult(accepted: 4, duplicates: 0))
            let heads = try LogHeads(decoding: try await call(table, Methods.logHeads.name, Empty().encoded())).heads
            #expect(heads.count == LogPartition.count)
            #expect((heads[1].partition, heads[1].sequence) == (1, 1))
        }
        let pages = try await read(setup, LogPosition(partition: 1, afterSequence: 0))
        #expect(try pages.flatMap { try LogPage(decoding: $0).records.flatMap(\.events) } == charge)
        #expect(try await read(setup, LogPosition(partition: 1, afterSequence: 1)) == [])
        #expect(table.entries[Methods.submitEvents.name]?.bodyBytesMax == Methods.submitEvents.bodyBytesMax)
    }

    @Test func `a refusal travels with its violations`() async throws {
        let setup = IngestorSetup()
        try await setup.running { () async throws in
            let failure = await #expect(throws: CallFailure.self) {
                try await call(
                    table(setup), Methods.submitEvents.name,
                    EventBatch(events: [EventSamples.vehicle(.active)]).encoded())
            }
            #expect(failure?.code == .invalidArgument)
            #expect(failure.map(EnergyError.init)?.violations.first?.field == "vehicle_load.session.state")
        }
    }

    @Test func `garbage is refused`() async throws {
        let failure = await #expect(throws: CallFailure.self) {
            try await call(table(IngestorSetup()), Methods.submitEvents.name, [0xFF, 0xFF, 0xFF])
        }
        #expect(failure?.code == .invalidArgument)
    }

    @Test func `a long log comes in pages of bounded size, in order and without gaps`() async throws {
        let setup = IngestorSetup()
        try await setup.running { () async throws in
            for _ in 0..<12 {
                _ = try await setup.submit((0..<400).map { EventSamples.status(energy: Int64($0)) })
            }
        }
        let pages = try await read(setup, LogPosition(partition: 1, afterSequence: 2))
        #expect(pages.count > 1)
        #expect(pages.allSatisfy { $0.count <= 256 * 1024 })
        let records = try pages.flatMap { try LogPage(decoding: $0).records }
        #expect(records.map(\.sequence) == (3...12).map(UInt64.init))
    }

    @Test func `the largest batch that is allowed fits into a page and a publication`() async throws {
        let setup = IngestorSetup()
        let device = Device(
            id: String(repeating: "d", count: 64), name: String(repeating: "電", count: 250), kind: .electricVehicle)
        let target = ChargingTarget(
            stateOfCharge: 100, estimatedCompletion: Timestamp(unixMilliseconds: 253_402_300_799_999),
            scheduledStart: Timestamp(unixMilliseconds: 253_402_300_799_999),
            estimatedRangeMillimetres: 100_000_000_000)
        let events = (0..<EventBatch.eventsMax).map { _ in
            EventSamples.status(
                device: device, .idle(.unknown), stateOfCharge: 100, energy: 1_000_000_000_000, range: 100_000_000_000,
                target: target, session: UUID())
        }
        _ = try await setup.running { try await setup.submit(events) }
        let pages = try await read(setup, LogPosition(partition: 1, afterSequence: 0))
        #expect(pages.map(\.count).allSatisfy { $0 <= 1024 * 1024 })
        #expect(setup.publisher.publications.map(\.body.count).allSatisfy { $0 <= 1024 * 1024 })
    }

    @Test func `a position after the head is not of this log`() async throws {
        let setup = IngestorSetup()
        let failure = await #expect(throws: CallFailure.self) {
            try await read(setup, LogPosition(partition: 1, afterSequence: 1))
        }
        #expect(failure?.code == .outOfRange)
    }

    @Test(arguments: [-1, 16, Int.max])
    func `a partition that does not exist is refused`(partition: Int) async throws {
        let error = await #expect(throws: EnergyError.self) {
            try await IngestorSetup().ingestor.read(after: LogPosition(partition: partition, afterSequence: 0)) { _ in }
        }
        #expect(error?.violations.first?.field == "partition")
    }
}
