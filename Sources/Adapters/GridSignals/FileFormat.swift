public import EnergyModel
public import Foundation

/// What the times in a file mean: sources differ by one step, even inside EIA-930, where CISO labels an hour by its
/// start and ERCO and ISNE by its end.
public enum LabelConvention: String, Hashable, Sendable, CaseIterable {
    case start, end
}

/// Unit of the values in a file.
public enum CarbonUnit: String, Hashable, Sendable, CaseIterable {
    case gramsPerKilowattHour = "g/kWh"
    case kilogramsPerKilowattHour = "kg/kWh"
    case poundsPerMegawattHour = "lb/MWh"

    var grams: Double {
        switch self {
        case .gramsPerKilowattHour: 1
        case .kilogramsPerKilowattHour: 1000
        case .poundsPerMegawattHour: 0.45359237
        }
    }
}

/// How to read a file of carbon signals.
public struct FileFormat: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// Measured values: those that end later than `lagMilliseconds` before now are not known yet, even if the file,
        /// a recording, has them.
        case measured(lagMilliseconds: Int64)
        /// Predictions: all of them are known.
        case forecast
    }

    public var kind: SignalKind
    public var label: LabelConvention
    /// How long each value holds, where the file does not say: 1 minute to 1 day.
    public var stepMilliseconds: Int64
    /// Of labels without an offset of their own.
    public var timeZone: TimeZone
    public var unit: CarbonUnit
    public var content: Content
    /// CSV: the heading of the column of times.
    public var timeColumn: String
    /// CSV: the heading of the column of values.
    public var valueColumn: String

    public init(
        kind: SignalKind = .averageDirect, label: LabelConvention, stepMilliseconds: Int64 = .millisecondsPerHour,
        timeZone: TimeZone = .gmt, unit: CarbonUnit = .gramsPerKilowattHour,
        content: Content = .measured(lagMilliseconds: 0), timeColumn: String = "utc_time",
        valueColumn: String = "ci_direct_g_per_kwh"
    ) {
        self.kind = kind
        self.label = label
        self.stepMilliseconds = stepMilliseconds
        self.timeZone = timeZone
        self.unit = unit
        self.content = content
        self.timeColumn = timeColumn
        self.valueColumn = valueColumn
    }
}

/// What a file may hold at most.
public enum FileLimits {
    public static let bytesMax = 64 * 1024 * 1024
    public static let rowsMax = 2_000_000
}
