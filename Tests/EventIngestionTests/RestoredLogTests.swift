import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import EventIngestion
import Foundation
import Insights
import SQLiteStore
import Testing

/// A log that is put back from a backup has lost what was acknowledged after it, and goes on with other records under the
/// same sequences.
struct RestoredLogTests {
    /// Session ids and times are their own, so that each charge is new to the log.
    private func charge(_ number: Int) -> [Event] {
        EventSamples.charge(
            actives: number + 1,
            from: EventSamples.now.advanced(byMilliseconds: -Int64(number + 2) * .millisecondsPerHour))
    }

    private func submit(_ charges: Range<Int>, to store: SQLiteEventLogStore) async throws {
        let setup = IngestorSetup(store: store)
        try await setup.running { () async throws in
            for number in charges { _ = try await setup.submit(charge(number)) }
        }
    }

    @Test(arguments: [5..<6, 5..<8, 5..<12])
    func `insights count what the restored log holds, whatever they had counted before`(
        after: Range<Int>
    ) async throws {
        let folder = try TemporaryFolder()
        let insights = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
        let log = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
        try await submit(0..<2, to: log)
        _ = try await log.backUp(to: folder.path("backup.sqlite"))
        try await submit(2..<5, to: log)
        #expect(try await Counting.count(log, into: insights) == [])
        let before = try await Counting.totals(insights)
        try log.close()

        let restored = try SQLiteEventLogStore(path: folder.path("backup.sqlite"))
        try await submit(after, to: restored)
        #expect(try await Counting.count(restored, into: insights).count == 1)
        let fresh = InMemoryInsightStore()
        #expect(try await Counting.count(restored, into: fresh) == [])
        #expect(try await Counting.totals(insights) == Counting.totals(fresh))
        #expect(try await Counting.totals(insights) != before)
        // Once is enough.
        #expect(try await Counting.count(restored, into: insights) == [])
        try restored.close()
        try insights.close()
    }

    @Test func `a database that was copied by hand is noticed by the record at the reader's position`() async throws {
        let folder = try TemporaryFolder()
        let insights = InMemoryInsightStore()
        let log = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
        try await submit(0..<1, to: log)
        try log.close()
        try FileManager.default.copyItem(atPath: folder.path("events.sqlite"), toPath: folder.path("copy.sqlite"))
        let longer = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
        try await submit(1..<3, to: longer)
        #expect(try await Counting.count(longer, into: insights) == [])

        let copy = try SQLiteEventLogStore(path: folder.path("copy.sqlite"))
        #expect(try await copy.logID() == longer.logID())
        try await submit(5..<7, to: copy)
        #expect(try await Counting.count(copy, into: insights).count == 1)
        let fresh = InMemoryInsightStore()
        _ = try await Counting.count(copy, into: fresh)
        #expect(try await Counting.totals(insights) == Counting.totals(fresh))
        try longer.close()
        try copy.close()
    }

    @Test func `a position of another log is refused`() async throws {
        let setup = IngestorSetup()
        try await setup.running { () async throws in
            _ = try await setup.submit(charge(0))
            _ = try await setup.submit(charge(1))
        }
        let heads = try await setup.ingestor.heads()
        let head = heads.heads[1]
        func refusal(_ logID: UUID?, _ sequence: UInt64, _ checksum: UInt32?) async -> EnergyError.Code? {
            do throws(EnergyError) {
                try await setup.ingestor.read(
                    after: .init(partition: 1, afterSequence: sequence, logID: logID, afterChecksum: checksum)
                ) { _ in }
                return nil
            } catch { return error.code }
        }
        #expect(await refusal(heads.logID, 2, head.checksum) == nil)
        #expect(await refusal(nil, 0, 7) == nil)
        #expect(await refusal(UUID(), 2, head.checksum) == .conflict)
        #expect(await refusal(heads.logID, 2, head.checksum.map { $0 ^ 1 }) == .conflict)
        #expect(await refusal(heads.logID, 1, head.checksum) == .conflict)
    }
}
