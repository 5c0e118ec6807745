internal import Synchronization

/// What many meet at the same time, such as a peer that is away: who is to tell that it begins, and that it is over.
final class Outage: Sendable {
    private struct State {
        /// Who has met it.
        var members: Set<AnyHashable> = []
        var reasons: Set<String> = []
    }
    private static let reasonsMax = 16
    private let state = Mutex(State())

    /// - Returns: whether nobody has met it yet, for this reason.
    func meets(_ member: some Hashable & Sendable, _ reason: String) -> Bool {
        state.withLock { state in
            state.members.insert(member)
            return state.reasons.count < Self.reasonsMax && state.reasons.insert(reason).inserted
        }
    }

    /// - Returns: whether it is over: nobody meets it any more.
    func ends(for member: some Hashable & Sendable) -> Bool {
        state.withLock { state in
            guard state.members.remove(member) != nil, state.members.isEmpty else { return false }
            state.reasons = []
            return true
        }
    }
}
