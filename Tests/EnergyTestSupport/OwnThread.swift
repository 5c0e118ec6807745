import Dispatch

/// Where a test runs that holds a thread while others go on.
///
/// The tasks of all tests share as many threads as the machine has processors: two tests that hold one each were enough to keep
/// the whole run waiting for ever on a machine with two.
public final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test that holds a thread")

    /// Runs `body`, and what it calls, on a thread that nobody else needs.
    public static func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(OwnThread(), operation: body)
    }

    /// Holds the thread until `body` has ended on others. Only inside of ``run(_:)``.
    public static func hold(until body: @escaping @Sendable () async throws -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            defer { done.signal() }
            try await body()
        }
        done.wait()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
