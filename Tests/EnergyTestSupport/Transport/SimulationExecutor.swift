internal import EnergyTransport

/// Runs every job on the thread that pumps it, in the order they came: what a simulation does depends on its seed only.
final class SimulationExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs what is ready, and what becomes ready by that.
    ///
    /// - Returns: `false` when there was nothing.
    func runAll() -> Bool {
        var hasRun = false
        while true {
            var batch: [UnownedJob] = []
            jobs.withLock { swap(&batch, &$0) }
            if batch.isEmpty { return hasRun }
            hasRun = true
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
