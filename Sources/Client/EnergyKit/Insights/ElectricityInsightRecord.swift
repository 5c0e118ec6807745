public import Foundation

/// What a device used, or produced, in one calendar period of its venue.
///
/// Parts sum to the total, to the milliwatt-hour and the millisecond. A class in which nothing happened is `nil`.
public struct ElectricityInsightRecord<Measure>: Sendable where Measure: ElectricityInsightMeasure {
    /// From the start of the period to the start of the next, in the venue's local time.
    public let range: DateInterval
    /// Of ``ElectricityInsightService/energyInsights(forDeviceID:using:atVenue:)`` only; `nil` where none was reported, as
    /// by heating and cooling.
    public var totalEnergy: Measurement<UnitEnergy>?
    /// Of ``ElectricityInsightService/runtimeInsights(forDeviceID:using:atVenue:)`` only.
    public var totalRuntime: Duration?
    /// `nil` unless ``ElectricityInsightQuery/Options/cleanliness`` was asked for.
    public var dataByGridCleanliness: GridCleanliness?
    /// `nil` unless ``ElectricityInsightQuery/Options/tariff`` was asked for and a rate was known.
    public var dataByTariffPeak: TariffPeak?
}

extension ElectricityInsightRecord {
    /// By how clean the grid was at the time, as it was known then.
    public struct GridCleanliness: Sendable {
        public var cleaner: Measure?
        public var lessClean: Measure?
        /// Reserved: nothing is counted here.
        public var avoid: Measure?
        /// How clean the grid was is not known.
        public var unknown: Measure?

        public init(cleaner: Measure?, lessClean: Measure?, avoid: Measure?, unknown: Measure?) {
            self.cleaner = cleaner
            self.lessClean = lessClean
            self.avoid = avoid
            self.unknown = unknown
        }
    }

    /// By the rate at the time, as it was then.
    public struct TariffPeak: Sendable {
        public var superOffPeak: Measure?
        public var offPeak: Measure?
        public var partialPeak: Measure?
        public var onPeak: Measure?
        public var criticalPeak: Measure?
        /// What electricity cost is not known.
        public var unknown: Measure?

        public init(
            superOffPeak: Measure?, offPeak: Measure?, partialPeak: Measure?, onPeak: Measure?,
            criticalPeak: Measure?, unknown: Measure?
        ) {
            self.superOffPeak = superOffPeak
            self.offPeak = offPeak
            self.partialPeak = partialPeak
            self.onPeak = onPeak
            self.criticalPeak = criticalPeak
            self.unknown = unknown
        }
    }
}
