public import Foundation

/// A question about past energy or run time.
public struct ElectricityInsightQuery: Codable, Sendable {
    /// The breakdowns of the answer; none gives totals only.
    public struct Options: OptionSet, Codable, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// By how clean the grid was: ``ElectricityInsightRecord/dataByGridCleanliness``.
        public static let cleanliness = Options(rawValue: 1 << 0)
        /// By what electricity cost: ``ElectricityInsightRecord/dataByTariffPeak``.
        public static let tariff = Options(rawValue: 1 << 1)
    }

    /// The length of a record, and what the asked range is widened to, in the venue's local time.
    public enum Granularity: Codable, Hashable, Sendable {
        /// Whole weeks.
        case hourly
        /// Whole months.
        case daily
        /// From the first Monday of January or July to the first Monday of July or January.
        case weekly
        /// Whole years.
        case monthly
        /// Whole years.
        case yearly
    }

    public let options: Options
    /// Any: it is widened, never refused.
    public let range: DateInterval
    public let granularity: Granularity
    public let flowDirection: ElectricityFlowDirection

    public init(
        options: Options, range: DateInterval, granularity: Granularity, flowDirection: ElectricityFlowDirection
    ) {
        self.options = options
        self.range = range
        self.granularity = granularity
        self.flowDirection = flowDirection
    }
}
