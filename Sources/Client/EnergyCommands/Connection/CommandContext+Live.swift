internal import EnergyModel
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

extension CommandContext {
    /// The services of this machine, or those that the options and the environment name.
    static func live(_ options: GlobalOptions, output: ProcessOutput) throws(CommandFailure) -> CommandContext {
        let environment = ProcessInfo.processInfo.environment
        let text = options.endpoints ?? environment[Endpoints.environmentKey] ?? ""
        return CommandContext(
            endpoints: try Endpoints(parsing: text), output: output,
            style: Style(terminalWidth: output.terminalWidth, environment: environment),
            wallClock: SystemWallClock(), clock: ContinuousClock(), timeout: options.timeout
        ) { (endpoint) throws(CommandFailure) in
            throw CommandFailure(.failure, "no transport yet \(endpoint)")
        }
    }
}

/// Standard output and standard error of this process.
final class ProcessOutput: CommandOutput {
    private let lock = Mutex(())

    /// `nil` when standard output is no terminal.
    var terminalWidth: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return known ? Int(size.ws_col) : 80
    }

    func line(_ text: String) { write(text, to: .standardOutput) }

    func note(_ text: String) { write(text, to: .standardError) }

    private func write(_ text: String, to file: FileHandle) {
        lock.withLock { _ in
            // Whoever read the output has closed it: there is nobody left to tell.
            do { try file.write(contentsOf: Data("\(text)\n".utf8)) } catch { exit(0) }
        }
    }
}
