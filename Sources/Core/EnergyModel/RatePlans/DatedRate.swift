/// A span of absolute time in which a contract departs from its zones: a critical-peak event, a price for one hour.
public struct DatedRate: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        /// Before charges, in place of what the zones say.
        case price(Price)
        /// Thousandths of what the zones say: 3,500 is three and a half times. `0...100_000`.
        case multiplier(permille: Int64)
    }

    public var interval: Interval
    /// `nil` leaves the price as it is.
    public var change: Change?
    /// `nil` leaves the price for energy that is fed in as it is.
    public var exportPrice: Price?
    /// ``TariffPeak/unknown`` leaves the peak as it is.
    public var peak: TariffPeak

    public init(
        interval: Interval, change: Change? = nil, exportPrice: Price? = nil, peak: TariffPeak = .unknown
    ) {
        self.interval = interval
        self.change = change
        self.exportPrice = exportPrice
        self.peak = peak
    }
}
