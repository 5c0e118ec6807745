internal import Synchronization

/// Of what many meet at the same time, such as a peer that is away: who is to tell that it begins, and that it is over.
final class Outage: Sendable {
    private let reason = Mutex<String?>(nil)

    /// - Returns: whether nobody has met it yet, for this reason.
    func meets(_ new: String) -> Bool {
        reason.withLock { reason in
            defer { reason = new }
            return reason != new
        }
    }

    /// - Returns: whether it was met before.
    func ends() -> Bool {
        reason.withLock { reason in
            defer { reason = nil }
            return reason != nil
        }
    }
}
