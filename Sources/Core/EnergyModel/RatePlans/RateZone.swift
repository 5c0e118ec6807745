/// One priced part of the day, week and year.
public struct RateZone: Hashable, Sendable {
    /// What the contract calls it, for example `Summer On-Peak`; up to 100 UTF-16 units, may be empty.
    public var name: String
    /// Of the first kilowatt-hours; ``tiers`` say what later ones cost.
    public var price: Price
    /// Ascending by energy; at most 20. Empty: ``price`` holds for all energy.
    public var tiers: [RateTier]
    public var peak: TariffPeak
    /// The peak was found by comparing prices: the contract does not name it.
    public var isPeakDerived: Bool
    /// Bits 0 (Monday) to 6 (Sunday, and holidays); 0 means every day.
    public var weekdays: UInt32
    /// Bits 0 (January) to 11 (December); 0 means every month.
    public var months: UInt32
    /// `nil` means all year. With ``months`` both must match.
    public var season: Season?
    /// Minute of the local day, `0...1439`.
    public var startMinute: Int
    /// Exclusive, `1...1440`. At or before `startMinute` the zone runs over midnight and belongs to the day it starts.
    public var endMinute: Int

    public init(
        name: String = "", price: Price, tiers: [RateTier] = [], peak: TariffPeak, isPeakDerived: Bool = false,
        weekdays: UInt32 = 0, months: UInt32 = 0, season: Season? = nil, startMinute: Int = 0, endMinute: Int = 1440
    ) {
        self.name = name
        self.price = price
        self.tiers = tiers
        self.peak = peak
        self.isPeakDerived = isPeakDerived
        self.weekdays = weekdays
        self.months = months
        self.season = season
        self.startMinute = startMinute
        self.endMinute = endMinute
    }

    /// The price of the next kilowatt-hour.
    ///
    /// - Parameter used: since the billing month began.
    public func price(after used: Energy) -> Price { tiers.last { $0.above <= used }?.price ?? price }
}

/// What energy costs beyond an amount.
public struct RateTier: Hashable, Sendable {
    /// Energy since the billing month began from which on the price holds; above 0.
    public var above: Energy
    public var price: Price

    public init(above: Energy, price: Price) {
        self.above = above
        self.price = price
    }
}

/// Part of every year, first and last day included; over New Year if the last is before the first.
public struct Season: Hashable, Sendable {
    /// A day of any year.
    public struct Day: Hashable, Comparable, Sendable {
        /// `1...12`.
        public let month: Int
        /// `1...31`; the 29th of February is there in leap years only.
        public let day: Int

        /// - Returns: `nil` for a day that no year has.
        public init?(month: Int, day: Int) {
            guard 1...12 ~= month, 1...[31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ~= day else {
                return nil
            }
            self.month = month
            self.day = day
        }

        public static func < (lhs: Day, rhs: Day) -> Bool { (lhs.month, lhs.day) < (rhs.month, rhs.day) }
    }

    public let first: Day
    public let last: Day

    public init(first: Day, last: Day) {
        self.first = first
        self.last = last
    }

    public func contains(_ day: Day) -> Bool {
        first <= last ? first <= day && day <= last : first <= day || day <= last
    }
}
