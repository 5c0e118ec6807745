public import Foundation

/// What a venue expects of photovoltaics and of what is not planned.
public struct VenueForecast: Hashable, Sendable {
    /// A mean power.
    public struct Value: Hashable, Sendable {
        public let interval: Interval
        /// Over all phases.
        public let power: Power

        public init(interval: Interval, power: Power) {
            self.interval = interval
            self.power = power
        }
    }

    /// A mean temperature outdoors.
    public struct Temperature: Hashable, Sendable {
        public let interval: Interval
        /// `-100...100`.
        public let celsius: Double

        public init(interval: Interval, celsius: Double) {
            self.interval = interval
            self.celsius = celsius
        }
    }

    /// Of each list.
    public static let valuesMax = 2_000

    public let venueID: UUID
    /// Sorted, without overlaps; what is not in them is 0.
    public let photovoltaics: [Value]
    /// Sorted, without overlaps; what is not in them is ``VenueLimits/baseLoad``.
    public let baseLoad: [Value]
    /// Sorted, without overlaps; what is not in them is what the device says.
    public let outdoor: [Temperature]

    public init(
        venueID: UUID, photovoltaics: [Value] = [], baseLoad: [Value] = [], outdoor: [Temperature] = []
    ) {
        self.venueID = venueID
        self.photovoltaics = photovoltaics
        self.baseLoad = baseLoad
        self.outdoor = outdoor
    }

    public var isEmpty: Bool { photovoltaics.isEmpty && baseLoad.isEmpty && outdoor.isEmpty }

    /// Values that are not in order, or all past, by field.
    public func violations(now: Timestamp) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        for (field, intervals) in [
            ("photovoltaics", photovoltaics.map(\.interval)), ("base_load", baseLoad.map(\.interval)),
            ("outdoor", outdoor.map(\.interval)),
        ] {
            if zip(intervals, intervals.dropFirst()).contains(where: { $0.end > $1.start }) {
                violations.append(
                    RuleViolation(
                        field: field, rule: "must be sorted, without overlaps", value: "\(intervals.count) values"))
            } else if let last = intervals.last, last.end <= now {
                violations.append(
                    RuleViolation(field: field, rule: "must reach beyond now, \(now)", value: "over at \(last.end)"))
            }
        }
        if let strange = outdoor.first(where: { !(-100...100 ~= $0.celsius) }) {
            violations.append(
                RuleViolation(field: "outdoor", rule: "must be -100 to 100 °C", value: "\(strange.celsius)"))
        }
        return violations
    }
}
