public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns

/// A ``StoreLease`` on the schema of one service, or on one of the parts that it is divided into.
///
/// Two rows: that of `lease_holder` says who has it until when, and changes with each renewal. That of `lease` says how often
/// it was taken: each transaction that writes holds it shared, and is refused where it has changed. So who takes it waits for what
/// its predecessor is writing, and renewals wait for nobody.
public final class PostgreSQLLease: StoreLease {
    /// Of what is not divided.
    public static let whole = 0

    /// Of a service's schema, as one of its migrations; ``divided(into:)`` is a later one.
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

    /// A lease for each part. Terms go on from the one there was: what a process of the version before still writes is refused.
    static func divided(into count: Int) -> [String] {
        [
            "ALTER TABLE lease RENAME TO lease_before",
            "DROP TABLE lease_holder",
            "CREATE TABLE lease (part BIGINT PRIMARY KEY, term BIGINT NOT NULL)",
            "CREATE TABLE lease_holder (part BIGINT PRIMARY KEY, holder UUID, until_unix_ms BIGINT NOT NULL)",
        ]
            + (0..<count).flatMap { part in
                [
                    "INSERT INTO lease (part, term) SELECT \(part), max(term) + 1 FROM lease_before",
                    "INSERT INTO lease_holder (part, until_unix_ms) VALUES (\(part), 0)",
                ]
            } + ["DROP TABLE lease_before"]
    }

    /// The server's clock: those of several machines may differ by more than a lease lasts.
    static let now = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"

    /// Sent before what asks whether it is ours: a statement that has to wait for the row would see the term as it was
    /// before, though another has taken it meanwhile.
    private static let lock = "SELECT part FROM lease_holder WHERE part = $1 FOR UPDATE"

    /// Also of two that name the same holder, because a state directory was copied, one has it.
    private static let isOurs =
        "part = $1 AND holder IS NOT NULL AND EXISTS (SELECT 1 FROM lease WHERE part = $1 AND term = $2)"

    /// Of a lease that was never taken.
    private static let noTerm: Int64 = -1

    public let duration: Duration
    private let database: PostgreSQLDatabase
    private let part: Int
    private let holder: UUID
    private var milliseconds: Int64 { duration.components.seconds * 1_000 }

    /// - Parameters:
    ///   - holder: one that has it may take it again: it does not wait for what it was itself before it was started anew.
    ///   - duration: whole seconds.
    init(
        _ database: PostgreSQLDatabase, part: Int = whole, holder: UUID = UUID(), duration: Duration = .seconds(4)
    ) {
        (self.database, self.part, self.holder, self.duration) = (database, part, holder, duration)
        // Who does not have it writes nothing.
        database.setTerm(Self.noTerm, ofPart: part)
    }

    public func take() async throws(EnergyError) -> Bool {
        let (part, holder, milliseconds) = (part, holder, milliseconds)
        let term: Int64? = try await database.runForLease { transaction in
            let row = try transaction.query(
                "SELECT holder, until_unix_ms FROM lease_holder WHERE part = $1 FOR UPDATE", [part]
            ).first
            guard let row else { throw EnergyError.damaged("lease_holder") }
            let (last, end): (UUID?, Int64) = (try row["holder"], try row["until_unix_ms"])
            // Asked when the row is ours: it may have taken a while.
            let now: Int64 = try transaction.query("SELECT \(Self.now) AS now").first?["now"] ?? 0
            guard last == nil || last == holder || end <= now else { return nil }
            let taken = try transaction.query(
                "UPDATE lease SET term = term + 1 WHERE part = $1 RETURNING term", [part])
            try transaction.send(
                "UPDATE lease_holder SET holder = $2, until_unix_ms = \(Self.now) + $3 WHERE part = $1",
                [part, holder, milliseconds])
            return try taken.first?["term"]
        }
        guard let term else { return false }
        database.setTerm(term, ofPart: part)
        return true
    }

    public func renew(within timeout: Duration) async throws(EnergyError) -> Bool {
        let (part, milliseconds, term) = (part, milliseconds, database.term(ofPart: part))
        return try await database.runForLease(timeout: timeout) { transaction in
            // It does not wait for a synchronous standby: while that is away nothing can be written, but all can be read. A
            // renewal that is lost with a server only makes the lease end sooner.
            try transaction.send("SELECT set_config('synchronous_commit', 'off', true)")
            try transaction.send(Self.lock, [part])
            return try transaction.execute(
                "UPDATE lease_holder SET until_unix_ms = \(Self.now) + $3 WHERE \(Self.isOurs)",
                [part, term, milliseconds]) == 1
        }
    }

    public func release() async throws(EnergyError) {
        let (part, term) = (part, database.term(ofPart: part))
        try await database.runForLease { transaction in
            try transaction.send(Self.lock, [part])
            try transaction.send(
                "UPDATE lease_holder SET holder = NULL, until_unix_ms = 0 WHERE \(Self.isOurs)", [part, term])
        }
    }
}
