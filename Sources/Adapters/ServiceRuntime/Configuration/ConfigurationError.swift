internal import EnergyModel

/// Why a service does not start: every problem that was found, not only the first.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [ConfigurationProblem]

    public init(_ problems: [ConfigurationProblem]) { self.problems = problems }
    public init(_ problem: ConfigurationProblem) { self.init([problem]) }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One wrong key or value: where it stands, what it is, what would be right.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// `FILE:LINE:COLUMN`, a flag, or an environment variable.
    public let origin: String
    /// The key as the origin writes it.
    public let key: String
    /// For example `'soon' is not allowed; allowed: a duration from 0s to 10m`.
    public let reason: String

    public init(origin: String, key: String, reason: String) {
        self.origin = origin
        self.key = key
        self.reason = reason
    }

    static func wrongValue(origin: String, key: String, value: String, allowed: String, isSecret: Bool = false) -> Self
    {
        let shown = isSecret ? "the value" : "'\(value.prefix(100))'"
        return Self(origin: origin, key: key, reason: "\(shown) is not allowed; allowed: \(allowed)")
    }

    /// - Parameter name: what stands there of the key, if that is not all of it.
    static func unknownKey(origin: String, key: String, name: String? = nil, known: [String]) -> Self {
        let suggestion: String =
            if let near = NearMiss.nearest(to: name ?? key, in: known) {
                "did you mean '\(near)'?"
            } else {
                "allowed: \(known.sorted().joined(separator: ", "))"
            }
        return Self(origin: origin, key: key, reason: "is not known; \(suggestion)")
    }

    public var description: String { origin == key ? "\(key) \(reason)" : "\(origin): \(key): \(reason)" }
}
