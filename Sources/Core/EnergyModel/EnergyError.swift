/// What went wrong, in terms of what the caller can do about it.
public struct EnergyError: Error, Hashable, Sendable {
    /// A struct, so that a new code breaks no caller's switch.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case invalidInput, notFound, conflict, denied, rateLimited, unavailable, outOfRange, dataLoss
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The same input fails again: tell the sender.
        public static let invalidInput = Code(.invalidInput)
        /// What was named does not exist.
        public static let notFound = Code(.notFound)
        /// Something changed first, or contradicts what is stored: read again, then decide.
        public static let conflict = Code(.conflict)
        /// The caller may not do this.
        public static let denied = Code(.denied)
        /// Too much at once: wait ``EnergyError/retryAfterMilliseconds``, then try again.
        public static let rateLimited = Code(.rateLimited)
        /// Not now: try later, a bounded number of times.
        public static let unavailable = Code(.unavailable)
        /// What was asked for is no longer, or not yet, kept; or it lies where no source reaches.
        public static let outOfRange = Code(.outOfRange)
        /// What is stored is damaged: trying again is of no use before somebody has repaired or restored it.
        public static let dataLoss = Code(.dataLoss)

        public var description: String { kind.rawValue }
    }

    public let code: Code
    /// One sentence for people: what was wrong and what would be right. Holds no secret.
    public let message: String
    /// Which part of the input broke which rule; empty unless the code is `invalidInput` or `conflict`.
    public let violations: [RuleViolation]
    /// How long to wait before the next try, with `unavailable` and `rateLimited`.
    public let retryAfterMilliseconds: Int64?
    /// With `unavailable`: nothing was begun, another replica of the service may do it.
    public private(set) var isForAnother = false

    public init(
        _ code: Code, _ message: String, violations: [RuleViolation] = [], retryAfterMilliseconds: Int64? = nil
    ) {
        self.code = code
        self.message = message
        self.violations = violations
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// - Parameter message: why this replica does not do it.
    public static func forAnother(_ message: String) -> EnergyError {
        var error = EnergyError(.unavailable, message, retryAfterMilliseconds: 500)
        error.isForAnother = true
        return error
    }

    public static func invalidInput(_ violation: RuleViolation) -> EnergyError {
        EnergyError(.invalidInput, violation.description, violations: [violation])
    }
}

/// One broken rule: where, which, and what was sent instead.
public struct RuleViolation: Hashable, Sendable, CustomStringConvertible {
    /// Of the element in the request's list; `nil` if the request has none.
    public let index: Int?
    /// The field by its name in `proto/`, for example `vehicle_load.energy_mwh`.
    public let field: String
    /// What would be right, for example `must not fall within a session`.
    public let rule: String
    public let value: String

    public init(index: Int? = nil, field: String, rule: String, value: String) {
        self.index = index
        self.field = field
        self.rule = rule
        self.value = value
    }

    public var description: String {
        (index.map { "event \($0): " } ?? "") + "\(field) \(rule), but is \(value)"
    }

    public func at(index: Int) -> RuleViolation {
        RuleViolation(index: index, field: field, rule: rule, value: value)
    }
}
