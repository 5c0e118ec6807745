public import Foundation

public enum Granularity: String, Hashable, Sendable, CaseIterable, Codable {
    case hourly, daily, weekly, monthly, yearly
}

/// A question about past energy and run time.
public struct InsightQuery: Hashable, Sendable {
    public var venueID: UUID
    /// `nil` asks for the whole venue.
    public var deviceID: String?
    /// At most 5 years and a window.
    public var range: Interval
    public var granularity: Granularity
    public var direction: FlowDirection
    public var byCleanliness: Bool
    public var byTariff: Bool
    /// Only the records that touch `range`; otherwise it is widened to calendar windows as EnergyKit documents.
    public var exactRange: Bool

    public init(
        venueID: UUID, deviceID: String?, range: Interval, granularity: Granularity,
        direction: FlowDirection = .imported, byCleanliness: Bool = false, byTariff: Bool = false,
        exactRange: Bool = false
    ) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.range = range
        self.granularity = granularity
        self.direction = direction
        self.byCleanliness = byCleanliness
        self.byTariff = byTariff
        self.exactRange = exactRange
    }
}

/// Energy and run time, together.
public struct InsightAmount: Hashable, Sendable, AdditiveArithmetic {
    public var energy: Energy
    /// Time with power > 0 or stage > 0.
    public var runtimeMilliseconds: Int64

    public static let zero = InsightAmount(energy: .zero, runtimeMilliseconds: 0)

    public init(energy: Energy, runtimeMilliseconds: Int64) {
        self.energy = energy
        self.runtimeMilliseconds = runtimeMilliseconds
    }

    // Saturating: sums of what senders claim must not stop the service, however much they claim.
    public static func + (lhs: InsightAmount, rhs: InsightAmount) -> InsightAmount {
        InsightAmount(
            energy: Energy(milliwattHours: saturated(lhs.energy.milliwattHours, rhs.energy.milliwattHours)),
            runtimeMilliseconds: saturated(lhs.runtimeMilliseconds, rhs.runtimeMilliseconds))
    }
    public static func - (lhs: InsightAmount, rhs: InsightAmount) -> InsightAmount {
        InsightAmount(
            energy: lhs.energy - rhs.energy, runtimeMilliseconds: lhs.runtimeMilliseconds - rhs.runtimeMilliseconds)
    }

    private static func saturated(_ lhs: Int64, _ rhs: Int64) -> Int64 {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        return overflow ? (lhs < 0 ? .min : .max) : sum
    }
}

/// One calendar period of the venue's local time. Parts sum to the whole, to the mWh and the ms.
public struct InsightRecord: Hashable, Sendable {
    public var interval: Interval
    public var total: InsightAmount
    /// `nil` unless asked for; a class without energy and run time is absent.
    public var byCleanliness: [Cleanliness: InsightAmount]?
    /// `nil` unless asked for.
    public var byTariff: [TariffPeak: InsightAmount]?

    public init(
        interval: Interval, total: InsightAmount, byCleanliness: [Cleanliness: InsightAmount]? = nil,
        byTariff: [TariffPeak: InsightAmount]? = nil
    ) {
        self.interval = interval
        self.total = total
        self.byCleanliness = byCleanliness
        self.byTariff = byTariff
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

/// Some of the records that answer a query.
public struct InsightPage: Hashable, Sendable {
    /// Sorted by start.
    public var records: [InsightRecord]
    /// The log is counted up to here.
    public var applied: [LogHead]

    public init(records: [InsightRecord], applied: [LogHead]) {
        self.records = records
        self.applied = applied
    }
}
