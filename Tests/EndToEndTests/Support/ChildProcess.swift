import Foundation
import Synchronization

/// How a process ended.
enum ExitStatus: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
}

/// A running executable with its output. It is reaped when it ends, whether somebody asks for its end or not.
final class ChildProcess: Sendable {
    let name: String
    let id: pid_t
    let output: OutputLines
    let error: OutputLines
    private struct State {
        var status: ExitStatus?
        var waiting: [CheckedContinuation<ExitStatus, Never>] = []
    }
    private let state = Mutex(State())

    private init(name: String, id: pid_t, output: OutputLines, error: OutputLines) {
        self.name = name
        self.id = id
        self.output = output
        self.error = error
    }

    /// Where standard output goes.
    enum Output: Hashable, Sendable {
        case pipe
        case terminal(columns: Int)
        /// A pipe that nobody reads any more.
        case closedPipe
    }

    static func start(
        _ command: ProcessSpawner.Command, output: Output = .pipe, onExit: @escaping @Sendable () -> Void = {}
    ) async throws -> ChildProcess {
        let errorEnds = try pipe()
        let outputEnds: (read: Int32, write: Int32)
        if case .terminal(let columns) = output {
            outputEnds = try PseudoTerminal.open(columns: columns)
        } else {
            outputEnds = try pipe()
        }
        let id: pid_t
        do {
            defer {
                close(outputEnds.write)
                close(errorEnds.write)
            }
            if output == .closedPipe { shutdown(outputEnds.read, Int32(SHUT_RDWR)) }
            id = try await ProcessSpawner.shared.spawn(command, output: outputEnds.write, error: errorEnds.write)
        } catch {
            close(outputEnds.read)
            close(errorEnds.read)
            throw error
        }
        let child = ChildProcess(
            name: (command.executable as NSString).lastPathComponent, id: id, output: OutputLines(),
            error: OutputLines())
        child.output.read(outputEnds.read)
        child.error.read(errorEnds.read)
        Thread {
            child.reap()
            onExit()
        }.start()
        return child
    }

    /// `nil` while it runs.
    var status: ExitStatus? { state.withLock { $0.status } }

    /// Waits for its end. Not cut short by cancellation: nothing may be left behind.
    func exit() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.waiting.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Waits for its end; when the test's time is over, it is killed.
    func end() async throws -> ExitStatus {
        let status = await withTaskCancellationHandler {
            await exit()
        } onCancel: {
            send(SIGKILL)
        }
        try Task.checkCancellation()
        return status
    }

    /// Does nothing to a process that has ended: its number may be another's by now.
    func send(_ signal: Int32) {
        state.withLock { state in if state.status == nil { _ = Foundation.kill(id, signal) } }
    }

    /// Ends it at once and waits until it is gone.
    func kill() async {
        send(SIGKILL)
        _ = await exit()
    }

    private func reap() {
        // First look without reaping, so that `send` never meets a number that is free again.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        let waiting = state.withLock { state in
            var raw: Int32 = 0
            while waitpid(id, &raw, 0) == -1, errno == EINTR {}
            let signal = raw & 0x7F
            state.status = signal == 0 ? .code((raw >> 8) & 0xFF) : .signal(signal)
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let status else { return }
        for continuation in waiting { continuation.resume(returning: status) }
    }

    /// A pair of sockets in place of a pipe: only these can be closed in other children from the start on.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw HarnessError("no sockets: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }
}
