import Foundation
import Synchronization

/// Starts child processes from one thread that lives as long as the tests do.
///
/// Children die with the thread that started them (`PR_SET_PDEATHSIG`, set by util-linux's `setpriv`): so nothing is
/// left behind, however the tests end. The threads of a pool come and go; hence one of our own.
final class ProcessSpawner: Sendable {
    static let shared = ProcessSpawner()

    struct Command: Sendable {
        var executable: String
        var arguments: [String] = []
        var environment: [String: String] = [:]
    }

    private struct Job: Sendable {
        let command: Command
        let output: Int32
        let error: Int32
        let done: @Sendable (Result<pid_t, HarnessError>) -> Void
    }
    private let jobs: AsyncJobs<Job> = AsyncJobs()

    private init() {
        let jobs = jobs
        let thread = Thread {
            while let job = jobs.take() { job.done(ProcessSpawner.spawn(job)) }
        }
        thread.name = "process spawner"
        thread.start()
    }

    /// - Parameters:
    ///   - output: a descriptor that becomes the child's standard output; the caller closes its own.
    ///   - error: likewise for standard error.
    func spawn(_ command: Command, output: Int32, error: Int32) async throws -> pid_t {
        try await withCheckedThrowingContinuation { continuation in
            jobs.add(Job(command: command, output: output, error: error) { continuation.resume(with: $0) })
        }
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which is glibc's, but not in the module that Swift makes of it.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast(
            $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
    }

    private static func spawn(_ job: Job) -> Result<pid_t, HarnessError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, job.output, 1)
        posix_spawn_file_actions_adddup2(&actions, job.error, 2)
        // A child that held a copy of another test's socket would keep that connection open.
        guard closeFrom?(&actions, 3) == 0 else {
            return .failure(HarnessError("this C library cannot close a child's descriptors: glibc 2.34 or later can"))
        }

        // The tests may ignore signals that the child is to be stopped by.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let words =
            ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", job.command.executable] + job.command.arguments
        var arguments = words.map { strdup($0) } + [nil]
        var environment = job.command.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else {
            return .failure(
                HarnessError("\(job.command.executable) cannot be started: \(String(cString: strerror(code)))"))
        }
        return .success(process)
    }
}

struct HarnessError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A queue that a thread waits at.
private final class AsyncJobs<Job: Sendable>: Sendable {
    private let waiting = Mutex<[Job]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ job: Job) {
        waiting.withLock { $0.append(job) }
        count.signal()
    }

    func take() -> Job? {
        count.wait()
        return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
