import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import PostgreSQLStore

/// What becomes of transactions when the server that they are sent to is lost.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLFailoverTests {
    private static let schema = PostgreSQLSchema(
        "failover", migrations: [["CREATE TABLE counter (id BIGINT PRIMARY KEY, value BIGINT NOT NULL)"]])
    /// What the server answers a commit with: CommandComplete, its length, its tag.
    private static let committed = Data([UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT\0".utf8))

    private func withLostAnswer(
        _ body: (PostgreSQLDatabase, CuttingProxy) async throws -> Void
    ) async throws -> String {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let name = try #require(connection.split(separator: "/").last)
        let proxy = try CuttingProxy(to: server.port, cutsAt: Self.committed)
        let database = try await PostgreSQLDatabase(
            server.connection(String(name), hosts: "127.0.0.1:\(proxy.port)") + "?sslmode=disable", schema: Self.schema,
            timeout: .seconds(60))
        try await database.write { try $0.send("INSERT INTO counter VALUES (1, 0)") }
        proxy.arm()
        try await body(database, proxy)
        #expect(proxy.cuts == 1)
        await database.close()
        return try await server.sql("SELECT value FROM failover.counter", in: connection)
    }

    @Test func `a commit whose answer is lost is run again`() async throws {
        let value = try await withLostAnswer { database, _ in
            try await database.write { try $0.send("UPDATE counter SET value = value + 1 WHERE id = 1") }
        }
        // Twice: this statement is not one that may be repeated, which the next test says.
        #expect(value == "2")
    }

    @Test func `a commit whose answer is lost is not run again where that would be wrong`() async throws {
        let value = try await withLostAnswer { database, _ in
            let error = await #expect(throws: EnergyError.self) {
                try await database.run(.serializable, mayRepeat: false) {
                    try $0.send("UPDATE counter SET value = value + 1 WHERE id = 1")
                }
            }
            #expect(error == EnergyError(.unavailable, "PostgreSQL cannot be reached", retryAfterMilliseconds: 1_000))
        }
        #expect(value == "1")
    }

    @Test(.timeLimit(.minutes(10)))
    func `who starts while no server is there that will do waits for one, if it is to`() async throws {
        // The standby has the database as soon as the primary says so.
        let primary = try await PostgreSQLServer(settings: [
            "synchronous_standby_names": "*", "synchronous_commit": "remote_apply",
        ])
        let standby = try await PostgreSQLServer(standbyOf: primary)
        let name = try #require(try await primary.database().split(separator: "/").last)
        let connection = standby.connection(String(name), hosts: "127.0.0.1:\(standby.port)")
        await #expect(throws: EnergyError.self) {
            try await PostgreSQLDatabase(connection, schema: Self.schema, timeout: .seconds(1))
        }
        let (isAway, away) = AsyncStream<Void>.makeStream()
        let starting = Task {
            try await PostgreSQLDatabase(connection, schema: Self.schema, timeout: .seconds(1), waitsForServer: true) {
                if $0 != .back { away.yield() }
            }
        }
        for await _ in isAway { break }
        // One that waits ends when it is told to.
        let given = Task {
            try await PostgreSQLDatabase(connection, schema: Self.schema, timeout: .seconds(1), waitsForServer: true)
        }
        given.cancel()
        await #expect(throws: EnergyError.self) { try await given.value }
        try await standby.sql("SELECT pg_promote()", in: standby.connection("postgres"))
        await (try starting.value).close()
        try await primary.stop()
        try await standby.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `what is written while the primary dies is written to the standby that takes its place`() async throws {
        let primary = try await PostgreSQLServer(settings: ["synchronous_standby_names": "*"])
        let standby = try await PostgreSQLServer(standbyOf: primary)
        let name = try #require(try await primary.database().split(separator: "/").last)
        let news = Box<[PostgreSQLNews]>([])
        let (isAway, away) = AsyncStream<Void>.makeStream()
        let database = try await PostgreSQLDatabase(
            primary.connection(String(name), hosts: "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)"),
            schema: Self.schema, timeout: .seconds(100)
        ) { item in
            news.update { $0.append(item) }
            away.yield()
        }
        try await database.write { try $0.send("INSERT INTO counter VALUES (1, 1)") }
        try await primary.stop()
        let writing = Task { try await database.write { try $0.send("INSERT INTO counter VALUES (2, 2)") } }
        for await _ in isAway { break }
        try await standby.sql("SELECT pg_promote()", in: standby.connection("postgres"))
        try await writing.value
        let rows = try await standby.sql("SELECT id FROM failover.counter", in: standby.connection(String(name)))
        #expect(rows == "1\n2")
        #expect(news.value.count == 2 && news.value.last == .back)
        await database.close()
        try await standby.stop()
    }
}
