import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// Of several processes one writes: who takes over, when, and what becomes of what the former one writes.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLLeaseTests {
    private static let schema = PostgreSQLSchema(
        "leased", migrations: [["CREATE TABLE note (text TEXT NOT NULL)"], PostgreSQLLease.tables])

    private func with(_ body: ([PostgreSQLDatabase], _ connection: String) async throws -> Void) async throws {
        try await PostgreSQLServer.withDatabase { connection in
            var databases: [PostgreSQLDatabase] = []
            for _ in 0..<2 {
                databases.append(
                    try await PostgreSQLDatabase(connection, schema: Self.schema, timeout: .seconds(60)))
            }
            try await body(databases, connection)
            for database in databases { await database.close() }
        }
    }

    private func write(_ text: String, _ database: PostgreSQLDatabase) async throws {
        try await database.run(.readCommitted) {
            try $0.send("INSERT INTO note (text) VALUES ($1)", [text])
        }
    }

    /// As if it had not been renewed for long.
    private func end(_ connection: String) async throws {
        try await PostgreSQLServer.shared.value.sql(
            "UPDATE leased.lease_holder SET until_unix_ms = 1", in: connection)
    }

    @Test func `one has it until it lets go`() async throws {
        try await with { databases, _ in
            let leases = databases.map { PostgreSQLLease($0, duration: .seconds(3_600)) }
            #expect(try await leases[0].take())
            #expect(try await !leases[1].take())
            #expect(try await leases[0].renew(within: .seconds(60)))
            #expect(try await !leases[1].renew(within: .seconds(60)))
            // Not its own: nothing happens.
            try await leases[1].release()
            #expect(try await !leases[1].take())
            try await leases[0].release()
            #expect(try await leases[1].take())
            #expect(try await !leases[0].renew(within: .seconds(60)))
        }
    }

    @Test func `who is started again has it at once, and what it was before writes no more`() async throws {
        try await with { databases, _ in
            let holder = UUID()
            let leases = databases.map { PostgreSQLLease($0, holder: holder, duration: .seconds(3_600)) }
            #expect(try await leases[0].take())
            #expect(try await leases[1].take())
            try await write("now", databases[1])
            await #expect(throws: EnergyError.self) { try await write("before", databases[0]) }
            #expect(try await !leases[0].renew(within: .seconds(60)))
            try await leases[0].release()
            #expect(try await leases[1].renew(within: .seconds(60)))
        }
    }

    @Test func `of many who want it at once one gets it`() async throws {
        try await with { databases, _ in
            let taken = try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        try await PostgreSQLLease(databases[number % 2], duration: .seconds(3_600)).take()
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(taken.filter(\.self).count == 1)
        }
    }

    @Test func `once it has ended another takes it, and what the former one writes is refused`() async throws {
        try await with { databases, connection in
            let leases = databases.map { PostgreSQLLease($0, duration: .zero) }
            #expect(try await leases[0].take())
            try await write("first", databases[0])
            // Nobody was quicker: still its own.
            #expect(try await leases[0].renew(within: .seconds(60)))
            #expect(try await leases[1].take())
            try await write("second", databases[1])
            for kind in [TransactionKind.readCommitted, .serializable] {
                await #expect(throws: EnergyError.self) {
                    try await databases[0].run(kind) { try $0.execute("INSERT INTO note (text) VALUES ('late')") }
                }
            }
            let notes = try await databases[0].read {
                try $0.query("SELECT text FROM note ORDER BY text").map { try $0["text"] as String }
            }
            #expect(notes == ["first", "second"])
        }
    }

    @Test func `who takes it waits for what the former one is writing`() async throws {
        try await with { databases, connection in
            let leases = databases.map { PostgreSQLLease($0, duration: .zero) }
            #expect(try await leases[0].take())
            let (writing, begins) = AsyncStream<Void>.makeStream()
            let mayCommit = DispatchSemaphore(value: 0)
            let written = Task {
                try await databases[0].run(.readCommitted) { transaction in
                    try transaction.mayStandStill()
                    try transaction.execute("INSERT INTO note (text) VALUES ('in time')")
                    begins.yield()
                    mayCommit.wait()
                }
            }
            var iterator = writing.makeAsyncIterator()
            await iterator.next()
            // Renewals wait for nobody.
            #expect(try await leases[0].renew(within: .seconds(60)))
            let hasty = try await PostgreSQLDatabase(connection, schema: Self.schema, timeout: .seconds(1))
            await #expect(throws: EnergyError.self) { try await PostgreSQLLease(hasty).take() }
            await hasty.close()
            mayCommit.signal()
            try await written.value
            #expect(try await leases[1].take())
            #expect(try await databases[1].read { try $0.count("SELECT count(*) AS count FROM note") } == 1)
        }
    }

    @Test func `a server that was promoted without the last renewal may have lost more, and nobody goes on there`()
        async throws
    {
        try await with { databases, connection in
            let lease = PostgreSQLLease(databases[0], duration: .seconds(3_600))
            #expect(try await lease.take())
            let earlier = try await PostgreSQLServer.shared.value.sql(
                "SELECT until_unix_ms - 1 FROM leased.lease_holder", in: connection)
            #expect(try await lease.renew(within: .seconds(60)))
            try await PostgreSQLServer.shared.value.sql(
                "UPDATE leased.lease_holder SET until_unix_ms = \(earlier)", in: connection)
            #expect(try await !lease.renew(within: .seconds(60)))
            #expect(try await lease.take())
            #expect(try await lease.renew(within: .seconds(60)))
        }
    }

    @Test func `a server that is promoted without what was taken last gives nobody the same term`() async throws {
        try await with { databases, connection in
            let leases = databases.map { PostgreSQLLease($0, duration: .seconds(3_600)) }
            #expect(try await leases[0].take())
            try await PostgreSQLServer.shared.value.sql(
                "UPDATE leased.lease SET term = 0; UPDATE leased.lease_holder SET holder = NULL, until_unix_ms = 0",
                in: connection)
            #expect(try await leases[1].take())
            await #expect(throws: EnergyError.self) { try await write("late", databases[0]) }
            #expect(try await !leases[0].renew(within: .seconds(60)))
        }
    }

    /// Another takes it, and commits only when what `body` does waits for that: where a synchronous standby is away, long after.
    private func whileTaken(
        by database: PostgreSQLDatabase, _ body: @Sendable () async throws -> Void
    ) async throws {
        let (taking, begins) = AsyncStream<Void>.makeStream()
        let taken = Task {
            try await database.run(.readCommitted) { transaction in
                try transaction.execute("SELECT 1 FROM lease_holder FOR UPDATE")
                try transaction.execute("UPDATE lease SET term = term + 1")
                try transaction.execute(
                    "UPDATE lease_holder SET holder = $1, until_unix_ms = 9000000000000", [UUID()])
                begins.yield()
                // Until what the former holder does waits for this.
                while try transaction.count("SELECT count(*) AS count FROM pg_locks WHERE NOT granted") == 0 {}
            }
        }
        var iterator = taking.makeAsyncIterator()
        await iterator.next()
        try await body()
        try await taken.value
    }

    @Test func `a renewal or an end that waited for another's taking it leaves that alone`() async throws {
        try await with { databases, connection in
            let lease = PostgreSQLLease(databases[0], duration: .seconds(3_600))
            #expect(try await lease.take())
            try await whileTaken(by: databases[1]) {
                let isOurs = try await lease.renew(within: .seconds(60))
                #expect(!isOurs)
            }
            try await end(connection)
            #expect(try await lease.take())
            try await whileTaken(by: databases[1]) { try await lease.release() }
            let end = try await PostgreSQLServer.shared.value.sql(
                "SELECT until_unix_ms FROM leased.lease_holder", in: connection)
            #expect(end == "9000000000000")
        }
    }
}
