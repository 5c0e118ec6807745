/// One calendar period of the venue's local time. Parts sum to the whole, to the mWh and the ms.
public struct InsightRecord: Hashable, Sendable {
    public var interval: Interval
    /// Of which device, when each is asked for by itself.
    public var deviceID: String?
    /// Of which kind, when each device or kind is asked for by itself.
    public var deviceKind: Device.Kind?
    public private(set) var total: InsightAmount
    /// What the total cost and emitted.
    public var worth: InsightWorth
    private var splits: AmountSplits

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
        splits = AmountSplits(of: total, byCleanliness: byCleanliness, byTariff: byTariff, byBand: byBand)
    }

    /// Adds what a class of the period adds up to, to the splits that are not `nil` too.
    ///
    /// Everything that it calls becomes part of it: of an answer with tens of thousands of records the calls are a tenth.
    public mutating func add(_ tally: InsightTally, _ item: InsightClass) {
        if tally.amount != .zero {
            splits.add(tally.amount, item, to: total)
            total += tally.amount
        }
        worth.add(tally, item)
    }

    /// `nil` unless asked for; a class without energy and run time is absent.
    public var byCleanliness: [Cleanliness: InsightAmount]? {
        get { splits.amounts(of: total, by: .cleanliness, \.cleanliness) }
        set { splits = AmountSplits(of: total, byCleanliness: newValue, byTariff: byTariff, byBand: byBand) }
    }

    /// `nil` unless asked for.
    public var byTariff: [TariffPeak: InsightAmount]? {
        get { splits.amounts(of: total, by: .tariff, \.peak) }
        set { splits = AmountSplits(of: total, byCleanliness: byCleanliness, byTariff: newValue, byBand: byBand) }
    }

    /// How well the time was rated that energy was used in; `nil` unless asked for.
    public var byBand: [RatingBand: InsightAmount]? {
        get { splits.amounts(of: total, by: .band, \.band) }
        set { splits = AmountSplits(of: total, byCleanliness: byCleanliness, byTariff: byTariff, byBand: newValue) }
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
