public import EnergyModel
internal import Foundation
public import Logging

/// Writes log lines to a sink, as text or JSON.
public struct ServiceLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    public var logLevel: Logger.Level

    private let label: String
    private let format: LogFormat
    private let isColoured: Bool
    private let clock: any WallClock
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes one line with its newline, from any thread.
    public init(
        label: String, level: Logger.Level, format: LogFormat, isColoured: Bool = false,
        clock: any WallClock = SystemWallClock(), write: @escaping @Sendable (String) -> Void = standardError
    ) {
        self.label = label
        self.format = format
        self.isColoured = isColoured
        self.clock = clock
        self.write = write
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all[ServiceKeys.error] = "\(error)" }
        let line = LogLine(
            unixMilliseconds: clock.now.unixMilliseconds, level: event.level, label: label,
            message: "\(event.message)", metadata: all.sorted { $0.key < $1.key })
        write((format == .json ? line.json() : line.text(isColoured: isColoured)) + "\n")
    }

    /// One `write` a line, so that lines of several threads, and of several processes on one terminal, do not mix.
    public static let standardError: @Sendable (String) -> Void = { line in
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                // A closed or full standard error is no reason for a service to end.
                guard count > 0 || errno == EINTR else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
            }
        }
    }

    /// Colour on a terminal, unless `NO_COLOR` is set to anything (https://no-color.org).
    static func isColoured(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb" && isatty(STDERR_FILENO) == 1
    }
}
