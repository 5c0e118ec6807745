public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns
internal import Synchronization

/// A ``StoreLease`` on the schema of one service.
///
/// Two rows: that of `lease_holder` says who has it until when, and changes with each renewal. That of `lease` says how often
/// it was taken: each transaction that writes holds it shared, and is refused where it has changed. So who takes it waits for what
/// its predecessor is writing, and renewals wait for nobody.
public final class PostgreSQLLease: StoreLease {
    /// Of a service's schema, as one of its migrations.
    static let tables = [
        "CREATE TABLE lease (one BIGINT PRIMARY KEY CHECK (one = 1), term BIGINT NOT NULL)",
        "INSERT INTO lease (one, term) VALUES (1, 0)",
        """
        CREATE TABLE lease_holder (
            one BIGINT PRIMARY KEY CHECK (one = 1),
            holder UUID,
            until_unix_ms BIGINT NOT NULL
        )
        """,
        "INSERT INTO lease_holder (one, until_unix_ms) VALUES (1, 0)",
    ]
    /// The server's clock: those of several machines may differ by more than a lease lasts.
    static let now = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"

    /// Grows with time too: a server that is promoted without what the last one took may have the same term again otherwise, of
    /// another holder.
    static let nextTerm = "greatest(term + 1, \(now))"

    /// Sent before what asks whether it is ours: a statement that has to wait for the row would see the term as it was
    /// before, though another has taken it meanwhile.
    private static let lock = "SELECT one FROM lease_holder WHERE one = 1 FOR UPDATE"

    /// Also of two that name the same holder, because a state directory was copied, one has it.
    private static let isOurs =
        "one = 1 AND holder IS NOT NULL AND EXISTS (SELECT 1 FROM lease WHERE one = 1 AND term = $1)"

    /// Of a lease that was never taken.
    static let noTerm: Int64 = -1

    public let duration: Duration
    private let database: PostgreSQLDatabase
    private let holder: UUID
    private var milliseconds: Int64 { duration.components.seconds * 1_000 }
    /// As it was renewed last. A server that knows of an earlier one has lost what was written since, perhaps with more that whoever
    /// has the lease knows by heart: it was promoted before it had everything.
    private let knownUntil = Mutex<Int64>(0)

    /// - Parameters:
    ///   - holder: one that has it may take it again: it does not wait for what it was itself before it was started anew.
    ///   - duration: whole seconds.
    init(_ database: PostgreSQLDatabase, holder: UUID = UUID(), duration: Duration = .seconds(4)) {
        (self.database, self.holder, self.duration) = (database, holder, duration)
        // Who does not have it writes nothing.
        database.setTerm(Self.noTerm, of: .whole)
    }

    public func take() async throws(EnergyError) -> Bool {
        let (holder, milliseconds) = (holder, milliseconds)
        let taken: (term: Int64, until: Int64)? = try await database.runForLease { transaction in
            let row = try transaction.query("SELECT holder, until_unix_ms FROM lease_holder WHERE one = 1 FOR UPDATE")
                .first
            guard let row else { throw EnergyError.damaged("lease_holder") }
            let (last, end): (UUID?, Int64) = (try row["holder"], try row["until_unix_ms"])
            // Asked when the row is ours: it may have taken a while.
            let now: Int64 = try transaction.query("SELECT \(Self.now) AS now").first?["now"] ?? 0
            guard last == nil || last == holder || end <= now else { return nil }
            let lease = try transaction.query("UPDATE lease SET term = \(Self.nextTerm) WHERE one = 1 RETURNING term")
            let held = try transaction.query(
                "UPDATE lease_holder SET holder = $1, until_unix_ms = \(Self.now) + $2 WHERE one = 1 RETURNING until_unix_ms",
                [holder, milliseconds])
            guard let lease = lease.first, let held = held.first else { return nil }
            return (try lease["term"], try held["until_unix_ms"])
        }
        guard let taken else { return false }
        database.setTerm(taken.term, of: .whole)
        knownUntil.withLock { $0 = taken.until }
        return true
    }

    public func renew(within timeout: Duration) async throws(EnergyError) -> Bool {
        let (milliseconds, term, known) = (milliseconds, database.term(of: .whole), knownUntil.withLock(\.self))
        let until: Int64? = try await database.runForLease(timeout: timeout) { transaction in
            // It does not wait for a synchronous standby: while that is away nothing can be written, but all can be read. A
            // renewal that is lost with a server only makes the lease end sooner.
            try transaction.send("SELECT set_config('synchronous_commit', 'off', true)")
            try transaction.send(Self.lock)
            let held = try transaction.query(
                """
                UPDATE lease_holder SET until_unix_ms = \(Self.now) + $2 WHERE \(Self.isOurs) AND until_unix_ms >= $3
                RETURNING until_unix_ms
                """, [term, milliseconds, known])
            return try held.first?["until_unix_ms"]
        }
        guard let until else { return false }
        knownUntil.withLock { $0 = until }
        return true
    }

    public func release() async throws(EnergyError) {
        let term = database.term(of: .whole)
        try await database.runForLease { transaction in
            try transaction.send(Self.lock)
            try transaction.send(
                "UPDATE lease_holder SET holder = NULL, until_unix_ms = 0 WHERE \(Self.isOurs)", [term])
        }
    }
}
