public import EnergyModel
public import EnergyStore
public import Foundation
public import Testing

/// What every event log promises. Run each case on each store:
/// `@Test(arguments: EventLogStoreConformance.allCases)` and `try await promise.check(store)` with an empty store.
public enum EventLogStoreConformance: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case `an empty log has heads of zero and no records`
    case `sequences start at one and have no gaps in each partition`
    case `records come back as they were appended, from any position`
    case `a page is limited by count and by bytes, but never empty`
    case `events and sessions are known afterwards, at their venue only`
    case `a transaction sees its own appends`
    case `what was said to be looked at is found as what was not`
    case `a transaction that throws leaves nothing behind`
    case `an event cannot be appended twice`
    case `many writers share the log without gap, loss or repeat`
    case `positions outside the log are empty`

    public var testDescription: String { rawValue }

    public func check(_ store: any EventLogStore) async throws {
        switch self {
        case .`an empty log has heads of zero and no records`: try await empty(store)
        case .`sequences start at one and have no gaps in each partition`: try await sequences(store)
        case .`records come back as they were appended, from any position`: try await reading(store)
        case .`a page is limited by count and by bytes, but never empty`: try await paging(store)
        case .`events and sessions are known afterwards, at their venue only`: try await knowing(store)
        case .`a transaction sees its own appends`: try await ownAppends(store)
        case .`what was said to be looked at is found as what was not`: try await expecting(store)
        case .`a transaction that throws leaves nothing behind`: try await rollback(store)
        case .`an event cannot be appended twice`: try await twice(store)
        case .`many writers share the log without gap, loss or repeat`: try await writers(store)
        case .`positions outside the log are empty`: try await outside(store)
        }
    }

    private func empty(_ store: any EventLogStore) async throws {
        let expected = (0..<LogPartition.count).map { LogHead(partition: $0, sequence: 0) }
        #expect(try await store.heads() == expected)
        #expect(try await store.all(0) == [])
    }

    private func sequences(_ store: any EventLogStore) async throws {
        for number in UInt64(0)..<48 {
            let sequence = try await store.write { try $0.append(draft(venue: number % 16)) }
            #expect(sequence == number / 16 + 1)
        }
        let heads = try await store.heads()
        #expect(heads.map(\.partition) == Array(0..<LogPartition.count))
        #expect(heads.allSatisfy { $0.sequence == 3 && $0.removedSequence == 0 })
        for head in heads { #expect(try await store.all(head.partition).last?.checksum == head.checksum) }
        for partition in 0..<LogPartition.count {
            #expect(try await store.all(partition).map(\.sequence) == [1, 2, 3])
        }
    }

    private func reading(_ store: any EventLogStore) async throws {
        let drafts = [
            draft(payload: []), draft(payload: [0]), draft(payload: [UInt8](repeating: 0xFF, count: 100_000)),
        ]
        for draft in drafts { _ = try await store.write { try $0.append(draft) } }
        let records = try await store.all(partition)
        #expect(records.map(\.payload) == drafts.map(\.payload))
        #expect(records.allSatisfy { $0.partition == partition && $0.venueID == EventSamples.venueID })
        #expect(records.allSatisfy { $0.received == EventSamples.now && $0.principal == "local" })
        for position in 0...3 {
            let rest = try await store.records(
                inPartition: partition, after: UInt64(position), countMax: 100, bytesMax: .max)
            #expect(rest == Array(records[position...]))
        }
    }

    private func paging(_ store: any EventLogStore) async throws {
        for _ in 0..<5 {
            _ = try await store.write { try $0.append(draft(payload: [UInt8](repeating: 1, count: 10))) }
        }
        func count(_ countMax: Int, _ bytesMax: Int) async throws -> Int {
            try await store.records(inPartition: partition, after: 0, countMax: countMax, bytesMax: bytesMax).count
        }
        #expect(try await count(3, .max) == 3)
        #expect(try await count(100, 20) == 2)
        #expect(try await count(100, 29) == 2)
        #expect(try await count(100, 1) == 1, "a record larger than the page comes by itself")
        #expect(try await count(0, .max) == 0)
    }

    private func knowing(_ store: any EventLogStore) async throws {
        let (known, unknown) = (EventMark(id: UUID(), digest: .max), UUID())
        let session = SessionProgress(
            id: UUID(), venueID: EventSamples.venueID, deviceID: "car-1", kind: .electricVehicle, direction: .exported,
            began: EventSamples.now, last: EventSamples.now, energyMilliwattHours: 7)
        _ = try await store.write { try $0.append(draft(events: [known], sessions: [session])) }
        var later = session
        later.isEnded = true
        later.last = session.last.advanced(byMilliseconds: 1)
        let ended = later
        _ = try await store.write { transaction throws in
            #expect(try transaction.session(session.id, venueID: EventSamples.venueID) == session)
            #expect(try transaction.session(session.id, venueID: EventSamples.id(99)) == nil)
            #expect(
                try transaction.knownEvents([unknown, known.id], venueID: EventSamples.venueID)
                    == [known.id: known.digest])
            #expect(try transaction.knownEvents([known.id], venueID: EventSamples.id(99)) == [:])
            return try transaction.append(draft(sessions: [ended]))
        }
        let stored = try await store.write { try $0.session(session.id, venueID: EventSamples.venueID) }
        #expect(stored == ended)
    }

    private func ownAppends(_ store: any EventLogStore) async throws {
        let event = EventMark(id: UUID(), digest: 3)
        let session = SessionProgress(
            id: UUID(), venueID: EventSamples.venueID, deviceID: "hp", kind: .hvac, direction: nil,
            began: EventSamples.now, last: EventSamples.now)
        try await store.write { transaction throws in
            #expect(try transaction.append(draft(events: [event], sessions: [session])) == 1)
            #expect(try transaction.knownEvents([event.id], venueID: EventSamples.venueID) == [event.id: 3])
            #expect(try transaction.session(session.id, venueID: EventSamples.venueID) == session)
            #expect(try transaction.append(draft()) == 2)
        }
    }

    private func expecting(_ store: any EventLogStore) async throws {
        let ids = (0..<4).map { EventSamples.id(100 + $0) }
        let session = SessionProgress(
            id: EventSamples.id(3), venueID: EventSamples.venueID, deviceID: "car-1", kind: .electricVehicle,
            direction: .imported, began: EventSamples.now, last: EventSamples.now)
        let marks = ids.prefix(2).map { EventMark(id: $0, digest: 5) }
        _ = try await store.write { try $0.append(draft(events: marks, sessions: [session])) }
        let other = EventSamples.id(2)
        let expected = ids.map { EventSamples.vehicle(id: $0, .active) }
        let elsewhere = ids.map { EventSamples.vehicle(id: $0, venueID: other, .active) }
        for batches in [[], [expected], [expected, elsewhere], [elsewhere, [], expected + expected]] {
            try await store.write { log throws in
                try log.expect(batches)
                #expect(try log.knownEvents(ids, venueID: EventSamples.venueID) == [ids[0]: 5, ids[1]: 5])
                #expect(try log.knownEvents(ids, venueID: other) == [:])
                #expect(try log.session(session.id, venueID: EventSamples.venueID) == session)
                #expect(try log.session(session.id, venueID: other) == nil)
            }
        }
        try await store.write { log throws in
            try log.expect([expected])
            #expect(try log.append(draft(events: [EventMark(id: ids[2], digest: 7)])) == 2)
            #expect(try log.knownEvents(ids, venueID: EventSamples.venueID) == [ids[0]: 5, ids[1]: 5, ids[2]: 7])
        }
        await #expect(throws: EnergyError.self) {
            try await store.write { log throws in
                try log.expect([expected])
                _ = try log.append(draft(events: [EventMark(id: ids[2], digest: 7)]))
            }
        }
        #expect(try await store.all(partition).count == 2)
    }

    private func rollback(_ store: any EventLogStore) async throws {
        let event = EventMark(id: UUID(), digest: 3)
        _ = try await store.write { try $0.append(draft()) }
        await #expect(throws: EnergyError(.conflict, "on purpose")) {
            try await store.write { transaction throws in
                _ = try transaction.append(draft(events: [event]))
                throw EnergyError(.conflict, "on purpose")
            }
        }
        #expect(try await store.all(partition).count == 1)
        try await store.write { transaction throws in
            #expect(try transaction.knownEvents([event.id], venueID: EventSamples.venueID) == [:])
            #expect(try transaction.append(draft()) == 2, "no gap where the failed transaction was")
        }
    }

    private func twice(_ store: any EventLogStore) async throws {
        let event = EventMark(id: UUID(), digest: 3)
        _ = try await store.write { try $0.append(draft(events: [event])) }
        await #expect(throws: EnergyError.self) {
            try await store.write { try $0.append(draft(events: [event])) }
        }
        #expect(try await store.all(partition).count == 1)
    }

    private func writers(_ store: any EventLogStore) async throws {
        let (count, each) = (8, 25)
        try await withThrowingTaskGroup { group in
            for writer in 0..<count {
                group.addTask {
                    for round in 0..<each {
                        _ = try await store.write {
                            try $0.append(draft(venue: UInt64(round % 2), payload: [UInt8(writer), UInt8(round)]))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let records = try await store.all(0) + store.all(1)
        #expect(records.count == count * each)
        #expect(Set(records.map(\.payload)).count == count * each)
        for partition in 0...1 {
            let stored = try await store.all(partition)
            #expect(stored.map(\.sequence) == (1...UInt64(stored.count)).map(\.self))
            for writer in 0..<count {
                let rounds = stored.filter { $0.payload[0] == UInt8(writer) }.map { $0.payload[1] }
                #expect(rounds == rounds.sorted(), "one writer's records are in the order it appended them")
            }
        }
    }

    private func outside(_ store: any EventLogStore) async throws {
        _ = try await store.write { try $0.append(draft()) }
        for (partition, sequence) in [
            (-1, 0), (16, 0), (Int.max, 0), (Int.min, 0), (partition, 1), (partition, 2), (partition, UInt64.max),
        ] {
            let records = try await store.records(
                inPartition: partition, after: sequence, countMax: 10, bytesMax: .max)
            #expect(records == [])
        }
    }

    private var partition: Int { LogPartition.of(venueID: EventSamples.venueID) }

    /// Of the venue with this last byte: the partition is its remainder by 16.
    private func draft(
        venue: UInt64 = 1, payload: [UInt8] = [1, 2, 3], events: [EventMark] = [], sessions: [SessionProgress] = []
    ) -> RecordDraft {
        RecordDraft(
            venueID: EventSamples.id(venue), received: EventSamples.now, principal: "local", payload: payload,
            events: events, sessions: sessions)
    }
}

extension EventLogTransaction {
    /// The digests of those events that the log has.
    public func knownEvents(_ ids: [UUID], venueID: UUID) throws -> [UUID: UInt64] {
        try ids.reduce(into: [:]) { $0[$1] = try knownDigest(ofEvent: $1, venueID: venueID) }
    }
}

extension EventLogStore {
    /// Every record of a partition.
    public func all(_ partition: Int) async throws(EnergyError) -> [StoredRecord] {
        try await records(inPartition: partition, after: 0, countMax: .max, bytesMax: .max)
    }
}
