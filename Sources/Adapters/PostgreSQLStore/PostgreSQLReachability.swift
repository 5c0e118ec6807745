internal import Synchronization

/// What whoever runs the service should know, and callers should not: it names hosts, users and databases.
public enum PostgreSQLNews: Hashable, Sendable {
    /// The server cannot be reached, for a reason in libpq's words, without the password.
    case away(String)
    case back

    /// Why it cannot be reached; `nil` when it can again.
    public var reason: String? {
        guard case .away(let reason) = self else { return nil }
        return reason
    }
}

/// Tells when the server went away and came back, instead of what each request met.
final class PostgreSQLReachability: Sendable {
    private let isAway = Mutex(false)
    private let tell: @Sendable (PostgreSQLNews) -> Void

    init(_ tell: @escaping @Sendable (PostgreSQLNews) -> Void) { self.tell = tell }

    /// - Parameter problem: `nil` when the server answered.
    func note(_ problem: String?) {
        let wasAway = isAway.withLock { isAway in
            defer { isAway = problem != nil }
            return isAway
        }
        guard wasAway != (problem != nil) else { return }
        tell(problem.map { .away($0) } ?? .back)
    }
}
