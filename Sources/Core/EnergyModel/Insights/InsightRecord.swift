/// One calendar period of the venue's local time. Parts sum to the whole, to the mWh and the ms.
public struct InsightRecord: Hashable, Sendable {
    public var interval: Interval
    /// Of which device, when each is asked for by itself.
    public var deviceID: String?
    /// Of which kind, when each device or kind is asked for by itself.
    public var deviceKind: Device.Kind?
    public var total: InsightAmount
    /// What the total cost and emitted.
    public var worth: InsightWorth
    /// `nil` unless asked for; a class without energy and run time is absent.
    public var byCleanliness: [Cleanliness: InsightAmount]?
    /// `nil` unless asked for.
    public var byTariff: [TariffPeak: InsightAmount]?
    /// How well the time was rated that energy was used in; `nil` unless asked for.
    public var byBand: [RatingBand: InsightAmount]?

    public init(
        interval: Interval, deviceID: String? = nil, deviceKind: Device.Kind? = nil, total: InsightAmount,
        worth: InsightWorth = .none, byCleanliness: [Cleanliness: InsightAmount]? = nil,
        byTariff: [TariffPeak: InsightAmount]? = nil, byBand: [RatingBand: InsightAmount]? = nil
    ) {
        self.interval = interval
        self.deviceID = deviceID
        self.deviceKind = deviceKind
        self.total = total
        self.worth = worth
        self.byCleanliness = byCleanliness
        self.byTariff = byTariff
        self.byBand = byBand
    }
}

/// Some of the records that answer a query.
public struct InsightPage: Hashable, Sendable {
    /// Sorted by device or kind where these are apart, then by start.
    public var records: [InsightRecord]
    /// The log is counted up to here.
    public var applied: [LogHead]

    public init(records: [InsightRecord], applied: [LogHead]) {
        self.records = records
        self.applied = applied
    }
}
