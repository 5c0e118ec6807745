import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import PostgreSQLStore

/// What the log in PostgreSQL promises beside what every log does: to several who write to it, whatever breaks.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLEventLogTests {
    /// What the server answers a commit with: CommandComplete, its length, its tag.
    private static let committed = Data([UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT\0".utf8))

    private func draft(
        venue: UInt64 = 1, payload: [UInt8] = [1], events: [EventMark] = [], received: Timestamp = EventSamples.now
    ) -> RecordDraft {
        RecordDraft(
            venueID: EventSamples.id(venue), received: received, principal: "local", payload: payload, events: events,
            sessions: [])
    }

    /// A log of which each replica's connections pass through a proxy that can cut them.
    private func withProxy(_ body: (PostgreSQLEventLogStore, CuttingProxy, String) async throws -> Void) async throws {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let name = try #require(connection.split(separator: "/").last)
        let proxy = try CuttingProxy(to: server.port, cutsAt: Self.committed)
        let hosts = "127.0.0.1:\(proxy.port)"
        let store = try await PostgreSQLEventLogStore(
            server.connection(String(name), hosts: hosts) + "?sslmode=disable", timeout: .seconds(60))
        try await body(store, proxy, connection)
        await store.close()
    }

    @Test func `a commit whose answer is lost counts once, and is answered as if it had been heard`() async throws {
        try await withProxy { store, proxy, _ in
            let mark = EventMark(id: UUID(), digest: 7)
            let attempts = Box(0)
            proxy.arm()
            let sequences = try await store.write { log throws in
                attempts.update { $0 += 1 }
                // One without events is known by nothing but its receipt.
                return [try log.append(draft(events: [mark])), try log.append(draft(venue: 2))]
            }
            #expect(proxy.cuts == 1)
            #expect(sequences == [1, 1])
            #expect(attempts.value == 1, "what has happened is not tried again")
            #expect(try await store.all(1).count == 1)
            #expect(try await store.all(2).count == 1)
        }
    }

    /// Where a record is, and what is in it.
    private struct Told: Hashable {
        let partition: Int
        let sequence: UInt64
        let payload: [UInt8]
    }

    @Test(.timeLimit(.minutes(10)), arguments: UInt64(1)...2)
    func `many writers whose connections are killed leave no gap, no repeat and no disorder to who follows`(
        seed: UInt64
    ) async throws {
        try await withProxy { cut, proxy, connection in
            let direct = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            let (told, attempts) = (Box<[Told]>([]), Box(0))
            let feeds = (0..<4).map { _ in AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1)) }
            let followers = feeds.enumerated().map { partition, feed in
                Task { try await Self.follow(partition, of: direct, feed.stream) }
            }
            try await withThrowingTaskGroup { group in
                for writer in UInt64(0)..<6 {
                    let store = writer % 2 == 0 ? cut : direct
                    group.addTask {
                        var random = SplitMix64(seed: seed << 8 | writer)
                        for round in 0..<30 {
                            if writer == 0 && round % 5 == 0 { proxy.arm() }
                            let name = [UInt8(writer), UInt8(round)]
                            let records = try await Self.write(to: store, name, attempts, &random)
                            told.update { $0 += records }
                            for feed in feeds { feed.continuation.yield() }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for feed in feeds { feed.continuation.finish() }
            print("seed \(seed): \(attempts.value) attempts for 180 writes, \(proxy.cuts) cut in their commits")
            #expect(attempts.value > 180 && proxy.cuts > 0, "else the test says nothing")
            for (partition, follower) in followers.enumerated() {
                let seen = try await follower.value
                #expect(try await direct.all(partition) == seen)
                let expected = told.value.filter { $0.partition == partition }.sorted { $0.sequence < $1.sequence }
                let found = seen.map { Told(partition: partition, sequence: $0.sequence, payload: $0.payload) }
                #expect(found == expected, "each write once, where its writer was told")
            }
            await direct.close()
        }
    }

    /// Reads on whenever something is written, while other commits are under way.
    private static func follow(
        _ partition: Int, of store: PostgreSQLEventLogStore, _ news: AsyncStream<Void>
    ) async throws -> [StoredRecord] {
        var seen: [StoredRecord] = []
        func readOn() async throws {
            while true {
                let position = UInt64(seen.count)
                let page = try await store.records(
                    inPartition: partition, after: position, countMax: 5, bytesMax: .max)
                #expect(page.map(\.sequence) == page.indices.map { position + UInt64($0) + 1 })
                seen += page
                if page.isEmpty { return }
            }
        }
        for await _ in news { try await readOn() }
        try await readOn()
        return seen
    }

    /// To one to three venues, in any order; mostly said before. Now and then it throws out whoever is doing something.
    private static func write(
        to store: PostgreSQLEventLogStore, _ name: [UInt8], _ attempts: Box<Int>, _ random: inout SplitMix64
    ) async throws -> [Told] {
        let venues = Array((UInt64(0)..<4).shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
        let isExpected = Int.random(in: 0..<20, using: &random) > 0
        let kills = Box(Int.random(in: 0..<8, using: &random) == 0)
        let events = venues.map { EventSamples.vehicle(id: UUID(), venueID: EventSamples.id($0), .begin) }
        return try await store.write { log throws in
            attempts.update { $0 += 1 }
            if isExpected { try log.expect([events]) }
            let told = try zip(venues, events).map { venue, event in
                let payload = name + [UInt8(venue)]
                let draft = RecordDraft(
                    venueID: event.venueID, received: EventSamples.now, principal: "local", payload: payload,
                    events: [EventMark(id: event.id, digest: 1)], sessions: [])
                return Told(
                    partition: LogPartition.of(venueID: event.venueID), sequence: try log.append(draft),
                    payload: payload)
            }
            guard kills.value else { return told }
            kills.set(false)
            // Others first: who waits for a lock, commits or reads; perhaps this one too.
            try (log as? PostgreSQLEventLogTransaction)?.transaction.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'gridtide event_ingestor'
                    AND state <> 'idle' AND random() < 0.5 ORDER BY pid = pg_backend_pid()
                """)
            return told
        }
    }

    @Test func `who waits for each other's partitions is run again`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let store = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
        let (met, meeting) = (DispatchSemaphore(value: 0), Box(0))
        @Sendable func write(_ first: UInt64, _ second: UInt64) async throws {
            _ = try await store.write { log throws in
                try #require(log as? PostgreSQLEventLogTransaction).transaction.mayStandStill()
                _ = try log.append(draft(venue: first))
                // The second one wakes both; whoever runs again meets nobody.
                if meeting.update({
                    $0 += 1
                    return $0
                }) == 2 {
                    for _ in 0..<2 { met.signal() }
                }
                if meeting.value <= 2 { met.wait() }
                return try log.append(draft(venue: second))
            }
        }
        async let one: Void = write(1, 2)
        async let two: Void = write(2, 1)
        _ = try await (one, two)
        #expect(meeting.value == 3)
        #expect(try await store.all(1).map(\.sequence) == [1, 2])
        #expect(try await store.all(2).map(\.sequence) == [1, 2])
        await store.close()
    }

    @Test func `two replicas have the same log, and each knows what the other has stored`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let (one, two) = (
            try await PostgreSQLEventLogStore(connection), try await PostgreSQLEventLogStore(connection)
        )
        let mark = EventMark(id: UUID(), digest: 7)
        _ = try await one.write { try $0.append(draft(events: [mark])) }
        let known = try await two.write { try $0.knownDigest(ofEvent: mark.id, venueID: EventSamples.venueID) }
        #expect(known == 7)
        #expect(try await two.write { try $0.append(draft()) } == 2)
        #expect(try await one.logID() == two.logID())
        #expect(try await one.all(1) == two.all(1))
        try await one.tryWriting()
        await one.close()
        await #expect(throws: EnergyError.self) { try await one.heads() }
        await two.close()
    }

    @Test func `a damaged record is found out, the ones before it are read`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let store = try await PostgreSQLEventLogStore(connection)
        for number in UInt8(1)...3 { _ = try await store.write { try $0.append(draft(payload: [number])) } }
        try await server.sql(
            "UPDATE event_ingestor.log_record SET payload = '\\x09' WHERE sequence = 2", in: connection)
        #expect(try await store.all(1).map(\.sequence) == [1])
        let refusal = await #expect(throws: EnergyError.self) {
            try await store.records(inPartition: 1, after: 1, countMax: 9, bytesMax: .max)
        }
        #expect(refusal == EnergyError(.dataLoss, "record 2 of the log's partition 1 is damaged on disk"))
        let rest = try await store.records(inPartition: 1, after: 2, countMax: 9, bytesMax: .max)
        #expect(rest.map(\.sequence) == [3])
        await store.close()
    }

    @Test func `events are known for 30 days, also where their records are kept`() async throws {
        let store = try await PostgreSQLEventLogStore(PostgreSQLServer.shared.value.database())
        let marks = [29, 31].map { EventMark(id: UUID(), digest: $0) }
        for mark in marks {
            let received = EventSamples.now.advanced(byMilliseconds: -Int64(mark.digest) * .millisecondsPerDay)
            _ = try await store.write { try $0.append(draft(events: [mark], received: received)) }
        }
        #expect(try await store.removeRecords(RetentionPolicy(), now: EventSamples.now, countMax: 10) == 0)
        let known = try await store.write { try $0.knownEvents(marks.map(\.id), venueID: EventSamples.venueID) }
        #expect(known == [marks[0].id: 29])
        #expect(try await store.all(1).count == 2)
        await store.close()
    }

    @Test func `tokens and venues are known to all replicas, until they are forgotten`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let store = try await PostgreSQLEventLogStore(connection)
        func token(_ principals: [String]) -> ResolvedToken {
            ResolvedToken(
                token: EventSamples.token, venueID: EventSamples.venueID, action: .shift, issued: EventSamples.now,
                principals: principals)
        }
        #expect(try await store.knownToken(EventSamples.token) == nil)
        try await store.remember(token(["kai"]))
        try await store.remember(token(["kai", "a \"phone\""]))
        #expect(try await !store.isKnownVenue(EventSamples.venueID))
        for exists in [true, true, false, false, true] {
            try await store.remember(venue: EventSamples.venueID, exists: exists)
            #expect(try await store.isKnownVenue(EventSamples.venueID) == exists)
        }
        let other = try await PostgreSQLEventLogStore(connection)
        #expect(try await other.knownToken(EventSamples.token) == token(["kai", "a \"phone\""]))
        let subject = DataSubject(venueID: EventSamples.venueID)
        #expect(
            try await other.documents(of: subject, skipped: 0, countMax: 9).map(\.kind) == [
                "known_token", "known_venue",
            ])
        let counts = try await other.write { try $0.forget(subject) }
        #expect(counts.map(\.count) == [1, 1, 0])
        try await other.scrub()
        #expect(try await store.knownToken(EventSamples.token) == nil)
        #expect(try await !store.isKnownVenue(EventSamples.venueID))
        await store.close()
        await other.close()
    }

    @Test func `a backup is the server's business, and says so`() async throws {
        let store = try await PostgreSQLEventLogStore(PostgreSQLServer.shared.value.database())
        let refusal = await #expect(throws: EnergyError.self) { try await store.backUp(to: "/tmp/none") }
        #expect(refusal?.code == .invalidInput, "nothing to be tried again")
        #expect(refusal?.message == "the log is in PostgreSQL: back it up there, with pg_basebackup or pg_dump")
        await store.close()
    }
}
