internal import EnergyModel

/// One place in the pool: it connects when it is first used, and again after its connection broke.
actor PostgreSQLConnection {
    private let target: PostgreSQLTarget
    private let schema: String
    private let queue = BlockingQueue()
    private var link: PostgreSQLLink?

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ target: PostgreSQLTarget, schema: String) { (self.target, self.schema) = (target, schema) }

    /// Runs one transaction; the connection is free again when this returns or throws.
    ///
    /// - Parameters: as of ``PostgreSQLTransaction/begin(_:isInUse:fence:until:)``.
    /// - Throws: ``PostgreSQLProblem``, or what `body` threw.
    func run<Value: Sendable>(
        _ kind: TransactionKind, isInUse: Bool, fence: LeaseFence? = nil, until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgreSQLTransaction) throws -> Value
    ) throws -> Value {
        let link = try connected(until: deadline)
        let transaction = PostgreSQLTransaction(link)
        do {
            try transaction.begin(kind, isInUse: isInUse, fence: fence, until: deadline)
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            abandon(transaction, after: error)
            throw error
        }
    }

    /// Runs a statement that must stand outside of a transaction.
    func runAlone(_ sql: String, until deadline: ContinuousClock.Instant) throws(PostgreSQLProblem) {
        let link = try connected(until: deadline)
        do throws(PostgreSQLProblem) {
            try link.sendOnce(sql)
            _ = try link.sync()
        } catch {
            self.link = nil
            throw error
        }
    }

    func close() { link = nil }

    private func connected(until deadline: ContinuousClock.Instant) throws(PostgreSQLProblem) -> PostgreSQLLink {
        if let link {
            link.deadline = deadline
            return link
        }
        let new = try PostgreSQLLink(target, schema: schema, deadline: deadline)
        link = new
        return new
    }

    /// Undoes the transaction, or drops a connection that would not do that any more.
    private func abandon(_ transaction: PostgreSQLTransaction, after error: any Error) {
        let problem = error as? PostgreSQLProblem
        let isBroken = problem?.remedy == .connectAgain || ContinuousClock.now >= link?.deadline ?? .now
        guard !isBroken, (try? transaction.rollBack()) != nil else {
            link = nil
            return
        }
    }
}
