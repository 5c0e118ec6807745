internal import CPostgreSQL
internal import EnergyModel
internal import Foundation
internal import SQLColumns

/// One connection of libpq's, always in pipeline mode: what is sent waits for nobody until ``sync()``.
///
/// It blocks, in poll(2), until its deadline: its owner is an actor with a queue of its own.
final class PostgreSQLLink {
    private struct Statement {
        let name: String
        let types: [UInt32]
    }
    /// SQL comes from the code and is of few kinds; this is for code that is not careful.
    private static let statementsMax = 200
    /// Sent before the server's answers are read: what both keep meanwhile has a limit.
    private static let unansweredMax = 1_000

    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var unanswered = 0
    private var results: [PostgreSQLResult] = []
    var deadline: ContinuousClock.Instant

    /// Of the session: who is gone without a word is found out within about 10 s. A client that was cut off in the middle of a
    /// pipeline leaves the server waiting for the rest of it, with all its locks, and neither time limit of a transaction runs
    /// then; by itself the server would look after two hours.
    ///
    /// Of those settings that the server has: not all that speak PostgreSQL's protocol have each.
    private static let configure = """
        SELECT set_config(name, value, false) FROM pg_settings JOIN (
            VALUES ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3'),
                ('tcp_user_timeout', '10000')
        ) AS session (name, value) USING (name)
        """

    /// Connects to the first host that will do.
    init(_ target: PostgreSQLTarget, schema: String, deadline: ContinuousClock.Instant) throws(PostgreSQLProblem) {
        self.deadline = deadline
        connection = try target.connect(until: deadline)
        // What the server remarks would else be written to standard error.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            throw .lost("no pipeline")
        }
        try send("SELECT set_config('search_path', $1, false)", [.one(.text(schema))])
        try send(Self.configure, [])
        _ = try sync()
    }

    deinit { PQfinish(connection) }

    /// Sends a statement, prepared once for this connection.
    func send(_ sql: String, _ values: [PostgreSQLValue]) throws(PostgreSQLProblem) {
        let statement = try prepared(sql)
        guard statement.types.count == values.count else {
            throw PostgreSQLProblem(
                remedy: .none,
                error: .postgreSQL("was given \(values.count) values for \(statement.types.count) places"))
        }
        // A first byte, so that a value without bytes has an address too: one without an address is NULL.
        var (buffer, ranges): ([UInt8], [Range<Int>?]) = ([0], [])
        for (value, type) in zip(values, statement.types) {
            guard value != .one(.null) else {
                ranges.append(nil)
                continue
            }
            let start = buffer.count
            guard value.append(to: &buffer, type: type) else {
                throw PostgreSQLProblem(
                    remedy: .none, error: EnergyError(.invalidInput, "a value does not fit into its column"))
            }
            ranges.append(start..<buffer.count)
        }
        let sent = buffer.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: CChar.self).baseAddress
            return PQsendQueryPrepared(
                connection, statement.name, Int32(values.count),
                ranges.map { $0.flatMap { base?.advanced(by: $0.lowerBound) } },
                ranges.map { Int32(truncatingIfNeeded: $0?.count ?? 0) }, ranges.map { _ in 1 }, 1)
        }
        try sending(sent)
        if unanswered >= Self.unansweredMax { try receive() }
    }

    /// Sends a statement that is run once: one of a schema.
    func sendOnce(_ sql: String) throws(PostgreSQLProblem) {
        try sending(PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1))
    }

    /// Waits until all that was sent is answered.
    ///
    /// - Returns: the answers, in order, since the last call.
    func sync() throws(PostgreSQLProblem) -> [PostgreSQLResult] {
        try receive()
        defer { results = [] }
        return results
    }

    private func sending(_ accepted: Int32) throws(PostgreSQLProblem) {
        guard accepted == 1 else { throw .lost("the connection is broken") }
        unanswered += 1
    }

    private func prepared(_ sql: String) throws(PostgreSQLProblem) -> Statement {
        if let statement = statements[sql] { return statement }
        if unanswered > 0 { try receive() }
        let before = results
        defer { results = before }
        if statements.count >= Self.statementsMax {
            try sendOnce("DEALLOCATE ALL")
            statements = [:]
        }
        let name = "s\(statements.count)"
        // The server says which types it takes: so a NULL needs none.
        try sending(PQsendPrepare(connection, name, sql, 0, nil))
        try sending(PQsendDescribePrepared(connection, name))
        try receive()
        let statement = Statement(name: name, types: results.last?.parameterTypes ?? [])
        statements[sql] = statement
        return statement
    }

    private func receive() throws(PostgreSQLProblem) {
        guard PQpipelineSync(connection) == 1 else { throw .lost("the connection is broken") }
        try flush()
        var state: String?
        var isOver = false
        while !isOver {
            guard let result = try nextResult() else { continue }
            let status = PQresultStatus(result)
            let answer = PostgreSQLResult(result)
            switch status {
            case PGRES_PIPELINE_SYNC: isOver = true
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: results.append(answer)
            case PGRES_PIPELINE_ABORTED: break
            default:
                state = state ?? answer.state
                // No more will come: who was thrown out was told why.
                isOver = PQstatus(connection) == CONNECTION_BAD
            }
        }
        unanswered = 0
        if let state {
            results = []
            throw PostgreSQLProblem(state: state)
        }
    }

    /// - Returns: `nil` between the answers to two statements.
    private func nextResult() throws(PostgreSQLProblem) -> OpaquePointer? {
        while PQisBusy(connection) == 1 {
            try wait(for: Int16(POLLIN))
            // When it fails, the answers that are there can still be taken.
            if PQconsumeInput(connection) == 0 { break }
        }
        if let result = PQgetResult(connection) { return result }
        guard PQstatus(connection) == CONNECTION_OK else { throw .lost("the connection broke") }
        return nil
    }

    private func flush() throws(PostgreSQLProblem) {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1:
                // The server may wait for us to read before it reads.
                if try wait(for: Int16(POLLIN | POLLOUT)) & Int16(POLLIN) != 0, PQconsumeInput(connection) == 0 {
                    throw .lost("the connection broke")
                }
            default: throw .lost("the connection broke")
            }
        }
    }

    @discardableResult
    private func wait(for events: Int16) throws(PostgreSQLProblem) -> Int16 {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw .timeout }
            var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
            guard descriptor.fd >= 0 else { throw .lost("the connection broke") }
            let milliseconds =
                min(rest.components.seconds, 3_600) * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000
            if poll(&descriptor, 1, Int32(truncatingIfNeeded: milliseconds + 1)) > 0 { return descriptor.revents }
        }
    }
}
