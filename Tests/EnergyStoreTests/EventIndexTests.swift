import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import SQLiteStore

struct EventIndexTests {
    private static let day: Int64 = .millisecondsPerDay

    private func draft(_ events: [EventMark], received: Timestamp = EventSamples.now) -> RecordDraft {
        RecordDraft(
            venueID: EventSamples.venueID, received: received, principal: "local", payload: [1], events: events,
            sessions: [])
    }

    private func marks(_ count: Int, using random: inout SplitMix64) -> [EventMark] {
        (0..<count).map { _ in
            let bytes = (random.next(), random.next())
            return EventMark(
                id: withUnsafeBytes(of: bytes) { UUID(uuid: $0.load(as: uuid_t.self)) }, digest: random.next())
        }
    }

    private func check(_ known: [EventMark], _ unknown: [EventMark], in store: SQLiteEventLogStore) async throws {
        try await store.write { log throws in
            for mark in known {
                #expect(try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID) == mark.digest)
                #expect(try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.id(77)) == nil)
            }
            for mark in unknown {
                #expect(try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID) == nil)
            }
        }
    }

    /// 512 events make a run and 8 runs the next level's: there are runs in memory, on the way to disk, on disk, and
    /// being merged. The file is closed and opened, and transactions fail, at random. The filters of 12,000 events take 15 kB.
    @Test(arguments: UInt64(0)..<6)
    func `every event is known, in whatever run it is, and no other is`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        func open() throws -> SQLiteEventLogStore {
            let filterBytesMax = seed.isMultiple(of: 2) ? EventIndex.filterBytesMax : 4_000
            return try SQLiteEventLogStore(
                path: path, index: EventIndex(generation: 512, filterBytesMax: filterBytesMax))
        }
        var store = try open()
        var (known, failed) = ([EventMark](), [EventMark]())
        while known.count < 12_000 {
            let fresh = marks(Int.random(in: 1...400, using: &random), using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                await #expect(throws: EnergyError.self) {
                    try await store.write { log throws in
                        _ = try log.append(draft(fresh))
                        throw EnergyError(.unavailable, "on purpose")
                    }
                }
                failed += fresh
            } else {
                _ = try await store.write { try $0.append(draft(fresh)) }
                known += fresh
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                try store.close()
                store = try open()
            }
            try await check(known.suffix(3) + known.prefix(3), Array(failed.suffix(3)), in: store)
        }
        try await check(known, failed, in: store)
        try store.close()
    }

    @Test func `an event is known for 30 days, and its place is used again after 35`() async throws {
        var random = SplitMix64(seed: 1)
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let store = try SQLiteEventLogStore(path: path, index: EventIndex(generation: 512))
        var days: [[EventMark]] = []
        for day in Int64(0)..<80 {
            let events = marks(600, using: &random)
            let received = EventSamples.now.advanced(byMilliseconds: day * Self.day)
            _ = try await store.write { try $0.append(draft(events, received: received)) }
            days.append(events)
            try await check(days.suffix(30).joined().filter { $0.digest % 50 == 0 }, [], in: store)
        }
        try await check([], days[0..<5].flatMap(\.self), in: store)
        try store.close()
    }

    @Test func `a log of the first version keeps what it knows`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        var random = SplitMix64(seed: 3)
        let events = marks(25_000, using: &random)
        try await EventLogSchemaSamples.firstVersion(path, events, venueID: EventSamples.venueID)
        let store = try SQLiteEventLogStore(path: path)
        try await check(events.filter { $0.digest % 20 == 0 }, marks(100, using: &random), in: store)
        try store.close()
    }
}
