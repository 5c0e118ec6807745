public import Foundation

/// A time-of-use contract: zones of local time, each with a price. The last zone that matches wins.
public struct RatePlan: Hashable, Sendable, Identifiable {
    public let id: String
    public var name: String
    /// ISO 4217 code of the prices.
    public var currency: String
    /// The clock that the zones are read on.
    public var timeZone: TimeZone
    /// At most 200. Times that no zone matches have no known price.
    public var zones: [RateZone]
    public var changed: Timestamp

    public init(
        id: String, name: String, currency: String, timeZone: TimeZone, zones: [RateZone], changed: Timestamp
    ) {
        self.id = id
        self.name = name
        self.currency = currency
        self.timeZone = timeZone
        self.zones = zones
        self.changed = changed
    }
}

/// One priced part of the week and year.
public struct RateZone: Hashable, Sendable {
    public var price: Price
    public var peak: TariffPeak
    /// Bits 0 (Monday) to 6 (Sunday); 0 means every day.
    public var weekdays: UInt32
    /// Bits 0 (January) to 11 (December); 0 means every month.
    public var months: UInt32
    /// Minute of the local day, `0...1439`.
    public var startMinute: Int
    /// Exclusive, `1...1440`. At or before `startMinute` the zone runs over midnight and belongs to the day it starts.
    public var endMinute: Int

    public init(
        price: Price, peak: TariffPeak, weekdays: UInt32 = 0, months: UInt32 = 0, startMinute: Int = 0,
        endMinute: Int = 1440
    ) {
        self.price = price
        self.peak = peak
        self.weekdays = weekdays
        self.months = months
        self.startMinute = startMinute
        self.endMinute = endMinute
    }
}

/// How busy, and dear, the contract calls a time.
public enum TariffPeak: String, CaseIterable, Hashable, Sendable, Codable {
    case superOffPeak, offPeak, partialPeak, onPeak, criticalPeak, unknown
}
