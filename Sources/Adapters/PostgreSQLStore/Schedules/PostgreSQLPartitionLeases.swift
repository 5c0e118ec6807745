internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import SQLColumns

/// ``PartitionLeases`` on the schema of one service.
final class PostgreSQLPartitionLeases: PartitionLeases {
    /// Beside those of ``PostgreSQLLease``: the processes that are there.
    static let tables = ["CREATE TABLE replica (id UUID PRIMARY KEY, until_unix_ms BIGINT NOT NULL)"]

    private let database: PostgreSQLDatabase
    private let holder: UUID
    private let leases: [PostgreSQLLease]

    init(_ database: PostgreSQLDatabase, holder: UUID, duration: Duration = .seconds(4)) {
        (self.database, self.holder) = (database, holder)
        leases = (0..<LogPartition.count).map {
            PostgreSQLLease(database, part: $0, holder: holder, duration: duration)
        }
    }

    subscript(partition: Int) -> any StoreLease { leases[partition] }

    func attend() async throws(EnergyError) -> PartitionShares {
        let (holder, milliseconds) = (holder, leases[0].duration.components.seconds * 1_000)
        return try await database.runForLease { transaction in
            // As of a renewal: it waits for no standby.
            try transaction.send("SELECT set_config('synchronous_commit', 'off', true)")
            try transaction.send(
                """
                INSERT INTO replica (id, until_unix_ms) VALUES ($1, \(PostgreSQLLease.now) + $2)
                ON CONFLICT (id) DO UPDATE SET until_unix_ms = excluded.until_unix_ms
                """, [holder, milliseconds])
            try transaction.send("SELECT id FROM replica WHERE until_unix_ms > \(PostgreSQLLease.now)")
            try transaction.send(
                """
                SELECT part FROM lease_holder
                WHERE holder IS NULL OR holder = $1 OR until_unix_ms <= \(PostgreSQLLease.now)
                """, [holder])
            let answers = try transaction.answers()
            return PartitionShares(replicas: answers[2].count, free: Set(try answers[3].map { try $0["part"] }))
        }
    }

    func leave() async throws(EnergyError) {
        let holder = holder
        try await database.runForLease { transaction in
            // With those that did not come to say so.
            try transaction.send(
                "DELETE FROM replica WHERE id = $1 OR until_unix_ms <= \(PostgreSQLLease.now)", [holder])
        }
    }
}
