import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import EventIngestion
import Foundation
import SQLiteStore
import Testing

/// A log that takes no events, or is damaged, is told of: once, and when it works again.
struct LogConditionTests {
    private let setup = IngestorSetup()
    private let full = EnergyError(.unavailable, "the disk is full", retryAfterMilliseconds: 1_000)
    private let broken = EnergyError(.dataLoss, "the database is damaged")

    @Test func `a full disk is told of once, tried again by itself, and told of when there is room`() async throws {
        let clock = ManualClock()
        let watch = Task { await setup.ingestor.watchLog(clock: clock) }
        try await setup.running { () async throws in
            setup.store.fail(with: full)
            for _ in 0..<3 { #expect(await setup.refusal(EventSamples.charge()) == full) }
            #expect(setup.conditions.value == [.failing(full)])
            for _ in 0..<2 {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(30))
            }
            await clock.waitForSleepers()
            #expect(setup.conditions.value == [.failing(full)])
            setup.store.fail(with: nil)
            // A batch that fits does not end it.
            #expect(try await setup.submit(EventSamples.charge()).accepted == 4)
            #expect(setup.conditions.value == [.failing(full)])
            clock.advance(by: .seconds(30))
            while setup.conditions.value.count < 2 { await Task.yield() }
            #expect(setup.conditions.value == [.failing(full), .working])
        }
        watch.cancel()
        await watch.value
    }

    @Test func `a disk that is full at the start is told of before anybody sends events`() async throws {
        setup.store.fail(with: full)
        let clock = ManualClock()
        let upkeep = Task {
            await setup.ingestor.keepUp(RetentionPolicy(), every: .seconds(600), clock: clock) { _ in }
        }
        await clock.waitForSleepers()
        #expect(setup.conditions.value == [.failing(full)])
        upkeep.cancel()
        await upkeep.value
    }

    @Test func `a damaged database stays so, is not tried again, and the sender is told that waiting is of no use`()
        async throws
    {
        try await setup.running { () async throws in
            setup.store.fail(with: broken)
            #expect(await setup.refusal(EventSamples.charge()) == broken)
            setup.store.fail(with: nil)
            _ = try await setup.submit(EventSamples.charge())
            setup.store.fail(with: full)
            #expect(await setup.refusal(EventSamples.charge()) == full)
        }
        #expect(setup.conditions.value == [.failing(broken)])
    }

    @Test func `what is no matter of the disk is none of the log's condition`() async throws {
        try await setup.running { () async in
            setup.store.fail(with: EnergyError(.conflict, "no"))
            _ = await setup.refusal(EventSamples.charge())
        }
        #expect(setup.conditions.value == [])
    }

    @Test func `a record that cannot be read is told of once`() async throws {
        try await setup.running { () async throws in
            _ = try await setup.submit(EventSamples.charge())
            setup.store.failReading(with: broken)
            for _ in 0..<2 {
                await #expect(throws: broken) {
                    try await setup.ingestor.read(after: LogPosition(partition: 1, afterSequence: 0)) { _ in }
                }
            }
            setup.store.failReading(with: nil)
            _ = try await setup.submit(EventSamples.charge())
        }
        #expect(setup.conditions.value == [.damaged(broken)])
    }

    @Test func `a database that breaks while it is open says data loss, and not where it lies`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let store = try SQLiteEventLogStore(path: path)
        let first = IngestorSetup(store: store)
        try await first.running { () async throws in
            for _ in 0..<20 { _ = try await first.submit(EventSamples.charge(actives: 60)) }
        }
        try store.close()
        let damaged = try SQLiteEventLogStore(path: path)
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber).intValue
        let file = try #require(FileHandle(forWritingAtPath: path))
        for page in 1..<(size / 4096) {
            try file.seek(toOffset: UInt64(page) * 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
        let setup = IngestorSetup(store: damaged)
        try await setup.running { () async throws in
            let refusal = try #require(await setup.refusal(EventSamples.charge()))
            #expect(refusal.code == .dataLoss)
            #expect(refusal.retryAfterMilliseconds == nil)
            #expect(!refusal.message.contains(folder.url.path))
            #expect(setup.conditions.value == [.failing(refusal)])
        }
        try? damaged.close()
    }
}
