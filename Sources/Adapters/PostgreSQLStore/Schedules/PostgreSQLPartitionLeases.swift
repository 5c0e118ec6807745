internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import SQLColumns

/// ``PartitionLeases`` on the schema of one service.
///
/// A partition's row says who has it, and how often it was taken: each transaction that writes the partition holds it shared, as of
/// ``PostgreSQLLease``. Until when somebody has what it has its own row in `replica` says: so one statement renews all.
final class PostgreSQLPartitionLeases: PartitionLeases {
    /// In place of those of ``PostgreSQLLease``: what a process of the version before still writes is refused.
    static let tables =
        [
            "DROP TABLE lease", "DROP TABLE lease_holder",
            "CREATE TABLE partition_lease (partition BIGINT PRIMARY KEY, term BIGINT NOT NULL, holder UUID)",
            "CREATE TABLE replica (id UUID PRIMARY KEY, until_unix_ms BIGINT NOT NULL)",
        ] + (0..<LogPartition.count).map { "INSERT INTO partition_lease (partition, term) VALUES (\($0), 0)" }

    let duration: Duration
    private let database: PostgreSQLDatabase
    let holder: UUID

    /// - Parameters: as of ``PostgreSQLLease``.
    init(_ database: PostgreSQLDatabase, holder: UUID = UUID(), duration: Duration = .seconds(4)) {
        (self.database, self.holder, self.duration) = (database, holder, duration)
        for partition in LogPartition.all { database.setTerm(PostgreSQLLease.noTerm, of: .partition(partition)) }
    }

    func attend(within timeout: Duration) async throws(EnergyError) -> PartitionShares {
        let (holder, milliseconds) = (holder, duration.components.seconds * 1_000)
        let terms = LogPartition.all.sorted().map { database.term(of: .partition($0)) }
        return try await database.runForLease(timeout: timeout) { transaction in
            // As a renewal of ``PostgreSQLLease``, it does not wait for a synchronous standby.
            try transaction.send("SELECT set_config('synchronous_commit', 'off', true)")
            try transaction.send(
                """
                INSERT INTO replica (id, until_unix_ms) VALUES ($1, \(PostgreSQLLease.now) + $2)
                ON CONFLICT (id) DO UPDATE SET until_unix_ms = excluded.until_unix_ms
                """, [holder, milliseconds])
            try transaction.send("SELECT id FROM replica WHERE until_unix_ms > \(PostgreSQLLease.now)")
            // After the row was renewed: who takes one of ours holds that row meanwhile.
            try transaction.send("SELECT partition, term, holder FROM partition_lease")
            let answers = try transaction.answers()
            let there = try answers[2].map { try $0["id"] as UUID }
            let rank = there.count { $0.uuidString < holder.uuidString }
            var shares = PartitionShares(count: there.count, rank: rank)
            for row in answers[3] {
                let (partition, last): (Int, UUID?) = (try row["partition"], try row["holder"])
                guard LogPartition.all.contains(partition) else { continue }
                let mayBeIts = try terms[partition] == row["term"] || terms[partition] == PostgreSQLLease.noTerm
                if last == holder, mayBeIts {
                    shares.own.insert(partition)
                } else if last.map({ $0 == holder || !there.contains($0) }) ?? true {
                    shares.free.insert(partition)
                }
            }
            return shares
        }
    }

    func take(_ partition: Int) async throws(EnergyError) -> Bool {
        let holder = holder
        // Beside the connection on which it attends: this may wait for what its former holder is writing.
        let term: Int64? = try await database.run(.readCommitted, under: nil) { transaction in
            let row = try transaction.query(
                "SELECT holder FROM partition_lease WHERE partition = $1 FOR UPDATE", [partition]
            ).first
            guard let row else { throw EnergyError.damaged("partition_lease") }
            if let last: UUID = try row["holder"], last != holder {
                let present = try transaction.query(
                    "SELECT until_unix_ms FROM replica WHERE id = $1 FOR UPDATE", [last]
                ).first
                // Asked when the row is ours: it may have taken a while.
                let now: Int64 = try transaction.query("SELECT \(PostgreSQLLease.now) AS now").first?["now"] ?? 0
                guard try present.map({ try $0["until_unix_ms"] <= now }) ?? true else { return nil }
            }
            return try transaction.query(
                """
                UPDATE partition_lease SET term = \(PostgreSQLLease.nextTerm), holder = $2
                WHERE partition = $1 RETURNING term
                """,
                [partition, holder]
            ).first?["term"]
        }
        guard let term else { return false }
        database.setTerm(term, of: .partition(partition))
        return true
    }

    func release(_ partition: Int) async throws(EnergyError) {
        let (holder, term) = (holder, database.term(of: .partition(partition)) ?? PostgreSQLLease.noTerm)
        try await database.run(.readCommitted, under: nil) { transaction in
            try transaction.send(
                """
                UPDATE partition_lease SET holder = NULL
                WHERE partition = $1 AND holder = $2 AND (term = $3 OR $3 = \(PostgreSQLLease.noTerm))
                """, [partition, holder, term])
        }
        database.setTerm(PostgreSQLLease.noTerm, of: .partition(partition))
    }

    func leave() async throws(EnergyError) {
        let holder = holder
        try await database.run(.readCommitted, under: nil) { transaction in
            try transaction.send("UPDATE partition_lease SET holder = NULL WHERE holder = $1", [holder])
            // With those that did not come to say so.
            try transaction.send(
                "DELETE FROM replica WHERE id = $1 OR until_unix_ms <= \(PostgreSQLLease.now)", [holder])
        }
    }
}
