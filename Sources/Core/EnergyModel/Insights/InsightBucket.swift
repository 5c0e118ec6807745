public import Foundation

/// What is counted together, over time: one device's energy in one direction.
public struct InsightSeries: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String
    public let kind: Device.Kind
    public let direction: FlowDirection

    public init(venueID: UUID, deviceID: String, kind: Device.Kind, direction: FlowDirection) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.kind = kind
        self.direction = direction
    }
}

/// The smallest thing that is counted: one class of one quarter of an hour of one series.
public struct InsightBucket: Hashable, Sendable {
    /// A quarter of an hour: since 1972 the full hours of every zone fall on UTC quarters. A bucket belongs to the period
    /// that holds its start, which matters only where clocks changed at 00:01.
    public static let milliseconds: Int64 = 15 * .millisecondsPerMinute

    public let series: InsightSeries
    /// A whole quarter of an hour UTC.
    public let start: Timestamp
    public let `class`: InsightClass

    public init(series: InsightSeries, start: Timestamp, class: InsightClass) {
        self.series = series
        self.start = start
        self.`class` = `class`
    }
}
