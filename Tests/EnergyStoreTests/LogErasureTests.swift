import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import SQLiteStore

/// What is erased of the log: records stay in their places, what was in them is gone, from the files too.
struct LogErasureTests {
    private let filler: [UInt8] = [0x7A, 4, 0, 0, 0, 0]

    private func draft(_ payload: [UInt8], _ events: [EventMark], device: String = "car-1") -> RecordDraft {
        let session = SessionProgress(
            id: UUID(), venueID: EventSamples.venueID, deviceID: device, kind: .electricVehicle, direction: .imported,
            began: EventSamples.now, last: EventSamples.now, energyMilliwattHours: 7)
        return RecordDraft(
            venueID: EventSamples.venueID, received: EventSamples.now, principal: "kai", payload: payload,
            events: events, sessions: [session])
    }

    @Test(arguments: UInt64(0)..<200)
    func `a record with less in it has the checksum that it had`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &random) } }
        let record = StoredRecord(
            partition: Int(seed % 16), sequence: random.next() >> 20, venueID: UUID(), received: EventSamples.now,
            principal: "kai", payload: bytes(Int.random(in: 0...500, using: &random)))
        let kept = bytes(Int.random(in: 0...100, using: &random))
        let rest = record.replacing(payload: kept + filler, principal: "erased")
        #expect(rest.checksum == record.checksum)
        #expect(rest.payload.starts(with: kept + filler.prefix(2)))
        #expect(rest.payload.count == kept.count + filler.count)
        #expect(rest.principal == "erased")
    }

    @Test(arguments: LogKind.allCases)
    func `an erased record keeps its place, its events are forgotten, and the others are not`(kind: LogKind)
        async throws
    {
        try await kind.run { store in
            let marks = (0..<6).map { EventMark(id: UUID(), digest: $0 + 1) }
            for index in 0..<3 {
                let draft = draft([1, 2, 3], Array(marks[index * 2..<index * 2 + 2]))
                _ = try await store.write { try $0.append(draft) }
            }
            let before = try await store.all(1)
            let rest = before[1].replacing(payload: filler, principal: "erased")
            try await store.replace([ErasedRecord(record: rest, events: [marks[2].id, marks[3].id])])
            let after = try await store.all(1)
            #expect(after.map(\.checksum) == before.map(\.checksum))
            #expect(after[1] == rest)
            #expect((after[0], after[2]) == (before[0], before[2]))
            try await store.write { log throws in
                for (index, mark) in marks.enumerated() {
                    let known = try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID)
                    #expect(known == (index / 2 == 1 ? nil : mark.digest))
                }
            }
            // The same ids again, for other events.
            let again = draft([9], [EventMark(id: marks[2].id, digest: 99), EventMark(id: marks[3].id, digest: 98)])
            #expect(try await store.write { try $0.append(again) } == 4)
            let other = before[0].replacing(payload: filler, principal: "x")
            let wrong = StoredRecord(
                partition: 1, sequence: 2, venueID: other.venueID, received: other.received, principal: "x",
                payload: other.payload)
            await #expect(throws: EnergyError.self) {
                try await store.replace([ErasedRecord(record: wrong, events: [])])
            }
        }
    }

    @Test(arguments: LogKind.allCases)
    func `an erasure comes back as it was appended, and sessions of its subject are forgotten`(
        kind: LogKind
    ) async throws {
        try await kind.run { store in
            let (car, pump) = (draft([1], []), draft([2], [], device: "pump-1"))
            _ = try await store.write { log in (try log.append(car), try log.append(pump)) }
            let subject = DataSubject(venueID: EventSamples.venueID, deviceID: "car-1")
            for erasure in [Erasure(of: subject, salt: .max), Erasure(device: nil)] {
                let draft = RecordDraft(
                    venueID: EventSamples.venueID, received: EventSamples.now, principal: "erased", payload: [],
                    events: [], sessions: [], erasure: erasure)
                _ = try await store.write { try $0.append(draft) }
                #expect(try await store.all(1).last?.erasure == erasure)
                #expect(try await store.all(1).last?.checksum == store.heads()[1].checksum)
            }
            let counts = try await store.write { try $0.forget(subject) }
            #expect(counts.first { $0.kind == "session" }?.count == 1)
            let left = try await store.sessions(ofVenue: EventSamples.venueID, countMax: 9)
            #expect(left.map(\.deviceID) == ["pump-1"])
        }
    }

    @Test func `an erasure names its device only to who knows the id`() {
        let subject = DataSubject(venueID: EventSamples.venueID, deviceID: "car-1")
        let (one, two) = (Erasure(of: subject, salt: 1), Erasure(of: subject, salt: 2))
        #expect(one != two)
        for erasure in [one, two] {
            #expect(erasure.covers(deviceID: "car-1"))
            #expect(!erasure.covers(deviceID: "car-2"))
        }
        #expect(Erasure(of: DataSubject(venueID: EventSamples.venueID), salt: 1).covers(deviceID: "car-2"))
    }

    /// 512 events make a run, 8 runs one of the next level: erased events lie in memory, on their way to disk, on disk.
    @Test(arguments: UInt64(0)..<4)
    func `events are forgotten in whatever run they are, and for good`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        var store = try SQLiteEventLogStore(path: folder.path("log.sqlite"), index: EventIndex(generation: 512))
        var (known, forgotten) = ([EventMark](), [EventMark]())
        for sequence in UInt64(1)...60 {
            let marks = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                EventMark(id: UUID(), digest: random.next())
            }
            let draft = draft([1], marks)
            _ = try await store.write { try $0.append(draft) }
            known += marks
            guard sequence % 5 == 0 else { continue }
            known.shuffle(using: &random)
            let erased = Array(known.suffix(known.count / 4))
            known.removeLast(erased.count)
            forgotten += erased
            let record = try #require(try await store.all(1).last)
            try await store.replace([
                ErasedRecord(record: record.replacing(payload: filler, principal: "x"), events: erased.map(\.id))
            ])
            if sequence % 20 == 0 {
                try store.close()
                store = try SQLiteEventLogStore(path: folder.path("log.sqlite"), index: EventIndex(generation: 512))
            }
        }
        let (kept, gone) = (known, forgotten)
        try await store.write { log throws in
            for mark in kept {
                #expect(try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID) == mark.digest)
            }
            for mark in gone { #expect(try log.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID) == nil) }
        }
        try store.close()
    }

    @Test func `nothing of what was erased is left in the files, nor in a backup made afterwards`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let secret = "a-device-that-nobody-shall-find"
        // Large ones and small ones, so that they lie in pages of their own and beside others.
        for index in 0..<200 {
            let size = index % 7 == 0 ? 20_000 : 300
            let draft = draft(
                Array(secret.utf8) + [UInt8](repeating: UInt8(index), count: size),
                (0..<5).map { _ in EventMark(id: UUID(), digest: 1) }, device: secret)
            _ = try await store.write { try $0.append(draft) }
        }
        _ = try await store.backUp(to: folder.path("older.sqlite"))
        #expect(try holds(secret, folder.path("older.sqlite")))
        for record in try await store.all(1) {
            try await store.replace([
                ErasedRecord(record: record.replacing(payload: filler, principal: "erased"), events: [])
            ])
        }
        _ = try await store.write {
            try $0.forget(DataSubject(venueID: EventSamples.venueID, deviceID: secret))
        }
        try await store.scrub()
        _ = try await store.backUp(to: folder.path("newer.sqlite"))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where name != "older.sqlite" {
            #expect(try !holds(secret, folder.path(name)), "\(name)")
        }
        try store.close()
    }

    private func holds(_ text: String, _ path: String) throws -> Bool {
        try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
    }

    @Test func `a damaged erasure is damage, and no record`() async throws {
        #expect(Erasure(column: Data([1, 2, 3])) == nil)
        #expect(Erasure(column: Data()) == Erasure(device: nil))
        let device = Erasure.Device(id: "car-1", salt: 7)
        #expect(Erasure(column: Erasure(device: device).column) == Erasure(device: device))
    }
}
