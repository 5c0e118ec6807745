import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLiteStore
import Testing

/// On every store: what is removed, and what never is.
struct LogRetentionTests {
    private let now = EventSamples.now

    /// One record a day in partition 1, the newest now.
    private func fill(_ store: any EventLogStore, days: Int64, bytes: Int = 10) async throws {
        var random = SplitMix64(seed: 1)
        for day in (0..<days).reversed() {
            let draft = RecordDraft(
                venueID: EventSamples.venueID, received: now.advanced(byMilliseconds: -day * .millisecondsPerDay),
                principal: "local", payload: random.bytes(bytes),
                events: [EventMark(id: UUID(), digest: 1)], sessions: [])
            _ = try await store.write { try $0.append(draft) }
        }
    }

    private func note(_ store: any EventLogStore, _ name: String, _ sequence: UInt64) async throws {
        try await store.note(LogReader(name: name, partition: 1, sequence: sequence, seen: now))
    }

    private func keeping(days: Int64) -> RetentionPolicy {
        RetentionPolicy(ageMaxMilliseconds: days * .millisecondsPerDay)
    }

    @Test(arguments: LogKind.allCases)
    func `old records go, sequences go on`(kind: LogKind) async throws {
        try await kind.run { store in
            try await fill(store, days: 10)
            #expect(try await store.removeRecords(RetentionPolicy(), now: now, countMax: 100) == 0)
            #expect(try await store.removeRecords(keeping(days: 4), now: now, countMax: 3) == 3)
            #expect(try await store.removeRecords(keeping(days: 4), now: now, countMax: 100) == 2)
            #expect(try await store.all(1).map(\.sequence) == [6, 7, 8, 9, 10])
            let head = try await store.heads()[1]
            #expect((head.sequence, head.removedSequence) == (10, 5))
            try await fill(store, days: 1)
            #expect(
                try await store.records(inPartition: 1, after: 9, countMax: 9, bytesMax: .max).map(\.sequence)
                    == [10, 11])
            #expect(
                try await store.removeRecords(
                    keeping(days: 1), now: now.advanced(byMilliseconds: 3 * .millisecondsPerDay), countMax: 100) == 6)
            #expect(try await store.all(1) == [])
            try await fill(store, days: 1)
            #expect(try await store.all(1).map(\.sequence) == [12])
        }
    }

    @Test(arguments: LogKind.allCases)
    func `what a reader has not handled stays`(kind: LogKind) async throws {
        try await kind.run { store in
            try await fill(store, days: 10)
            try await note(store, "insights", 7)
            try await note(store, "scheduler", 3)
            #expect(try await store.removeRecords(keeping(days: 1), now: now, countMax: 100) == 3)
            try await note(store, "scheduler", 9)
            #expect(try await store.removeRecords(keeping(days: 1), now: now, countMax: 100) == 4)
            // A reader of another partition has handled nothing of this one.
            try await store.note(LogReader(name: "new", partition: 2, sequence: 5, seen: now))
            #expect(try await store.removeRecords(keeping(days: 1), now: now, countMax: 100) == 0)
            #expect(try await store.readers().map(\.name) == ["insights", "new", "scheduler"])
        }
    }

    @Test(arguments: LogKind.allCases, [1, 3, 16] as [Int64])
    func `size is that of the events as they were sent, from 1 MiB on`(kind: LogKind, mebibytes: Int64) async throws {
        try await kind.run { store in
            try await fill(store, days: 40, bytes: 1 << 19)
            let policy = RetentionPolicy(bytesMax: mebibytes << 20)
            _ = try await store.removeRecords(policy, now: now, countMax: 100)
            #expect(try await store.all(1).count == Int(mebibytes) * 2)
            try await fill(store, days: 2, bytes: 1 << 19)
            #expect(try await store.removeRecords(policy, now: now, countMax: 100) == 2)
        }
    }

    @Test(arguments: LogKind.allCases)
    func `a reader that is gone holds the log up for 30 days, and by age for ever`(kind: LogKind) async throws {
        try await kind.run { store in
            try await fill(store, days: 60, bytes: 1 << 19)
            try await store.note(
                LogReader(
                    name: "gone", partition: 1, sequence: 5,
                    seen: now.advanced(byMilliseconds: -31 * .millisecondsPerDay)))
            try await note(store, "living", 58)
            #expect(try await store.removeRecords(keeping(days: 1), now: now, countMax: 100) == 5)
            // Of 55 records 53 are too many, 24 of them have waited for longer than 30 days.
            let small = RetentionPolicy(bytesMax: 1 << 20)
            #expect(try await store.removeRecords(small, now: now, countMax: 10) == 10)
            #expect(try await store.removeRecords(small, now: now, countMax: 100) == 14)
            #expect(try await store.removeRecords(small, now: now, countMax: 100) == 0)
            #expect(try await store.all(1).first?.sequence == 30)
            #expect(try await store.removeReader("gone"))
            #expect(try await !store.removeReader("gone"))
            #expect(try await store.readers().map(\.name) == ["living"])
            #expect(try await store.removeRecords(small, now: now, countMax: 100) == 29)
            #expect(try await store.all(1).first?.sequence == 59)
        }
    }

    @Test(arguments: LogKind.allCases)
    func `a log that is too large loses its oldest records`(kind: LogKind) async throws {
        try await kind.run { store in
            try await fill(store, days: 50, bytes: 500_000)
            let policy = RetentionPolicy(bytesMax: 16 << 20)
            #expect(try await store.removeRecords(policy, now: now, countMax: 100) > 10)
            #expect(try await store.removeRecords(policy, now: now, countMax: 100) == 0)
            let kept = try await store.all(1)
            #expect(30...34 ~= kept.count, "16 MiB of half a megabyte each")
            #expect(kept.last?.sequence == 50)
        }
    }

    @Test(arguments: LogKind.allCases)
    func `readers are bounded`(kind: LogKind) async throws {
        try await kind.run { store in
            for number in 0..<LogReader.countMax { try await note(store, "reader \(number)", 1) }
            try await note(store, "reader 5", 2)
            let refusal = await #expect(throws: EnergyError.self) { try await note(store, "one more", 1) }
            #expect(refusal?.code == .rateLimited)
            #expect(refusal?.retryAfterMilliseconds == nil)
            #expect(try await store.removeReader("reader 7"))
            try await note(store, "one more", 1)
        }
    }

    @Test(arguments: LogKind.allCases)
    func `silent sessions are marked, and open again with an event that fits`(kind: LogKind) async throws {
        try await kind.run { store in
            let session = SessionProgress(
                id: EventSamples.id(3), venueID: EventSamples.venueID, deviceID: "car-1", kind: .electricVehicle,
                direction: .imported, began: now, last: now)
            var ended = session
            ended.isEnded = true
            let sessions = [session, SessionProgress(id: EventSamples.id(4), copying: ended)]
            _ = try await store.write {
                try $0.append(
                    RecordDraft(
                        venueID: EventSamples.venueID, received: now, principal: "local", payload: [], events: [],
                        sessions: sessions))
            }
            #expect(try await store.abandonSessions(silentSince: now, countMax: 10) == 0)
            let later = now.advanced(byMilliseconds: 1)
            #expect(try await store.abandonSessions(silentSince: later, countMax: 10) == 1)
            #expect(try await store.abandonSessions(silentSince: later, countMax: 10) == 0)
            let marked = try await store.write { try $0.session(session.id, venueID: EventSamples.venueID) }
            #expect(marked?.isAbandoned == true)
            let listed = try await store.sessions(ofVenue: EventSamples.venueID, countMax: 10)
            #expect(listed.map(\.isAbandoned) == [true, false], "marked, and seen to be")
            #expect(listed.map(\.isEnded) == [false, true])
            #expect(try await store.sessions(ofVenue: EventSamples.venueID, countMax: 1) == [listed[0]])
            #expect(try await store.sessions(ofVenue: EventSamples.id(77), countMax: 10).isEmpty)
            var tracker = SessionTracker(marked)
            guard case .accepted(let progress) = tracker.apply(EventSamples.vehicle(at: later, .active)) else {
                Issue.record("an event that fits was refused")
                return
            }
            #expect(!progress.isAbandoned)
        }
    }

    @Test func `a backup is the whole log, taken while it is written`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        try await fill(store, days: 30)
        let copy = folder.path("copies/log.sqlite")
        async let writing: Void = fill(store, days: 30)
        let bytes = try await store.backUp(to: copy)
        try await writing
        #expect(bytes > 0)
        let refusal = await #expect(throws: EnergyError.self) { try await store.backUp(to: copy) }
        #expect(refusal?.code == .conflict)
        let restored = try SQLiteEventLogStore(path: copy)
        let records = try await restored.all(1)
        #expect(30...60 ~= records.count)
        #expect(records == Array(try await store.all(1).prefix(records.count)))
        try restored.close()
        try store.close()
    }

    @Test func `a backup that cannot be written says why`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        try Data().write(to: URL(filePath: folder.path("file")))
        let refusal = await #expect(throws: EnergyError.self) { try await store.backUp(to: folder.path("file/x/copy")) }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.message == "the folder of the backups cannot be made: not a directory")
        try store.close()
    }
}

extension SessionProgress {
    fileprivate init(id: UUID, copying other: SessionProgress) {
        self.init(
            id: id, venueID: other.venueID, deviceID: other.deviceID, kind: other.kind, direction: other.direction,
            began: other.began, last: other.last, isEnded: other.isEnded)
    }
}
