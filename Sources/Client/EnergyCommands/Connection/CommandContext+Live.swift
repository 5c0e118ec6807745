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
        let installation = try ClientFile(options, environment)
        var context = CommandContext(
            endpoints: installation.endpoints, output: output,
            style: output.style(environment),
            wallClock: SystemWallClock(offsetMilliseconds: try clockOffset(environment[clockOffsetKey])),
            clock: ContinuousClock(), timeout: options.timeout, tools: EnergyControl.tools
        ) { (service, endpoint) throws(CommandFailure) in
            let security = installation.keys?.security(for: service)
            guard installation.keys == nil || security != nil else {
                throw .usage("the client's file has no key of the service '\(service.rawValue)'.")
            }
            do throws(CallFailure) {
                return try ZeroMQClient(
                    requestAddresses: endpoint.requestAddresses, publishAddresses: endpoint.publishAddresses,
                    security: security)
            } catch {
                // Only an address that is wrong fails here: that nobody is there shows when something is asked.
                throw CommandFailure(.usage, "endpoints: \(error.message)")
            }
        }
        context.measure = { output.style(environment) }
        context.ask = { output.ask($0) }
        let (keys, timeout) = (installation.keys, options.timeout)
        context.addressState = { service, address, use in
            await AddressProbe(
                service: service, address: address, use: use, security: keys?.security(for: service), timeout: timeout,
                clock: ContinuousClock()
            ).state()
        }
        context.found = { endpoint in
            guard endpoint.isListed else { return endpoint }
            return await withCheckedContinuation { continuation in
                let once = Once(continuation)
                // Looking up blocks, and cannot be told to stop.
                Thread.detachNewThread { once.resume(endpoint.found()) }
                once.alarm(
                    Task {
                        try? await ContinuousClock().sleep(for: timeout * 2)
                        once.resume(endpoint)
                    })
            }
        }
        context.isLimited = installation.keys != nil && installation.venues != nil
        return context
    }

    /// The services' setting `clock.offset`: whoever replays recorded data asks about the time that they are in.
    static let clockOffsetKey = "GRIDTIDE_CLOCK_OFFSET"

    /// - Parameter text: `90s`, `-2h`, `PT1H30M`: as `clock.offset` takes it. `nil` and the empty text are no offset.
    static func clockOffset(_ text: String?) throws(CommandFailure) -> Int64 {
        guard let text, !text.isEmpty else { return 0 }
        guard let offset = Duration(text: text) else {
            throw .usage("\(clockOffsetKey) is '\(text)': say a length of time such as 90s, -2h, -365d or PT1H30M.")
        }
        return offset.wholeMilliseconds
    }
}

/// Standard output and standard error of this process.
final class ProcessOutput: CommandOutput {
    private let lock = Mutex(())

    func style(_ environment: [String: String]) -> Style {
        let size = Self.size(of: STDOUT_FILENO)
        return Style(terminalWidth: size?.columns, terminalHeight: size?.rows, environment: environment)
    }

    /// - Returns: `nil` for what is no terminal.
    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    }

    var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    func line(_ text: String) { bytes(Array("\(text)\n".utf8)) }

    func bytes(_ bytes: [UInt8]) {
        guard let code = write(bytes, to: STDOUT_FILENO) else { return }
        // Whoever read the output has closed it: there is nobody left to tell. Anything else is an answer that is lost.
        if code == EPIPE { exit(0) }
        note("Error: the answer cannot be written: \(String(cString: strerror(code)).lowercased())")
        exit(CommandFailure.Exit.failure.rawValue)
    }

    /// On lines as wide as the terminal; a path or a command that is longer has a line of its own.
    func note(_ text: String) {
        var text = text
        if let columns = Self.size(of: STDERR_FILENO)?.columns {
            text = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap {
                $0.hasPrefix("Usage: ") ? HelpText.usage($0, columns: columns) : TerminalText.fitted($0, to: columns)
            }.joined(separator: "\n")
        }
        _ = write(Array("\(text)\n".utf8), to: STDERR_FILENO)
    }

    func progress(_ text: String?) {
        // A terminal without such commands would show them.
        guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else { return }
        // To the line's start, and what stands on it away.
        _ = write(Array("\r\u{1B}[2K\(text ?? "")".utf8), to: STDERR_FILENO)
    }

    /// - Returns: what was typed, `nil` when nobody sits at a terminal.
    func ask(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        _ = write(Array(question.utf8), to: STDERR_FILENO)
        return readLine(strippingNewline: true) ?? ""
    }

    /// - Returns: the error's number, `nil` when all was written.
    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        lock.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Whoever shares the terminal or the pipe may have made it one that does not wait.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}
