import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// Of several processes each writes some partitions: whose they are, when others have them, and what becomes of what a former holder
/// writes.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLPartitionLeasesTests {
    private static let schema = PostgreSQLSchema(
        "divided",
        migrations: [
            ["CREATE TABLE note (text TEXT NOT NULL)"], PostgreSQLLease.tables, PostgreSQLPartitionLeases.tables,
        ])

    private struct Replica {
        let database: PostgreSQLDatabase
        let leases: PostgreSQLPartitionLeases

        init(_ connection: String, holder: UUID = UUID()) async throws {
            database = try await PostgreSQLDatabase(connection, schema: schema, timeout: .seconds(60))
            leases = PostgreSQLPartitionLeases(database, holder: holder, duration: .seconds(3_600))
        }

        func attend() async throws -> PartitionShares { try await leases.attend(within: .seconds(60)) }

        /// Under the lease that it has now.
        func lease(of partition: Int) throws -> WriteLease {
            .taken(try #require(database.fence(of: .partition(partition))))
        }

        func write(_ text: String, in partition: Int, under lease: WriteLease? = nil) async throws {
            try await database.run(.readCommitted, under: lease ?? self.lease(of: partition)) {
                try $0.send("INSERT INTO note (text) VALUES ($1)", [text])
            }
        }
    }

    private func with(_ body: (_ first: Replica, _ second: Replica, _ connection: String) async throws -> Void)
        async throws
    {
        try await PostgreSQLServer.withDatabase { connection in
            let replicas = (try await Replica(connection), try await Replica(connection))
            try await body(replicas.0, replicas.1, connection)
            await replicas.0.database.close()
            await replicas.1.database.close()
        }
    }

    /// As if nobody had attended for long.
    private func end(_ connection: String) async throws {
        try await PostgreSQLServer.shared.value.sql("UPDATE divided.replica SET until_unix_ms = 1", in: connection)
    }

    @Test func `who attends knows its share, what it has, and what nobody has`() async throws {
        try await with { first, second, connection in
            #expect(try await first.attend() == PartitionShares(count: 1, rank: 0, free: LogPartition.all))
            #expect(try await first.leases.take(5))
            let others = LogPartition.all.subtracting([5])
            #expect(try await first.attend() == PartitionShares(count: 1, rank: 0, own: [5], free: others))
            #expect(try await second.attend() == PartitionShares(count: 2, rank: 0, free: others))
            try await end(connection)
            #expect(try await second.attend() == PartitionShares(count: 1, rank: 0, free: LogPartition.all))
            try await second.leases.leave()
            #expect(try await first.attend() == PartitionShares(count: 1, rank: 0, own: [5], free: others))
            try await first.leases.release(5)
            #expect(try await second.attend() == PartitionShares(count: 2, rank: 0, free: LogPartition.all))
            #expect(try await first.leases.take(6))
            try await first.leases.leave()
            #expect(try await second.attend() == PartitionShares(count: 1, rank: 0, free: LogPartition.all))
        }
    }

    @Test func `all know the same order, by which one has more than another`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            var replicas: [Replica] = []
            for _ in 0..<3 { replicas.append(try await Replica(connection)) }
            for replica in replicas { _ = try await replica.attend() }
            var shares: [Int] = []
            for replica in replicas { shares.append(try await replica.attend().share) }
            #expect(shares.sorted() == [5, 5, 6])
            for replica in replicas { await replica.database.close() }
        }
    }

    @Test func `each partition is one's, who alone writes it`() async throws {
        try await with { first, second, _ in
            for replica in [first, second] { _ = try await replica.attend() }
            #expect(try await first.leases.take(3))
            #expect(try await !second.leases.take(3))
            #expect(try await second.leases.take(4))
            try await first.write("3", in: 3)
            try await second.write("4", in: 4)
            await #expect(throws: EnergyError.self) { try await first.write("another's", in: 4) }
            await #expect(throws: EnergyError.self) { try await second.write("another's", in: 3) }
            // Not its own: nothing happens.
            try await second.leases.release(3)
            #expect(try await !second.leases.take(3))
            try await first.leases.release(3)
            await #expect(throws: EnergyError.self) { try await first.write("given back", in: 3) }
            #expect(try await second.leases.take(3))
            try await second.write("3", in: 3)
        }
    }

    @Test func `of many who want one at once one gets it`() async throws {
        try await with { first, second, _ in
            for replica in [first, second] { _ = try await replica.attend() }
            let taken = try await withThrowingTaskGroup { group in
                for partition in 0..<8 {
                    for replica in [first, second] {
                        group.addTask { (partition, try await replica.leases.take(partition)) }
                    }
                }
                return try await group.reduce(into: [Int]()) { if $1.1 { $0.append($1.0) } }
            }
            #expect(taken.sorted() == Array(0..<8))
        }
    }

    @Test func `what somebody has who is gone another takes, and what that one writes then is refused`() async throws {
        try await with { first, second, connection in
            for replica in [first, second] { _ = try await replica.attend() }
            #expect(try await first.leases.take(3))
            try await end(connection)
            // Nobody was quicker: still its own.
            #expect(try await first.attend().own == [3])
            try await end(connection)
            #expect(try await second.leases.take(3))
            try await second.write("second", in: 3)
            await #expect(throws: EnergyError.self) { try await first.write("late", in: 3) }
            #expect(try await first.attend().own == [])
        }
    }

    @Test func `who is started again gives back what it had before and does not take`() async throws {
        try await with { first, second, connection in
            for replica in [first, second] { _ = try await replica.attend() }
            for partition in LogPartition.all { #expect(try await first.leases.take(partition)) }
            let again = try await Replica(connection, holder: first.leases.holder)
            #expect(try await again.attend().own == LogPartition.all)
            #expect(try await second.attend().free == [])
            for partition in 0..<8 { try await again.leases.release(partition) }
            for partition in 8..<16 { #expect(try await again.leases.take(partition)) }
            #expect(try await second.attend().free == Set(0..<8))
            // What it was before writes nothing more.
            await #expect(throws: EnergyError.self) { try await first.write("late", in: 9) }
            await again.database.close()
        }
    }

    @Test func `what was begun before a partition was given back is not written once another had it`() async throws {
        try await with { first, second, _ in
            for replica in [first, second] { _ = try await replica.attend() }
            #expect(try await first.leases.take(3))
            let before = try first.lease(of: 3)
            try await first.leases.release(3)
            #expect(try await second.leases.take(3))
            try await second.write("second", in: 3)
            try await second.leases.release(3)
            #expect(try await first.leases.take(3))
            await #expect(throws: EnergyError.self) { try await first.write("late", in: 3, under: before) }
            try await first.write("again", in: 3)
        }
    }

    @Test func `a server that is promoted without what was taken last gives nobody the same term`() async throws {
        try await with { first, second, connection in
            for replica in [first, second] { _ = try await replica.attend() }
            #expect(try await first.leases.take(3))
            try await PostgreSQLServer.shared.value.sql(
                "UPDATE divided.partition_lease SET term = 0, holder = NULL WHERE partition = 3", in: connection)
            #expect(try await second.leases.take(3))
            await #expect(throws: EnergyError.self) { try await first.write("late", in: 3) }
            #expect(try await first.attend().own == [])
        }
    }

    @Test func `who takes one waits for what the former one is writing there, and for nothing else`() async throws {
        try await with { first, second, connection in
            for replica in [first, second] { _ = try await replica.attend() }
            for partition in [3, 4] { #expect(try await first.leases.take(partition)) }
            let (writing, begins) = AsyncStream<Void>.makeStream()
            let mayCommit = DispatchSemaphore(value: 0)
            let written = Task {
                try await first.database.run(.readCommitted, under: first.lease(of: 3)) { transaction in
                    try transaction.mayStandStill()
                    try transaction.execute("INSERT INTO note (text) VALUES ('in time')")
                    begins.yield()
                    mayCommit.wait()
                }
            }
            for await _ in writing { break }
            try await end(connection)
            #expect(try await second.leases.take(4))
            let taking = Task { try await second.leases.take(3) }
            // It waits for the row; whoever attends does not, be it that process itself.
            let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            while try await PostgreSQLServer.shared.value.sql(waits, in: connection) == "0" {}
            #expect(try await first.attend().own == [3])
            #expect(try await second.attend().own == [4])
            mayCommit.signal()
            try await written.value
            // It attended meanwhile.
            #expect(try await !taking.value)
        }
    }

    @Test func `of two with the same name one has it, and one that is started again need not wait`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let holder = UUID()
            let first = try await Replica(connection, holder: holder)
            _ = try await first.attend()
            #expect(try await first.leases.take(9))
            let again = try await Replica(connection, holder: holder)
            let others = LogPartition.all.subtracting([9])
            #expect(try await again.attend() == PartitionShares(count: 1, rank: 0, own: [9], free: others))
            #expect(try await again.leases.take(9))
            #expect(try await first.attend().own == [])
            await #expect(throws: EnergyError.self) { try await first.write("before", in: 9) }
            try await again.write("now", in: 9)
            for replica in [first, again] { await replica.database.close() }
        }
    }

    @Test func `what a process of the version before still writes is refused`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let before = PostgreSQLSchema("divided", migrations: Array(Self.schema.migrations.prefix(2)))
            let old = try await PostgreSQLDatabase(connection, schema: before, timeout: .seconds(60))
            let lease = PostgreSQLLease(old)
            #expect(try await lease.take())
            let new = try await Replica(connection)
            await #expect(throws: EnergyError.self) {
                try await old.run(.readCommitted) { try $0.send("INSERT INTO note (text) VALUES ('old')") }
            }
            await #expect(throws: EnergyError.self) { try await lease.renew(within: .seconds(60)) }
            _ = try await new.attend()
            #expect(try await new.leases.take(15))
            await old.close()
            await new.database.close()
        }
    }
}
