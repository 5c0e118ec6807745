internal import Synchronization

/// Whether the process was asked to stop, and what is to be done about it then.
final class StopRequest: Sendable {
    private struct State {
        var isMade = false
        var action: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    var isMade: Bool { state.withLock(\.isMade) }

    func make() {
        let action = state.withLock { state in
            state.isMade = true
            return state.action
        }
        action?()
    }

    /// Once it is made, or at once if it was before; in place of what was to be done until now. `nil` is nothing.
    func then(_ action: (@Sendable () -> Void)?) {
        let isMade = state.withLock { state in
            state.action = action
            return state.isMade
        }
        if isMade { action?() }
    }
}
