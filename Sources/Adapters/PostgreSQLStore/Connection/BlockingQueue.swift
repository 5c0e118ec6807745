internal import Dispatch

/// A thread's worth of work for what blocks: the jobs of one connection run here, one after another, and never on the
/// threads that all tasks share.
final class BlockingQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "postgresql")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
