/// One calendar period of the venue's local time. Parts sum to the whole, to the mWh and the ms.
///
/// An answer has tens of thousands of records, and nearly always all of a period is of one class of time. So a record is
/// that class and its sums, plain numbers; what follows from them is worked out when it is asked for.
public struct InsightRecord: Sendable {
    public var interval: Interval
    /// Of all parts; money and carbon only where these are of one class.
    @usableFromInline var sum: InsightTally
    /// Of all of it, if it has one part.
    @usableFromInline var item: InsightClass
    @usableFromInline var axes: RecordDetails.Axes
    /// What few records have. One reference, because each costs as much as the numbers.
    @usableFromInline var details: RecordDetails?

    public init(
        interval: Interval, deviceID: String? = nil, deviceKind: Device.Kind? = nil, total: InsightAmount,
        worth: InsightWorth = .none, byCleanliness: [Cleanliness: InsightAmount]? = nil,
        byTariff: [TariffPeak: InsightAmount]? = nil, byBand: [RatingBand: InsightAmount]? = nil
    ) {
        self.interval = interval
        (sum, item) = (InsightTally(amount: total), .unknown)
        axes = []
        if byCleanliness != nil { axes.insert(.cleanliness) }
        if byTariff != nil { axes.insert(.tariff) }
        if byBand != nil { axes.insert(.band) }
        let stated = RecordDetails.Stated(
            worth: worth, byCleanliness: byCleanliness ?? [:], byTariff: byTariff ?? [:], byBand: byBand ?? [:])
        let isEmpty = total == .zero && stated == .nothing
        guard !isEmpty || deviceID != nil || deviceKind != nil else { return }
        details = RecordDetails(deviceID, deviceKind, isEmpty ? .one : .stated(stated))
    }

    /// Makes a record that of a period with one class; of what device it is stays.
    ///
    /// It is filled where it stands, among others that begin alike: made by itself and moved it takes twice the time.
    @inlinable public mutating func fill(_ interval: Interval, _ tally: InsightTally, _ item: InsightClass) {
        (self.interval, sum, self.item) = (interval, tally, item)
        if details != nil { forgetParts() }
    }

    /// Makes a record that of a period with several classes, each once.
    public mutating func fill(_ interval: Interval, _ classes: [(key: InsightClass, value: InsightTally)]) {
        (self.interval, sum, item) = (interval, .zero, .unknown)
        for item in classes { sum += item.value }
        details = RecordDetails(deviceID, deviceKind, .several(classes))
    }

    @usableFromInline mutating func forgetParts() {
        if case .one = parts { return }
        details = RecordDetails(deviceID, deviceKind, .one)
    }

    public var total: InsightAmount { sum.amount }

    /// Of which device, when each is asked for by itself.
    public var deviceID: String? {
        get { details?.deviceID }
        set { details = RecordDetails(newValue, deviceKind, parts) }
    }

    /// Of which kind, when each device or kind is asked for by itself.
    public var deviceKind: Device.Kind? {
        get { details?.deviceKind }
        set { details = RecordDetails(deviceID, newValue, parts) }
    }

    /// What the total cost and emitted.
    public var worth: InsightWorth {
        get { reading(\.worth) { InsightWorth($0) } }
        set { state { $0.worth = newValue } }
    }

    /// `nil` unless asked for; a class without energy and run time is absent.
    public var byCleanliness: [Cleanliness: InsightAmount]? {
        get { axes.contains(.cleanliness) ? reading(\.byCleanliness) { $0.amounts(by: \.cleanliness) } : nil }
        set { split(.cleanliness, newValue, \.byCleanliness) }
    }

    /// `nil` unless asked for.
    public var byTariff: [TariffPeak: InsightAmount]? {
        get { axes.contains(.tariff) ? reading(\.byTariff) { $0.amounts(by: \.peak) } : nil }
        set { split(.tariff, newValue, \.byTariff) }
    }

    /// How well the time was rated that energy was used in; `nil` unless asked for.
    public var byBand: [RatingBand: InsightAmount]? {
        get { axes.contains(.band) ? reading(\.byBand) { $0.amounts(by: \.band) } : nil }
        set { split(.band, newValue, \.byBand) }
    }

    private var parts: RecordDetails.Parts { details?.parts ?? .one }

    private func reading<Value>(
        _ stated: KeyPath<RecordDetails.Stated, Value>, _ made: ([(key: InsightClass, value: InsightTally)]) -> Value
    ) -> Value {
        switch parts {
        case .one: made([(item, sum)])
        case .several(let classes): made(classes)
        case .stated(let parts): parts[keyPath: stated]
        }
    }

    private mutating func split<Part>(
        _ axis: RecordDetails.Axes, _ amounts: [Part: InsightAmount]?,
        _ place: WritableKeyPath<RecordDetails.Stated, [Part: InsightAmount]>
    ) {
        if amounts == nil { axes.remove(axis) } else { axes.insert(axis) }
        state { $0[keyPath: place] = (amounts ?? [:]).filter { $0.value != .zero } }
    }

    private mutating func state(_ change: (inout RecordDetails.Stated) -> Void) {
        var stated = RecordDetails.Stated(
            worth: worth, byCleanliness: byCleanliness ?? [:], byTariff: byTariff ?? [:], byBand: byBand ?? [:])
        change(&stated)
        details = RecordDetails(deviceID, deviceKind, .stated(stated))
    }
}

/// However it was made, what it says counts.
extension InsightRecord: Hashable {
    public static func == (lhs: InsightRecord, rhs: InsightRecord) -> Bool {
        lhs.interval == rhs.interval && lhs.deviceID == rhs.deviceID && lhs.deviceKind == rhs.deviceKind
            && lhs.total == rhs.total && lhs.worth == rhs.worth && lhs.byCleanliness == rhs.byCleanliness
            && lhs.byTariff == rhs.byTariff && lhs.byBand == rhs.byBand
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(interval)
        hasher.combine(deviceID)
        hasher.combine(deviceKind)
        hasher.combine(total)
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
