public import Foundation

/// How the grid and the contract classed a moment.
public struct InsightClass: Hashable, Sendable {
    public let cleanliness: Cleanliness
    public let peak: TariffPeak

    /// Nothing is known of the moment.
    public static let unknown = InsightClass(cleanliness: .unknown, peak: .unknown)

    public init(cleanliness: Cleanliness, peak: TariffPeak) {
        self.cleanliness = cleanliness
        self.peak = peak
    }
}

/// What is counted together, over time: one device's energy in one direction.
public struct InsightSeries: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String
    public let direction: FlowDirection

    public init(venueID: UUID, deviceID: String, direction: FlowDirection) {
        self.venueID = venueID
        self.deviceID = deviceID
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
