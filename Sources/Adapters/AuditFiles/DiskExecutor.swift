internal import Dispatch

/// Runs an actor's jobs one after the other on a queue of its own, where they may block.
final class DiskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "audit-log")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
