internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import ServiceEndpoints
internal import Synchronization
internal import ZeroMQTransport

#if canImport(Glibc)
    internal import Glibc
#endif

extension CommandContext {
    /// The services of this machine, or those that the options and the environment name.
    static func live(_ options: GlobalOptions, output: ProcessOutput) throws(CommandFailure) -> CommandContext {
        let environment = ProcessInfo.processInfo.environment
        let text = options.endpoints ?? environment[Endpoints.environmentKey] ?? ""
        return CommandContext(
            endpoints: try Endpoints(option: text), output: output,
            style: Style(terminalWidth: output.terminalWidth, environment: environment),
            wallClock: SystemWallClock(offsetMilliseconds: try clockOffset(environment[clockOffsetKey])),
            clock: ContinuousClock(), timeout: options.timeout, planSolver: EnergyControl.planSolver
        ) { (endpoint) throws(CommandFailure) in
            do throws(CallFailure) {
                return try ZeroMQClient(
                    requestAddresses: endpoint.requestAddresses, publishAddresses: endpoint.publishAddresses)
            } catch {
                // Only an address that is wrong fails here: that nobody is there shows when something is asked.
                throw CommandFailure(.usage, "endpoints: \(error.message)")
            }
        }
    }

    /// The services' setting `clock.offset`: whoever replays recorded data asks about the time that they are in.
    static let clockOffsetKey = "GRIDTIDE_CLOCK_OFFSET"

    /// - Parameter text: `90s`, `-2h`, `-36500d`; a day is 24 hours here. `nil` and the empty text are no offset.
    static func clockOffset(_ text: String?) throws(CommandFailure) -> Int64 {
        guard let text, !text.isEmpty, text != "0s" else { return 0 }
        let units: [TimeSpan.Unit: Int64] = [.s: 1000, .m: 60_000, .h: .millisecondsPerHour, .d: .millisecondsPerDay]
        guard let span = TimeSpan(text.hasPrefix("-") ? String(text.dropFirst()) : text), let unit = units[span.unit]
        else { throw .usage("\(clockOffsetKey) is '\(text)': say a length of time such as 90s, -2h or -365d.") }
        return (text.hasPrefix("-") ? -1 : 1) * Int64(span.count) * unit
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
