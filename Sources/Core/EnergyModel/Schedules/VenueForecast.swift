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

    /// Of each list.
    public static let valuesMax = 2_000

    public let venueID: UUID
    /// Sorted, without overlaps; what is not in them is 0.
    public let photovoltaics: [Value]
    /// Sorted, without overlaps; what is not in them is ``VenueLimits/baseLoad``.
    public let baseLoad: [Value]

    public init(venueID: UUID, photovoltaics: [Value] = [], baseLoad: [Value] = []) {
        self.venueID = venueID
        self.photovoltaics = photovoltaics
        self.baseLoad = baseLoad
    }

    public var isEmpty: Bool { photovoltaics.isEmpty && baseLoad.isEmpty }

    /// Values that are not in order, by field.
    public var violations: [RuleViolation] {
        [("photovoltaics", photovoltaics), ("base_load", baseLoad)].compactMap { field, values in
            zip(values, values.dropFirst()).contains { $0.interval.end > $1.interval.start }
                ? RuleViolation(field: field, rule: "must be sorted, without overlaps", value: "\(values.count) values")
                : nil
        }
    }
}
