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

/// What is not moved, and what keeps from using a half.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct MigrationRefusalTests: StoreMigrating {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a database that is in use, or filled from elsewhere, is left as it is`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let used = try await PostgreSQLEventLogStore(connection)
            try await used.remember(venue: EventSamples.venueID, exists: true)
            await used.close()
            try SQLiteEventLogStore(path: folder.path("events.sqlite")).close()
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection)
            }
            #expect(refusal?.code == .conflict)
            #expect(
                refusal?.message.hasPrefix("the schema event_ingestor is in use: a service has been started on it")
                    == true)
            // As of a version that did not note its use.
            let server = try await PostgreSQLServer.shared.value
            try await server.sql("DROP TABLE event_ingestor.service_use", in: connection)
            let older = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection)
            }
            #expect(
                older?.message.hasPrefix(
                    "the schema event_ingestor is in use: its table known_venue has rows that no migration brought")
                    == true)
        }
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            #expect(try await migrate(.eventIngestor, to: connection).state == .copied)
            close(lock)
            let other = try TemporaryFolder()
            try SQLiteEventLogStore(path: other.path("events.sqlite")).close()
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection, from: other.url.path)
            }
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("is being filled from \(folder.path("events.sqlite")), not from") == true)
        }
    }

    /// It would remove what the service stores from then on, as none of it is in the file.
    @Test(arguments: StoredService.allCases)
    func `nothing is moved to where a service has been started, though it has stored nothing yet`(
        service: StoredService
    ) async throws {
        try makeFiles()
        try await PostgreSQLServer.withDatabase { connection in
            try await Self.start(service, on: connection)
            let refusal = await #expect(throws: EnergyError.self) { _ = try await migrate(service, to: connection) }
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("is in use: a service has been started on it. Name another") == true)
            // It goes on where it is.
            try await Self.start(service, on: connection)
        }
    }

    /// A migration would remove it, as it is in no file.
    @Test func `a service that runs while its schema is removed and filled anew stores nothing there`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let log = try await PostgreSQLEventLogStore(connection)
            let guidance = try await PostgreSQLGuidanceStore(connection)
            let schedules = try await PostgreSQLScheduleStore(connection)
            let draft = Self.draft(EventSamples.charge(actives: 1))
            _ = try await log.write { try $0.append(draft) }
            let server = try await PostgreSQLServer.shared.value
            for service in StoredService.allCases {
                let schema = service.rawValue.replacing("-", with: "_")
                try await server.sql("DROP SCHEMA IF EXISTS \(schema) CASCADE", in: connection)
            }
            try makeFiles()
            let lock = try Self.lock(folder)
            for service in StoredService.allCases {
                #expect(try await migrate(service, to: connection).state == .copied)
            }
            for attempt in [
                { _ = try await log.write { try $0.append(draft) } },
                { _ = try await guidance.lease(holder: UUID()).take() },
                { _ = try await schedules.leases(holder: UUID()).take(1) },
            ] {
                let refusal = await #expect(throws: EnergyError.self) { try await attempt() }
                #expect(refusal?.code == .unavailable)
                #expect(refusal?.message.contains("its schema was removed or replaced") == true)
            }
            close(lock)
            for service in StoredService.allCases {
                let report = try await migrate(service, to: connection)
                #expect(report.state == .finished && report.tables.allSatisfy { $0.removed == 0 }, "\(service)")
                try await Self.start(service, on: connection)
            }
            await log.close()
            await guidance.close()
            await schedules.close()
        }
    }

    @Test func `a schema of that name with somebody else's tables is left to them`() async throws {
        try SQLiteEventLogStore(path: folder.path("events.sqlite")).close()
        try await PostgreSQLServer.withDatabase { connection in
            let server = try await PostgreSQLServer.shared.value
            try await server.sql("CREATE SCHEMA event_ingestor CREATE TABLE foo (a int)", in: connection)
            for attempt in [
                { _ = try await migrate(.eventIngestor, to: connection) },
                { _ = try await PostgreSQLEventLogStore(connection) },
            ] {
                let refusal = await #expect(throws: EnergyError.self) { try await attempt() }
                #expect(
                    refusal?.message
                        == "the schema event_ingestor is somebody else's: its table foo is of no version of this program. "
                        + "Name another database, or rename that schema")
            }
            let tables = try await server.sql(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'event_ingestor'", in: connection)
            #expect(tables == "foo")
        }
    }

    @Test func `no file, one of another version and one that is damaged are told`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            func refusal() async -> EnergyError? {
                await #expect(throws: EnergyError.self) { _ = try await migrate(.eventIngestor, to: connection) }
            }
            #expect(await refusal()?.code == .notFound)
            let path = folder.path("events.sqlite")
            let file = try SQLiteEventLogStore(path: path)
            _ = try await fill(file, records: 30)
            try file.close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write {
                try $0.execute(sql: "UPDATE log_record SET principal = 'somebody else' WHERE place & 3 = 1")
            }
            #expect(await refusal()?.code == .dataLoss)
            #expect(await refusal()?.message.hasPrefix("record 1 of the log's partition") == true)
            try await queue.write { try $0.execute(sql: "UPDATE log_record SET plain_bytes = 3 WHERE place & 3 = 1") }
            #expect(await refusal()?.message.hasPrefix("record 1 of the log's partition") == true)
            try await queue.write {
                try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '5 erasures'")
            }
            #expect(
                await refusal()?.message
                    == "\(path) was written by an older version of this program: start event-ingestor of this version once"
            )
            try queue.close()
        }
    }

    @Test(arguments: [3, 150])
    func `a row that something else changes meanwhile is found, on the last page too, and nothing is finished`(
        records: Int
    ) async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: records)
            try file.close()
            let server = try await PostgreSQLServer.shared.value
            let meddled = Box(false)
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await OwnThread.run {
                    try await migrate(.eventIngestor, to: connection) { progress in
                        guard progress.done > progress.total / 2, !meddled.value else { return }
                        meddled.update { $0 = true }
                        OwnThread.hold {
                            try await server.sql("DELETE FROM event_ingestor.known_event", in: connection)
                        }
                    }
                }
            }
            #expect(refusal?.code == .dataLoss)
            #expect(refusal?.message.contains("rows of log_record are not as they were copied") == true)
            let half = await #expect(throws: EnergyError.self) { _ = try await PostgreSQLEventLogStore(connection) }
            #expect(half?.code == .unavailable)
        }
    }

    @Test func `text is moved byte by byte, and what is no text is refused`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let (path, lock) = (folder.path("schedules.sqlite"), try Self.lock(folder))
            let file = try SQLiteScheduleStore(path: path)
            var random = SplitMix64(seed: 3)
            try await file.save([DeviceRecord.random(using: &random)], positions: [])
            try file.close()
            let queue = try DatabaseQueue(path: path)
            func name(_ sql: String) async throws {
                try await queue.write { try $0.execute(sql: "UPDATE device SET name = \(sql)") }
            }
            try await name("'Ren\u{E9}'")
            #expect(try await migrate(.scheduler, to: connection).state == .copied)
            // The same to a reader, and other bytes.
            try await name("'Rene\u{301}'")
            let again = try await migrate(.scheduler, to: connection)
            #expect(again.tables.first { $0.name == "device" }?.written == 1)
            for wrong in ["'a' || char(0) || 'b'", "CAST(x'61ff62' AS TEXT)"] {
                try await name(wrong)
                let refusal = await #expect(throws: EnergyError.self) { try await migrate(.scheduler, to: connection) }
                #expect(refusal?.code == .dataLoss)
                #expect(refusal?.message.hasPrefix("a name in the table device is no text") == true)
            }
            try await name("'Car'")
            try queue.close()
            close(lock)
            #expect(try await migrate(.scheduler, to: connection).state == .finished)
        }
    }

    @Test func `however the folder is written it is the same source`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let place = try TemporaryFolder()
            let state = place.path("event-ingestor")
            try SQLiteEventLogStore(path: "\(state)/events.sqlite").close()
            let lock = open("\(state)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
            for way in [state, "\(state)/", place.url.path, "\(state)/../event-ingestor/."] {
                #expect(try await migrate(.eventIngestor, to: connection, from: way).state == .copied, "\(way)")
            }
            close(lock)
        }
    }

    @Test func `nothing starts on a file that was moved, until somebody says so`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let path = folder.path("insights.sqlite")
            try SQLiteInsightStore(path: path).close()
            #expect(try await migrate(.insightService, to: connection).state == .finished)
            let refusal = #expect(throws: EnergyError.self) { try SQLiteInsightStore(path: path) }
            #expect(
                refusal?.message
                    == "\(path) was moved to PostgreSQL: set store.postgresql, or remove \(path).moved to go on with what the "
                    + "file holds")
            try FileManager.default.removeItem(atPath: "\(path).moved")
            try SQLiteInsightStore(path: path).close()
        }
    }

    @Test func `the files stay as they are`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let path = folder.path("events.sqlite")
            let file = try SQLiteEventLogStore(path: path)
            _ = try await fill(file, records: 30)
            try file.close()
            let before = try Data(contentsOf: URL(filePath: path))
            _ = try await migrate(.eventIngestor, to: connection)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(Set(names) == ["events.sqlite", "events.sqlite.moved", "events.sqlite.source-id", "lock"])
        }
    }
}
