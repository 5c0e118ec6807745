/// What is wrong, or odd, with a contract that breaks no rule.
public struct RatePlanFinding: Hashable, Sendable, CustomStringConvertible {
    public enum Severity: String, Hashable, Sendable {
        /// The contract does not say what it should.
        case error
        /// It may well be meant.
        case warning
        /// Nothing is wrong: what a reader should know.
        case note
    }

    public let severity: Severity
    /// For example `zones[3]`, or a path in the document that the plan was read from.
    public let place: String
    public let message: String

    public init(_ severity: Severity, at place: String, _ message: String) {
        self.severity = severity
        self.place = place
        self.message = message
    }

    public var description: String { "\(severity.rawValue): \(place): \(message)" }
}
