import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

struct EventLogStoreTests {
    @Test(arguments: LogKind.allCases, EventLogStoreConformance.allCases)
    func `each log keeps its promises`(kind: LogKind, promise: EventLogStoreConformance) async throws {
        try await kind.run { try await promise.check($0) }
    }

    @Test func `the log is the same after closing and opening it`() async throws {
        let folder = try TemporaryFolder()
        let event = EventMark(id: UUID(), digest: 5)
        let session = SessionProgress(
            id: UUID(), venueID: EventSamples.venueID, deviceID: "car-1", kind: .electricVehicle, direction: .imported,
            began: EventSamples.now, last: EventSamples.now, energyMilliwattHours: 9, isEnded: true)
        let first = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        _ = try await first.write { try $0.append(draft([1], events: [event], sessions: [session])) }
        let before = try await first.all(1)
        try first.close()
        await #expect(throws: EnergyError.self) { try await first.heads() }

        let second = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        #expect(try await second.all(1) == before)
        try await second.write { transaction throws in
            #expect(try transaction.knownEvents([event.id], venueID: EventSamples.venueID) == [event.id: 5])
            #expect(try transaction.session(session.id, venueID: EventSamples.venueID) == session)
            #expect(try transaction.append(draft([2])) == 2)
        }
        try second.close()
    }

    @Test func `a closed log in memory answers nothing`() async throws {
        let store = InMemoryEventLogStore()
        try store.close()
        await #expect(throws: EnergyError.self) { try await store.heads() }
        await #expect(throws: EnergyError.self) { try await store.write { _ in } }
    }

    @Test func `a full disk refuses what does not fit, reads on, and recovers by itself`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        _ = try await store.write { try $0.append(draft([1])) }
        try await store.limitFileSize(bytes: 100_000)
        var random = SplitMix64(seed: 7)
        let big = random.bytes(200_000)
        let refusal = await #expect(throws: EnergyError.self) { try await store.write { try $0.append(draft(big)) } }
        #expect(refusal?.code == .unavailable)
        #expect((refusal?.retryAfterMilliseconds ?? 0) > 0)
        #expect(try await store.all(1).map(\.payload) == [[1]])

        try await store.limitFileSize(bytes: nil)
        let sequence = try await store.write { try $0.append(draft(big)) }
        #expect(sequence == 2, "the refused record left no gap")
        #expect(try await store.all(1).map(\.payload) == [[1], big])
        try store.close()
    }

    @Test func `a disk that can only be read refuses, reads on, and recovers by itself`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        _ = try await store.write { try $0.append(draft([1])) }
        // SQLite gives the same error for it as for a file system that was mounted anew.
        let pool = store.database.pool
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        let refusal = await #expect(throws: EnergyError.self) { try await store.write { try $0.append(draft([2])) } }
        #expect(refusal?.code == .unavailable)
        #expect((refusal?.retryAfterMilliseconds ?? 0) > 0)
        #expect(refusal?.message.contains("read-only") == true, "\(refusal?.message ?? "")")
        #expect(try await store.all(1).map(\.payload) == [[1]])

        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        #expect(try await store.write { try $0.append(draft([2])) } == 2)
        try store.close()
    }

    @Test func `a damaged record is found out, the ones before it are read`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let marker = Array("a payload that is easily found in the file".utf8)
        let store = try SQLiteEventLogStore(path: path)
        _ = try await store.write { try $0.append(draft([1])) }
        _ = try await store.write { try $0.append(draft(marker)) }
        _ = try await store.write { try $0.append(draft([3])) }
        try store.close()

        var file = try Data(contentsOf: URL(filePath: path))
        let place = try #require(file.firstRange(of: Data(marker)))
        file[place.lowerBound] ^= 0x20
        try file.write(to: URL(filePath: path))

        let damaged = try SQLiteEventLogStore(path: path)
        #expect(try await damaged.records(inPartition: 1, after: 0, countMax: 1, bytesMax: .max).count == 1)
        // A page ends before it, the next does not begin, and what comes after it can be read.
        #expect(try await damaged.records(inPartition: 1, after: 0, countMax: 9, bytesMax: .max).count == 1)
        let refusal = await #expect(throws: EnergyError.self) {
            try await damaged.records(inPartition: 1, after: 1, countMax: 9, bytesMax: .max)
        }
        #expect(refusal == EnergyError(.dataLoss, "record 2 of the log's partition 1 is damaged on disk"))
        #expect(
            try await damaged.records(inPartition: 1, after: 2, countMax: 9, bytesMax: .max).map(\.sequence) == [3])
        try damaged.close()
    }

    private func draft(
        _ payload: [UInt8], events: [EventMark] = [], sessions: [SessionProgress] = []
    ) -> RecordDraft {
        RecordDraft(
            venueID: EventSamples.venueID, received: EventSamples.now, principal: "local", payload: payload,
            events: events, sessions: sessions)
    }
}
