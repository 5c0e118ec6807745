internal import EnergyModel
internal import Foundation
internal import Synchronization

/// Says why, where an ``EnergyKitError`` only says what: which event, which field, which rule, as the service put it.
///
/// With `ENERGYKIT_LOG=1` in the environment, and no handler, it is written to standard error.
public enum EnergyKitDiagnostics {
    /// One failure.
    public struct Report: Hashable, Sendable {
        /// What the program was given.
        public let error: EnergyKitError
        /// A sentence of the service, without secrets.
        public let message: String
        /// One sentence per broken rule: event, field, rule, value.
        public let details: [String]
    }

    private static let current = Mutex<(@Sendable (Report) -> Void)?>(nil)
    private static let isLogging = ProcessInfo.processInfo.environment["ENERGYKIT_LOG"].map { $0 != "0" } ?? false

    /// - Parameter handler: told of every failure, from any task; must return soon. `nil` for none.
    public static func setHandler(_ handler: (@Sendable (Report) -> Void)?) {
        current.withLock { $0 = handler }
    }

    static func report(_ error: EnergyKitError, _ message: String, details: [String] = []) {
        let report = Report(error: error, message: message, details: details)
        if let handler = current.withLock({ $0 }) { return handler(report) }
        guard isLogging else { return }
        let lines = (["EnergyKit: \(error): \(message)"] + details.map { "  \($0)" }).joined(separator: "\n")
        // Nobody reads it: then it need not be written.
        try? FileHandle.standardError.write(contentsOf: Data((lines + "\n").utf8))
    }
}
