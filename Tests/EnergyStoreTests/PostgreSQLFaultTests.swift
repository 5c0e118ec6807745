import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// What becomes of transactions when the server, the network or other transactions are in their way.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLFaultTests {
    private static let schema = PostgreSQLSchema(
        "faults", migrations: [["CREATE TABLE counter (id BIGINT PRIMARY KEY, value BIGINT NOT NULL)"]])

    private func open(
        _ connection: String, schema: PostgreSQLSchema = schema, connectionsMax: Int = 4,
        timeout: Duration = .seconds(20)
    ) async throws -> PostgreSQLDatabase {
        try await PostgreSQLDatabase(connection, schema: schema, connectionsMax: connectionsMax, timeout: timeout)
    }

    private func refusal(_ body: () async throws -> Void) async throws -> EnergyError {
        do { try await body() } catch let error as EnergyError { return error }
        throw Unrefused()
    }

    private struct Unrefused: Error {}

    @Test func `a wrong password is refused at once, and not told`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let begun = ContinuousClock.now
        let error = try await refusal {
            _ = try await open(server.connection("postgres", password: "hunter2"), timeout: .seconds(60))
        }
        #expect(error.code == .unavailable)
        #expect(error.message.contains("password authentication failed for user \"gridtide\""))
        #expect(!error.message.contains("hunter2") && !error.message.contains(server.password))
        #expect(begun.duration(to: .now) < .seconds(30))
    }

    @Test func `a connection string that cannot be read is refused without repeating it`() async throws {
        for text in ["postgresql://a:hunter2@host:5432/x?secret=hunter2", "host=a hunter2", "host='hunter2"] {
            let error = try await refusal { _ = try await open(text) }
            #expect(error.code == .invalidInput)
            #expect(!error.message.contains("hunter2"))
        }
    }

    @Test func `a keyword that is nearly one is told`() async throws {
        for text in ["postgresql://a@host/x?sslmod=require", "host=a sslmod=require"] {
            let error = try await refusal { _ = try await open(text) }
            #expect(error.message.contains("did you mean the keyword 'sslmode'?"), "\(error.message)")
        }
    }

    @Test func `a keyword that is none is told, but not repeated, for it may be part of a password`() async throws {
        let error = try await refusal { _ = try await open("postgresql://a:b/c?hunter2=d@host/x") }
        #expect(error.message.contains("a keyword that libpq does not know; it must be postgresql://"))
        #expect(!error.message.contains("hunter2"))
    }

    @Test(arguments: ["sslmode=maybe", "port=99999", "keepalives_idle=soon"])
    func `a value that no server could make right is no server that cannot be reached`(setting: String) async throws {
        let server = try await PostgreSQLServer.shared.value
        let error = try await refusal {
            _ = try await open("host=127.0.0.1 port=\(server.port) \(setting)", timeout: .seconds(60))
        }
        #expect(error.code == .invalidInput)
        #expect(error.message.contains("cannot be used: ") && error.message.contains(setting.split(separator: "=")[1]))
    }

    @Test(arguments: ["hunter2/etc", "etc@hunter2"])
    func `a password that ends the rest of the string is not told`(password: String) async throws {
        let error = try await refusal { _ = try await open("postgresql://a:\(password)@localhost/x") }
        #expect(error.code == .invalidInput && error.message.contains("%2F"))
        #expect(!error.message.contains("hunter2"))
    }

    @Test func `a server that is away is named, when the time is over`() async throws {
        let port = Ports.next()
        let error = try await refusal {
            _ = try await open("host=127.0.0.1 port=\(port) user=gridtide dbname=x", timeout: .milliseconds(500))
        }
        #expect(error.code == .unavailable)
        #expect(error.message.contains("127.0.0.1") && error.message.contains("\(port)"), "\(error.message)")
    }

    @Test func `a server that takes connections and says nothing is told to be away`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let (news, tell) = AsyncStream<PostgreSQLNews>.makeStream()
        let database = try await PostgreSQLDatabase(
            server.database(), schema: Self.schema, timeout: .seconds(20), tell: { tell.yield($0) })
        await #expect(throws: EnergyError.self) {
            try await database.runForLease(timeout: .milliseconds(200)) { _ = try $0.query("SELECT pg_sleep(60)") }
        }
        var iterator = news.makeAsyncIterator()
        #expect(await iterator.next()?.reason != nil)
        await database.lookForServer()
        #expect(await iterator.next() == .back)
        await database.close()
    }

    @Test func `of several hosts a dead one is passed over`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let name = try #require(try await server.database().split(separator: "/").last)
        let hosts = "127.0.0.1:\(Ports.next()),127.0.0.1:\(server.port)"
        let database = try await open(server.connection(String(name), hosts: hosts))
        #expect(try await database.read { try $0.query("SELECT 1").count } == 1)
        await database.close()
    }

    @Test func `what is for a request is tried for as long as whoever asked waits`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let patient = try await open(connection, timeout: .seconds(100))
        try await patient.write { try $0.send("INSERT INTO counter VALUES (1, 0)") }
        let hasty = try await open(connection)
        let (holding, holds) = AsyncStream<Void>.makeStream()
        let mayCommit = DispatchSemaphore(value: 0)
        let holder = Task {
            try await patient.write { transaction in
                try transaction.mayStandStill()
                try transaction.execute("UPDATE counter SET value = 1 WHERE id = 1")
                holds.yield()
                mayCommit.wait()
            }
        }
        for await _ in holding { break }
        @Sendable func add() async throws(EnergyError) {
            _ = try await hasty.run(.readCommitted) {
                try $0.execute("UPDATE counter SET value = value + 1 WHERE id = 1")
            }
        }
        let asked = Task {
            try await RequestDeadline.with(.now.advanced(by: .seconds(300))) { () async throws(EnergyError) in
                try await add()
            }
        }
        // Nobody waits for this one.
        #expect(try await refusal { try await add() }.code == .unavailable)
        // A task that a request began may go on after the request's end.
        let late = Task {
            try await RequestDeadline.with(.now) { () async throws(EnergyError) in
                try await patient.read { try $0.count("SELECT count(*) AS count FROM counter") }
            }
        }
        #expect(try await late.value == 1)
        mayCommit.signal()
        try await holder.value
        try await asked.value
        #expect(try await patient.read { try $0.query("SELECT value FROM counter").first?["value"] as Int? } == 2)
        for database in [patient, hasty] { await database.close() }
    }

    @Test func `who needs much time has it, and more where others have or a request waits longer`() async throws {
        let database = try await open(PostgreSQLServer.shared.value.database(), timeout: .seconds(60))
        #expect(database.timeout(atLeast: .seconds(30)) == .seconds(60))
        #expect(database.timeout(atLeast: .seconds(90)) == .seconds(90))
        let longer = try await RequestDeadline.with(.now.advanced(by: .seconds(3_600))) {
            () async throws(EnergyError) in database.timeout(atLeast: .seconds(30))
        }
        #expect(longer > .seconds(1_800))
        await database.close()
    }

    @Test func `a connection that is killed within a transaction costs nothing but another attempt`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let database = try await open(connection)
        let kills = Box(1)
        let other = try await open(connection)
        let (asked, ask) = AsyncStream<Int>.makeStream()
        let (killed, kill) = (DispatchSemaphore(value: 0), Box(false))
        let killer = Task {
            for await process in asked {
                _ = try await other.read { try $0.query("SELECT pg_terminate_backend($1, 10000)", [process]).count }
                kill.set(true)
                killed.signal()
            }
        }
        try await database.write { transaction in
            try transaction.execute("INSERT INTO counter VALUES (1, 1)")
            guard kills.value > 0 else { return }
            kills.set(0)
            let process: Int? = try transaction.query("SELECT pg_backend_pid() AS process").first?["process"]
            ask.yield(try #require(process))
            killed.wait()
            // Nobody is there any more.
            try transaction.execute("INSERT INTO counter VALUES (2, 2)")
        }
        ask.finish()
        try await killer.value
        #expect(kill.value)
        // The second attempt ran without being killed.
        #expect(try await server.sql("SELECT * FROM faults.counter", in: connection) == "1|1")
        await database.close()
        await other.close()
    }

    @Test func `a transaction that stood still for too long frees its locks, and is run again`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let database = try await open(connection)
        try await database.write { try $0.send("INSERT INTO counter VALUES (1, 0)") }
        let other = try await open(connection)
        let attempts = Box(0)
        let (standing, stands) = AsyncStream<Void>.makeStream()
        let mayGoOn = DispatchSemaphore(value: 0)
        let slow = Task {
            try await database.write { transaction in
                attempts.update { $0 += 1 }
                try transaction.execute("UPDATE counter SET value = value + 1 WHERE id = 1")
                guard attempts.value == 1 else { return }
                try transaction.mayStandStill(milliseconds: 1)
                stands.yield()
                mayGoOn.wait()
            }
        }
        for await _ in standing { break }
        // It waits for the row, until the server gives up on who stands still.
        try await other.write { try $0.send("UPDATE counter SET value = 10 WHERE id = 1") }
        mayGoOn.signal()
        try await slow.value
        #expect(attempts.value == 2)
        #expect(try await server.sql("SELECT value FROM faults.counter", in: connection) == "11")
        for database in [database, other] { await database.close() }
    }

    @Test(arguments: [TransactionKind.serializable])
    func `counting up together loses nothing`(kind: TransactionKind) async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let database = try await open(connection, timeout: .seconds(60))
        try await database.write { try $0.send("INSERT INTO counter VALUES (1, 0)") }
        let attempts = Box(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        try await database.run(kind) { transaction in
                            attempts.update { $0 += 1 }
                            let row = try transaction.query("SELECT value FROM counter WHERE id = 1").first
                            let value: Int = try row?["value"] ?? -1
                            try transaction.execute("UPDATE counter SET value = $1 WHERE id = 1", [value + 1])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await database.read { try $0.query("SELECT value FROM counter").map { try $0["value"] as Int } }
        #expect(rows == [100])
        // Else nothing was in each other's way, and the test says nothing.
        #expect(attempts.value > 100)
        await database.close()
    }

    @Test func `a transaction that fails leaves nothing, and its connection as it was`() async throws {
        let database = try await open(try await PostgreSQLServer.shared.value.database(), connectionsMax: 1)
        let twice = try await refusal {
            try await database.write { transaction in
                try transaction.send("INSERT INTO counter VALUES (1, 1)")
                try transaction.send("INSERT INTO counter VALUES (1, 2)")
                try transaction.send("INSERT INTO counter VALUES (2, 2)")
            }
        }
        #expect(twice == EnergyError(.conflict, "PostgreSQL refused contradicting data"))
        let swallowed = try await refusal {
            try await database.write { transaction in
                _ = try? transaction.query("SELECT * FROM no_such_table")
                _ = try? transaction.query("INSERT INTO counter VALUES (3, 3)")
            }
        }
        #expect(swallowed.message.contains("undid the transaction"))
        let wrong = try await refusal {
            try await database.write { try $0.send("INSERT INTO counter VALUES ($1, 1)", ["no number"]) }
        }
        #expect(wrong.code == .invalidInput)
        #expect(try await database.read { try $0.query("SELECT * FROM counter").count } == 0)
        await database.close()
    }

    @Test func `who finds all connections in use waits until its time is over, and no longer`() async throws {
        let database = try await open(try await PostgreSQLServer.shared.value.database(), connectionsMax: 1)
        let (held, release) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let holder = Task {
            try await database.read { transaction in
                try transaction.mayStandStill()
                held.continuation.yield()
                release.wait()
            }
        }
        for await _ in held.stream { break }
        let late = try await refusal { try await database.run(.reading, timeout: .milliseconds(50)) { _ in } }
        #expect(late.message.contains("all 1 connections were in use"))
        let cancelled = Task { try await database.read { _ in } }
        cancelled.cancel()
        let error = try await refusal { try await cancelled.value }
        #expect(error.message.contains("cancelled"))
        let patient = Task { try await database.read { try $0.query("SELECT 1").count } }
        release.signal()
        #expect(try await patient.value == 1)
        try await holder.value
        await database.close()
    }

    @Test func `a statement that takes too long ends with the request`() async throws {
        let database = try await open(try await PostgreSQLServer.shared.value.database())
        let error = try await refusal {
            try await database.run(.reading, timeout: .milliseconds(200)) { _ = try $0.query("SELECT pg_sleep(60)") }
        }
        #expect(error.message.contains("did not answer in time"))
        #expect(try await database.read { try $0.query("SELECT 1").count } == 1)
        await database.close()
    }

    /// What it is for needs a network to be cut: `Tests/hosts.py`.
    @Test func `the server looks every few seconds whether who holds locks is still there`() async throws {
        let database = try await open(try await PostgreSQLServer.shared.value.database())
        for (name, value) in [
            ("tcp_keepalives_idle", "4"), ("tcp_keepalives_interval", "2"), ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "10000"),
        ] {
            let set = try await database.read {
                try $0.query("SELECT setting FROM pg_settings WHERE name = $1", [name]).first?["setting"] as String?
            }
            #expect(set == value, "\(name)")
        }
        await database.close()
    }

    @Test func `replicas that start at once make the schema once`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let first = Self.schema.migrations
        let longer = PostgreSQLSchema(
            "faults", migrations: first + (2...9).map { ["ALTER TABLE counter ADD COLUMN c\($0) BIGINT"] })
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 { group.addTask { await (try open(connection, schema: longer)).close() } }
            try await group.waitForAll()
        }
        let versions = try await PostgreSQLServer.shared.value.sql(
            "SELECT count(*), max(version) FROM faults.schema_version", in: connection)
        #expect(versions == "9|9")
        let older = try await refusal { _ = try await open(connection) }
        #expect(older.message.contains("newer version"))
    }

    @Test func `a migration that fails leaves the schema as it was`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let broken = PostgreSQLSchema(
            "faults",
            migrations: Self.schema.migrations + [["CREATE TABLE other (id BIGINT)", "CREATE TABLE counter ()"]])
        _ = try await refusal { _ = try await open(connection, schema: broken) }
        let left = try await PostgreSQLServer.shared.value.sql(
            "SELECT max(version), to_regclass('faults.other') IS NULL FROM faults.schema_version", in: connection)
        #expect(left == "1|t")
        await (try open(connection)).close()
    }
}
