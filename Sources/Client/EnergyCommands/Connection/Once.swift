internal import Synchronization

/// The first of two answers; the other's alarm is not waited for.
final class Once<Answer: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        var alarm: Task<Void, Never>?
    }
    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Answer, Never>) { state = Mutex(State(continuation: continuation)) }

    func alarm(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.alarm = task
            return state.continuation == nil
        }
        if isOver { task.cancel() }
    }

    func resume(_ answer: Answer) {
        let waiting = state.withLock { state in
            defer { state.continuation = nil }
            state.alarm?.cancel()
            return state.continuation
        }
        waiting?.resume(returning: answer)
    }
}
