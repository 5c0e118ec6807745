import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GRDB
import PostgreSQLStore
import SQLColumns
import SQLiteStore
import StoreMigration
import Testing

/// The event log, moved into PostgreSQL, also while the ingestor runs.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct LogMigrationTests: StoreMigrating {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `the log is the same log: records, heads, readers, sessions, tokens and the events that it knows`()
        async throws
    {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let batches = try await fill(file, records: 350)
            try await file.note(LogReader(name: "insights", partition: 3, sequence: 2, seen: Self.now))
            let token = ResolvedToken(
                token: EventSamples.token, venueID: EventSamples.venueID, action: .shift, issued: Self.now,
                principals: ["a", "b"])
            try await file.remember(token)
            try await file.remember(venue: EventSamples.venueID, exists: true)
            let (records, heads) = (try await Self.content(file), try await file.heads())
            let (logID, readers) = (try await file.logID(), try await file.readers())
            let sessions = try await file.sessions(ofVenue: EventSamples.venueID, countMax: 1_000)
            try file.close()
            let report = try await migrate(.eventIngestor, to: connection)
            #expect(report.state == .finished && report.removedRecords == 0)
            #expect(
                report.tables.first { $0.name == "log_record" }
                    == .init(name: "log_record", rows: 350, written: 350, removed: 0))
            let database = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            #expect(try await Self.content(database) == records)
            #expect(try await database.heads() == heads)
            #expect(try await database.logID() == logID)
            #expect(try await database.readers() == readers)
            #expect(try await database.sessions(ofVenue: EventSamples.venueID, countMax: 1_000) == sessions)
            #expect(try await database.knownToken(EventSamples.token) == token)
            #expect(try await database.isKnownVenue(EventSamples.venueID))
            let events = batches.flatMap(\.self)
            #expect(try await Self.digests(database, events) == events.map(\.digest))
            // It goes on where it was.
            let next = EventSamples.charge()
            let head = heads[LogPartition.of(venueID: EventSamples.venueID)]
            #expect(try await database.write { try $0.append(Self.draft(next)) } == head.sequence + 1)
            await database.close()
        }
    }

    @Test func `what is old is moved, but no longer known again`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let received = Self.now.advanced(byMilliseconds: -31 * .millisecondsPerDay)
            let events = EventSamples.charge(from: received)
            _ = try await file.write { try $0.append(Self.draft(events, received: received)) }
            try file.close()
            _ = try await migrate(.eventIngestor, to: connection)
            let database = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            #expect(try await Self.content(database).count == 1)
            #expect(try await Self.digests(database, events).allSatisfy { $0 == nil })
            await database.close()
        }
    }

    @Test func `what retention had removed before is told, for its events are not known there`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let batches = try await fill(file, records: 30)
            let removed = try await file.removeRecords(
                RetentionPolicy(ageMaxMilliseconds: .millisecondsPerDay),
                now: Self.now.advanced(byMilliseconds: 2 * .millisecondsPerDay), countMax: 20)
            try file.close()
            let report = try await migrate(.eventIngestor, to: connection)
            #expect(removed == 20 && report.removedRecords == removed)
            let database = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            let kept = try await Self.content(database).flatMap { try EventBatch(decoding: $0.payload).events }
            let events = batches.flatMap(\.self)
            let known = try await Self.digests(database, events).map { $0 != nil }
            #expect(known == events.map { event in kept.contains { $0.id == event.id } })
            #expect(known.contains(false))
            await database.close()
        }
    }

    @Test func `a service that runs is copied, and what happened meanwhile follows when it is stopped`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let batches = try await fill(file, records: 250)
            let first = try await migrate(.eventIngestor, to: connection)
            #expect(first.state == .copied)
            let refusal = await #expect(throws: EnergyError.self) { _ = try await PostgreSQLEventLogStore(connection) }
            #expect(
                refusal?.message
                    == "the schema event_ingestor is being filled from \(folder.path("events.sqlite")): finish that with "
                    + "energyctl store migrate first")
            // More comes, something is erased from the middle, and the oldest go.
            let more = try await fill(file, records: 30)
            let erased = try #require(try await Self.content(file).dropFirst(100).first)
            let events = try EventBatch(decoding: erased.payload).events
            try await file.replace([
                ErasedRecord(
                    record: erased.replacing(payload: [0, 0, 0, 0], principal: "nobody"), events: events.map(\.id))
            ])
            let policy = RetentionPolicy(ageMaxMilliseconds: .millisecondsPerDay)
            let removed = try await file.removeRecords(
                policy, now: Self.now.advanced(byMilliseconds: 2 * .millisecondsPerDay), countMax: 20)
            #expect(removed == 20)
            let (records, heads) = (try await Self.content(file), try await file.heads())
            try file.close()
            close(lock)
            let second = try await migrate(.eventIngestor, to: connection)
            #expect(second.state == .finished)
            #expect(
                second.tables.first { $0.name == "log_record" }
                    == .init(name: "log_record", rows: 260, written: 31, removed: 20))
            let database = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            #expect(try await Self.content(database) == records)
            #expect(try await database.heads() == heads)
            let others = (batches + more).flatMap(\.self).filter { !events.map(\.id).contains($0.id) }
            #expect(try await Self.digests(database, others) == others.map(\.digest))
            #expect(try await Self.digests(database, events).allSatisfy { $0 == nil })
            await database.close()
            // Once is enough.
            let third = try await migrate(.eventIngestor, to: connection)
            #expect(third == MigrationReport(service: .eventIngestor, state: .finishedBefore(Self.now)))
        }
    }

    @Test func `what broke off goes on: what is there is not written again`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: 350)
            try file.close()
            // Whoever pulls the plug ends the task.
            let reached = AsyncStream<Void>.makeStream()
            let task = Task {
                defer { reached.continuation.finish() }
                return try await migrate(.eventIngestor, to: connection) { progress in
                    guard progress.table == "log_record", progress.done >= 200 else { return }
                    reached.continuation.yield()
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            for await _ in reached.stream { break }
            await #expect(throws: EnergyError.self) { _ = try await task.value }
            let again = try await migrate(.eventIngestor, to: connection)
            #expect(again.state == .finished)
            let records = try #require(again.tables.first { $0.name == "log_record" })
            #expect(records.rows == 350 && records.written < 350 && records.written > 0, "\(records)")
        }
    }

    @Test func `of two at once the one that began last goes on, and the other writes nothing more`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: 350)
            let overtaken = Box(false)
            let (service, tool) = (StoredService.eventIngestor, SQLiteToPostgreSQL())
            let (path, now, server) = (folder.url.path, Self.now, try await PostgreSQLServer.shared.value)
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await OwnThread.run {
                    try await migrate(.eventIngestor, to: connection) { progress in
                        guard progress.table == "log_record", !overtaken.value else { return }
                        overtaken.update { $0 = true }
                        OwnThread.hold {
                            _ = try await tool.migrate(service, state: path, connection: connection, now: now) { _ in }
                            // So that there is something to write.
                            try await server.sql("DELETE FROM event_ingestor.log_record", in: connection)
                        }
                    }
                }
            }
            #expect(refusal?.code == .conflict && refusal?.message.hasPrefix("another migration") == true)
            try file.close()
            close(lock)
            #expect(try await migrate(.eventIngestor, to: connection).state == .finished)
        }
    }
}
