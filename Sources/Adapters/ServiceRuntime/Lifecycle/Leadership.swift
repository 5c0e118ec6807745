internal import Synchronization

/// Whether this process leads the replicas that share a store, or follows another that does.
final class Leadership: Sendable {
    /// The methods that it answers also while it follows.
    let answered: Set<String>

    private struct State {
        var leads = false
        var waiting: [AsyncStream<Never>.Continuation] = []
    }
    private let state = Mutex(State())

    init(answering answered: Set<String>) {
        self.answered = answered
        ReplicaMetrics.leads(false)
    }

    var leads: Bool { state.withLock(\.leads) }

    func begin() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.leads = true
            ReplicaMetrics.leads(true)
            return state.waiting
        }
        for waiter in waiting { waiter.finish() }
    }

    /// Another may lead now, or not: what goes on since ``begin()`` writes nothing until that is known.
    func pause() {
        state.withLock { state in
            state.leads = false
            ReplicaMetrics.leads(false)
        }
    }

    /// Returns when it leads, or when the task is cancelled.
    func wait() async {
        let (beginning, continuation) = AsyncStream<Never>.makeStream()
        let leads = state.withLock { state in
            if !state.leads { state.waiting.append(continuation) }
            return state.leads
        }
        if leads { return }
        for await _ in beginning {}
    }
}
