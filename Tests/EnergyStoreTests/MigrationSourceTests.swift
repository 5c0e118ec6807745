import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import PostgreSQLStore
import SQLiteStore
import StoreMigration
import Testing

/// A schema has the rows of one file of one host, and a file is moved only if it holds what was moved.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct MigrationSourceTests: StoreMigrating {
    let folder: TemporaryFolder
    private var path: String { folder.path("events.sqlite") }
    private var isMoved: Bool { FileManager.default.fileExists(atPath: "\(path).moved") }

    init() throws { folder = try TemporaryFolder() }

    private func fillFile(records: Int) async throws {
        let file = try SQLiteEventLogStore(path: path)
        _ = try await fill(file, records: records)
        try file.close()
    }

    /// Such as another host has: of the same path, with nothing of the first one.
    private func beginAnew(records: Int) async throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        try await fillFile(records: records)
    }

    private func removeMark() throws { try FileManager.default.removeItem(atPath: "\(path).moved") }

    /// - Parameter isFinished: if not, as while the service runs.
    private func moveFirst(_ isFinished: Bool, to connection: String) async throws {
        let lock: Int32? = try isFinished ? nil : Self.lock(folder)
        let expected: MigrationReport.State = isFinished ? .finished : .copied
        #expect(try await migrate(.eventIngestor, to: connection).state == expected)
        if let lock { close(lock) }
    }

    private func refused(on host: SourceHost = .current, _ connection: String) async -> EnergyError? {
        await #expect(throws: EnergyError.self) {
            _ = try await SQLiteToPostgreSQL(host: host).migrate(
                .eventIngestor, state: folder.url.path, connection: connection, now: Self.now
            ) { _ in }
        }
    }

    private func records(_ connection: String) async throws -> String {
        try await PostgreSQLServer.shared.value.sql("SELECT count(*) FROM event_ingestor.log_record", in: connection)
    }

    /// Leaves the mark as the version before made it.
    private func forgetSource(_ connection: String) async throws {
        try await PostgreSQLServer.shared.value.sql(
            """
            ALTER TABLE event_ingestor.store_migration
            DROP COLUMN source_id, DROP COLUMN source_host, DROP COLUMN content
            """, in: connection)
    }

    @Test(arguments: [false, true])
    func `another file of the same path is refused, takes nothing away and is not marked`(isFinished: Bool)
        async throws
    {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 30)
            try await moveFirst(isFinished, to: connection)
            try await beginAnew(records: 3)
            let refusal = await refused(connection)
            #expect(refusal?.code == .conflict)
            let state = isFinished ? "was filled from \(path) at \(Self.now)" : "is being filled from \(path)"
            let told = "the schema event_ingestor \(state), not from the file that is there now"
            #expect(refusal?.message.hasPrefix(told) == true, "\(String(describing: refusal?.message))")
            #expect(try await records(connection) == "30")
            #expect(!isMoved)
        }
    }

    @Test(arguments: [false, true])
    func `a state directory that was copied to another host is another source`(isFinished: Bool) async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 3)
            try await moveFirst(isFinished, to: connection)
            if isFinished { try removeMark() }
            let refusal = await refused(on: SourceHost(name: "other", machineID: "2"), connection)
            #expect(refusal?.code == .conflict)
            #expect(
                refusal?.message.contains(", not from \(path) on other") == true,
                "\(String(describing: refusal?.message))")
            #expect(!isMoved)
        }
    }

    @Test func `a migration that ends before the schema is finished leaves nothing to start on`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 5)
            let server = try await PostgreSQLServer.shared.value
            // From here on it may do nothing any more, as if it had been killed.
            let ended = Box(false)
            await #expect(throws: EnergyError.self) {
                _ = try await OwnThread.run {
                    try await migrate(.eventIngestor, to: connection) { progress in
                        guard progress.done == progress.total, !ended.value else { return }
                        ended.update { $0 = true }
                        OwnThread.hold {
                            try await server.sql(
                                "UPDATE event_ingestor.store_migration SET run = gen_random_uuid()", in: connection)
                        }
                    }
                }
            }
            #expect(ended.value)
            let here = #expect(throws: EnergyError.self) { try SQLiteEventLogStore(path: path) }
            #expect(here?.message.contains("was moved to PostgreSQL") == true)
            let there = await #expect(throws: EnergyError.self) { _ = try await PostgreSQLEventLogStore(connection) }
            #expect(there?.message.contains("is being filled from \(path)") == true)
            #expect(try await migrate(.eventIngestor, to: connection).state == .finished)
            await (try PostgreSQLEventLogStore(connection)).close()
            #expect(try await records(connection) == "5")
        }
    }

    @Test func `a file that was written to since it was moved does not pass for moved`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 5)
            try await moveFirst(true, to: connection)
            try removeMark()
            try await fillFile(records: 1)
            let refusal = await refused(connection)
            #expect(refusal?.code == .conflict)
            #expect(
                refusal?.message.hasPrefix("\(path) was written to since it was moved into the schema event_ingestor")
                    == true, "\(String(describing: refusal?.message))")
            #expect(try await records(connection) == "5")
            #expect(!isMoved)
        }
    }

    @Test func `a file that holds what it held is marked again, whatever the service has stored since`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 5)
            try await moveFirst(true, to: connection)
            try removeMark()
            let database = try await PostgreSQLEventLogStore(connection, timeout: .seconds(60))
            try await database.remember(venue: EventSamples.id(99), exists: true)
            await database.close()
            #expect(try await migrate(.eventIngestor, to: connection).state == .finishedBefore(Self.now))
            #expect(isMoved)
        }
    }

    @Test(arguments: StoredService.allCases)
    func `every service's file is known again`(service: StoredService) async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try makeFiles()
            #expect(try await migrate(service, to: connection).state == .finished)
            #expect(try await migrate(service, to: connection).state == .finishedBefore(Self.now))
        }
    }

    @Test func `what an earlier version has begun goes on, and is this file's from then on`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 5)
            try await moveFirst(false, to: connection)
            try await forgetSource(connection)
            try await moveFirst(false, to: connection)
            let refusal = await refused(on: SourceHost(name: "other", machineID: "2"), connection)
            #expect(refusal?.code == .conflict)
            #expect(try await migrate(.eventIngestor, to: connection).state == .finished)
        }
    }

    @Test func `what an earlier version has finished is used by the service, and marks no file`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try await fillFile(records: 5)
            try await moveFirst(true, to: connection)
            try await forgetSource(connection)
            try removeMark()
            await (try PostgreSQLEventLogStore(connection)).close()
            let refusal = await refused(connection)
            #expect(refusal?.code == .conflict)
            #expect(
                refusal?.message.contains("by an earlier version of this program") == true,
                "\(String(describing: refusal?.message))")
            #expect(!isMoved)
        }
    }
}
