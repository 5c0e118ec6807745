/// Runs tasks on a loop's thread, between receiving and sending: what they do in answer to a message needs no change of
/// thread. They must not block. When the loop has ended, they run on the shared pool.
final class LoopExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private let state = Locked(State())
    private let waker: Waker

    init(_ waker: Waker) { self.waker = waker }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.jobs.append(job) }
            return state.hasEnded
        }
        if hasEnded { globalConcurrentExecutor.enqueue(job) } else { waker.wake() }
    }

    var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

    /// Runs what is there now; what that brings up waits for the next turn.
    ///
    /// - Parameter spare: an empty array, whose memory is used again.
    func runJobs(_ spare: inout [UnownedJob]) {
        state.withLock { swap(&spare, &$0.jobs) }
        for job in spare { job.runSynchronously(on: asUnownedTaskExecutor()) }
        spare.removeAll(keepingCapacity: true)
    }

    func end() {
        let rest = state.withLock { state in
            state.hasEnded = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(job) }
    }
}
