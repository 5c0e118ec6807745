internal import EnergyModel
internal import SQLColumns

/// How much of other transactions one sees.
public enum TransactionKind: Sendable {
    /// As if it ran alone. What turns out not to be possible is run again.
    case serializable
    /// Each statement sees what is committed when it begins: for those that lock what they are about.
    case readCommitted
    /// Reads only, all of it from one moment.
    case reading

    var begin: String {
        switch self {
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
        case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        }
    }
}

/// A running transaction. It blocks, and lives as long as the closure that it is handed to.
public final class PostgreSQLTransaction {
    private let link: PostgreSQLLink
    /// Statements of ours, before the first of the closure's.
    private var ownCount = 0
    /// Whether the last of them asks for the lease.
    private var asksForLease = false

    init(_ link: PostgreSQLLink) { self.link = link }

    /// Sends a statement and goes on: the next one that is waited for, or the commit, says whether it failed. Any number of
    /// them take one round trip.
    public func send(_ sql: String, _ values: [(any PostgreSQLParameter)?] = []) throws {
        try link.send(sql, values.map { $0?.parameter ?? .one(.null) })
    }

    /// - Returns: the rows, in order. They do not outlive the transaction.
    public func query(_ sql: String, _ values: [(any PostgreSQLParameter)?] = []) throws -> [PostgreSQLRow] {
        try answer(sql, values)?.rows ?? []
    }

    /// - Returns: how many rows were changed.
    @discardableResult
    public func execute(_ sql: String, _ values: [(any PostgreSQLParameter)?] = []) throws -> Int {
        try answer(sql, values)?.rowsChanged ?? 0
    }

    /// Waits for all that was sent since the last wait.
    ///
    /// - Returns: the rows of each statement, in order.
    public func answers() throws -> [[PostgreSQLRow]] { try results().map(\.rows) }

    /// Runs statements that make or change tables.
    func run(_ statements: [String]) throws {
        for statement in statements { try link.sendOnce(statement) }
        _ = try results()
    }

    private func results() throws -> [PostgreSQLResult] {
        defer { (ownCount, asksForLease) = (0, false) }
        let all = try link.sync()
        if asksForLease, all.dropFirst(ownCount - 1).first?.rows.isEmpty ?? true {
            // What was sent with the question is undone.
            throw EnergyError(.unavailable, "another replica has taken over", retryAfterMilliseconds: 1_000)
        }
        return Array(all.dropFirst(ownCount))
    }

    private func answer(_ sql: String, _ values: [(any PostgreSQLParameter)?]) throws -> PostgreSQLResult? {
        try send(sql, values)
        return try results().last
    }

    /// - Parameters:
    ///   - isInUse: whether it is a service's, on a schema that it has noted its use of.
    ///   - fence: of the lease under which it writes, if it needs one.
    func begin(
        _ kind: TransactionKind, isInUse: Bool, fence: LeaseFence?, until deadline: ContinuousClock.Instant
    ) throws {
        try send(kind.begin)
        // The server too gives up then, also when we are cut off and cannot tell it.
        let rest = ContinuousClock.now.duration(to: deadline).components
        let milliseconds = max(1, rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000)
        try send("SELECT set_config('statement_timeout', $1, true)", ["\(milliseconds)"])
        // A client that hangs or is cut off keeps its locks no longer than others wait for them.
        let idleMilliseconds = min(milliseconds, 10_000)
        try send("SELECT set_config('idle_in_transaction_session_timeout', $1, true)", ["\(idleMilliseconds)"])
        ownCount = 3
        guard kind != .reading else { return }
        if isInUse {
            // Fails where the schema was removed since, and is perhaps being filled anew: what is written now would go.
            try send("SELECT one FROM \(PostgreSQLSchema.useTable)")
            ownCount += 1
        }
        guard let fence else { return }
        // Nobody takes the lease before the commit; where somebody has, there is no such row.
        try send(fence.sql, fence.values)
        ownCount += 1
        asksForLease = true
    }

    func commit() throws {
        // What failed before is no reason to doubt whether the commit happened.
        _ = try results()
        do {
            let answer = try answer("COMMIT", [])
            // A failed transaction answers COMMIT with this: its closure has swallowed an error.
            guard answer?.command == "COMMIT" else {
                throw EnergyError.postgreSQL("undid the transaction")
            }
        } catch var problem as PostgreSQLProblem {
            problem.isCommitUnknown = problem.remedy == .connectAgain
            throw problem
        }
    }

    func rollBack() throws {
        _ = try? link.sync()
        try execute("ROLLBACK")
    }
}
