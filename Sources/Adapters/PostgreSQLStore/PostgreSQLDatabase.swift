public import EnergyModel
internal import Synchronization

/// One schema of a PostgreSQL database: a bounded pool of connections, each blocking on a queue of its own.
///
/// A transaction that is refused because of others, or whose connection breaks, is run again on a connection to whoever is
/// the primary then, until its time is over.
public final class PostgreSQLDatabase: Sendable {
    private let pool: PostgreSQLPool
    /// Of one connection: a lease is renewed though all others are in use.
    private let leasePool: PostgreSQLPool
    /// Of the leases under which is written; none where none is needed.
    private let terms = Mutex<[LeasedPart: Int64]>([:])
    /// Whether it is a service's that has noted its use of the schema: then it writes only where that note still is.
    private let isInUse = Mutex(false)
    private let timeout: Duration
    private let clock: ContinuousClock
    private let reachability: PostgreSQLReachability
    /// Changes of a schema may wait for those of another replica, and rewrite tables.
    private static let migrationTimeout = Duration.seconds(300)

    /// Connects, and brings the schema up to date.
    ///
    /// - Parameters:
    ///   - connection: as libpq reads it: a `postgresql://` URI or keywords, also of several hosts. Passwords are better in
    ///     a `passfile`.
    ///   - connectionsMax: 1 and above.
    ///   - timeout: of a transaction that says no other: waiting for a connection, all attempts, everything. One for a request
    ///     has until ``RequestDeadline/current``, where that is later.
    ///   - isFilling: whether this is who fills it from another store; nobody else may use it meanwhile.
    ///   - waitsForServer: whether a server that cannot be reached is waited for without end, until the task is cancelled: who is
    ///     started together with it, or while another takes its place, would end again and again. One that refuses is not.
    ///   - tell: hears when the server cannot be reached any more, and when it can again; each time once.
    /// - Throws: ``EnergyError`` `.invalidInput` for a connection string that cannot be read; `.unavailable` when no server
    ///   takes the connection within `timeout`, or the schema is of a newer version, or half filled.
    public init(
        _ connection: String, schema: PostgreSQLSchema, connectionsMax: Int = 8, timeout: Duration = .seconds(10),
        clock: ContinuousClock = ContinuousClock(), isFilling: Bool = false, waitsForServer: Bool = false,
        tell: @escaping @Sendable (PostgreSQLNews) -> Void = { _ in }
    ) async throws(EnergyError) {
        let target = try PostgreSQLTarget(connection, name: "gridtide \(schema.name)")
        (self.timeout, self.clock) = (timeout, clock)
        reachability = PostgreSQLReachability(tell)
        pool = PostgreSQLPool(countMax: max(1, connectionsMax), clock: clock) {
            PostgreSQLConnection(target, schema: schema.name)
        }
        leasePool = PostgreSQLPool(countMax: 1, clock: clock) { PostgreSQLConnection(target, schema: schema.name) }
        // Somebody has to be there; what is to be done then may take its time.
        while true {
            do throws(PostgreSQLProblem) {
                try await retrying(nil, mayRepeat: true) { connection, deadline in
                    try await connection.run(.reading, isInUse: false, until: deadline) { _ = try $0.query("SELECT 1") }
                }
                break
            } catch {
                guard waitsForServer, error.mayPass, !Task.isCancelled else { throw error.explained }
            }
        }
        while try await !run(.readCommitted, timeout: Self.migrationTimeout, { try schema.migrate($0) }) {}
        guard !isFilling else { return }
        try await run(.readCommitted) { try schema.use($0) }
        isInUse.withLock { $0 = true }
    }

    /// Runs one transaction: all of it is durable when this returns, nothing of it when it throws.
    ///
    /// - Parameters:
    ///   - timeout: `nil` for that of the database.
    ///   - mayRepeat: when the connection breaks while the commit is under way nobody knows whether it happened. True runs it
    ///     again all the same, false throws `.unavailable`.
    ///   - lease: only who has it may write, where there are leases; `nil` is for what comes out the same whoever writes it.
    ///   - body: runs on the connection's queue, perhaps several times, keeps nothing, and lets the errors of the transaction
    ///     pass.
    /// - Throws: `.unavailable`, `.conflict` when the data contradict what is stored, `.dataLoss`; what `body` threw.
    public func run<Value: Sendable>(
        _ kind: TransactionKind, timeout: Duration? = nil, mayRepeat: Bool = true, under lease: WriteLease? = .whole,
        _ body: @escaping @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        let fence: LeaseFence? =
            switch lease {
            case .whole: fence(of: .whole)
            case .taken(let fence): fence
            case nil: nil
            }
        do throws(PostgreSQLProblem) {
            return try await retrying(timeout, mayRepeat: mayRepeat) { connection, deadline in
                try await connection.run(
                    kind, isInUse: isInUse.withLock(\.self), fence: fence, until: deadline, body)
            }
        } catch {
            throw error.error
        }
    }

    /// From now on nothing is written of the part once its lease was taken again.
    func setTerm(_ term: Int64, of part: LeasedPart) { terms.withLock { $0[part] = term } }

    func term(of part: LeasedPart) -> Int64? { terms.withLock { $0[part] } }

    /// The lease of the part as it is now; `nil` where there is none.
    func fence(of part: LeasedPart) -> LeaseFence? { term(of: part).map { LeaseFence(part: part, term: $0) } }

    /// Runs a transaction about the lease itself.
    func runForLease<Value: Sendable>(
        timeout: Duration? = nil, _ body: @escaping @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        do throws(PostgreSQLProblem) {
            return try await retrying(timeout, mayRepeat: true, in: leasePool) { connection, deadline in
                try await connection.run(
                    .readCommitted, isInUse: isInUse.withLock(\.self), until: deadline, body)
            }
        } catch {
            throw error.error
        }
    }

    /// Finds out whether the server is there, for whoever is told of that.
    func lookForServer() async { try? await runForLease(timeout: .seconds(3)) { _ = try $0.query("SELECT 1") } }

    /// Reads, all of it from one moment.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws(EnergyError) -> Value { try await run(.reading, body) }

    /// Writes as if nobody else did.
    ///
    /// - Parameter lease: as of ``run(_:timeout:mayRepeat:under:_:)``.
    public func write<Value: Sendable>(
        under lease: WriteLease? = .whole, _ body: @escaping @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws(EnergyError) -> Value { try await run(.serializable, under: lease, body) }

    /// Runs a statement that must stand outside of a transaction, such as `VACUUM`.
    func runAlone(_ sql: String, timeout: Duration) async throws(EnergyError) {
        do throws(PostgreSQLProblem) {
            try await retrying(timeout, mayRepeat: true) { connection, deadline in
                try await connection.runAlone(sql, until: deadline)
            }
        } catch {
            throw error.error
        }
    }

    /// The time that a transaction has which needs so much: more where others have more, or a request waits longer.
    func timeout(atLeast least: Duration) -> Duration {
        let requestRest = RequestDeadline.current.map { clock.now.duration(to: $0) } ?? .zero
        return max(least, timeout, requestRest)
    }

    /// Waits for nobody: transactions that run end as they would have.
    public func close() async {
        await pool.close()
        await leasePool.close()
    }

    private func retrying<Value: Sendable>(
        _ timeout: Duration?, mayRepeat: Bool, in pool: PostgreSQLPool? = nil,
        _ attempt: (PostgreSQLConnection, ContinuousClock.Instant) async throws -> Value
    ) async throws(PostgreSQLProblem) -> Value {
        let pool = pool ?? self.pool
        let deadline = clock.now.advanced(by: timeout ?? self.timeout(atLeast: .zero))
        var pause = Pause()
        var reason: String?
        while true {
            var problem: PostgreSQLProblem
            do throws(PostgreSQLProblem) {
                let value = try await once(in: pool, until: deadline, attempt)
                reachability.note(nil)
                return value
            } catch {
                problem = error
            }
            // What is asked for a lease takes no time: a server that does not answer that hangs, or the network does.
            let isSilent = pool === leasePool && problem.error == PostgreSQLProblem.timeout.error
            if let reason = problem.reason ?? (isSilent ? "it does not answer" : nil) { reachability.note(reason) }
            // When the time is over, what kept it from connecting before says more.
            reason = problem.reason ?? reason
            problem.reason = reason
            let next = clock.now.advanced(by: pause.next(problem.remedy))
            guard problem.remedy != .none, mayRepeat || !problem.isCommitUnknown, next < deadline, !Task.isCancelled
            else { throw problem }
            try? await clock.sleep(until: next)
        }
    }

    private func once<Value: Sendable>(
        in pool: PostgreSQLPool, until deadline: ContinuousClock.Instant,
        _ attempt: (PostgreSQLConnection, ContinuousClock.Instant) async throws -> Value
    ) async throws(PostgreSQLProblem) -> Value {
        do {
            let connection = try await pool.take(until: deadline)
            do {
                let value = try await attempt(connection, deadline)
                await pool.give(connection)
                return value
            } catch {
                await pool.give(connection)
                throw error
            }
        } catch let problem as PostgreSQLProblem {
            throw problem
        } catch let error as EnergyError {
            throw PostgreSQLProblem(remedy: .none, error: error)
        } catch {
            throw PostgreSQLProblem(remedy: .none, error: .postgreSQL("was given what cannot be stored"))
        }
    }
}

/// How long to wait before a transaction is run again: longer each time, and not all at once.
private struct Pause {
    private var milliseconds = 2

    mutating func next(_ remedy: PostgreSQLProblem.Remedy) -> Duration {
        let least = remedy == .connectAgain ? 20 : 1
        milliseconds = min(milliseconds * 2, 250)
        return .milliseconds(Int.random(in: least...max(least, milliseconds)))
    }
}
