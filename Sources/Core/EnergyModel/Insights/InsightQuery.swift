public import Foundation

public enum Granularity: String, Hashable, Sendable, CaseIterable, Codable {
    case quarterHourly, hourly, daily, weekly, monthly, yearly
}

/// What the records of an answer are each about.
public enum InsightGrouping: String, Hashable, Sendable, CaseIterable, Codable {
    /// All that is asked about, together.
    case venue
    /// Each kind of device by itself.
    case kind
    case device
}

/// A question about past energy and run time.
public struct InsightQuery: Hashable, Sendable {
    public var venueID: UUID
    /// `nil` asks for the whole venue.
    public var deviceID: String?
    /// `nil` asks for every kind.
    public var deviceKind: Device.Kind?
    public var grouping: InsightGrouping
    /// At most 5 years and a window.
    public var range: Interval
    public var granularity: Granularity
    public var direction: FlowDirection
    public var byCleanliness: Bool
    public var byTariff: Bool
    public var byBand: Bool
    /// Only the records that touch `range`; otherwise it is widened to calendar windows as EnergyKit documents.
    public var exactRange: Bool

    public init(
        venueID: UUID, deviceID: String?, deviceKind: Device.Kind? = nil, grouping: InsightGrouping = .venue,
        range: Interval, granularity: Granularity, direction: FlowDirection = .imported, byCleanliness: Bool = false,
        byTariff: Bool = false, byBand: Bool = false, exactRange: Bool = false
    ) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.deviceKind = deviceKind
        self.grouping = grouping
        self.range = range
        self.granularity = granularity
        self.direction = direction
        self.byCleanliness = byCleanliness
        self.byTariff = byTariff
        self.byBand = byBand
        self.exactRange = exactRange
    }
}

/// What changed in the projection.
public struct InsightChange: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String
    public let interval: Interval

    public init(venueID: UUID, deviceID: String, interval: Interval) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.interval = interval
    }
}
