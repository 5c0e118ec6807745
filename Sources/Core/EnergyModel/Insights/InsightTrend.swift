/// How a period differs from the one before it.
public struct InsightTrend: Hashable, Sendable {
    public let record: InsightRecord
    /// The period right before, of the same device or kind; `nil` if nothing was counted in it.
    public let previous: InsightRecord?

    /// - Parameter records: of one question, sorted as its answer is.
    public static func trends(of records: [InsightRecord]) -> [InsightTrend] {
        records.indices.map { index in
            let record = records[index]
            let before = index > 0 ? records[index - 1] : nil
            let isNeighbour =
                before?.interval.end == record.interval.start && before?.deviceID == record.deviceID
                && before?.deviceKind == record.deviceKind
            return InsightTrend(record: record, previous: isNeighbour ? before : nil)
        }
    }

    /// Relative: 0.1 is a tenth more; `nil` without a period before, or if there was nothing in it.
    public var energyChange: Double? {
        Self.change(
            Double(record.total.energy.milliwattHours), (previous?.total.energy.milliwattHours).map(Double.init))
    }

    /// Of the run time, which heating and cooling report in place of energy.
    public var runtimeChange: Double? {
        Self.change(Double(record.total.runtimeMilliseconds), (previous?.total.runtimeMilliseconds).map(Double.init))
    }

    /// Of the money; `nil` unless both periods have one currency and it is the same.
    public var costChange: Double? {
        guard let now = record.knownWorth.costs.only, let before = previous?.knownWorth.costs.only,
            now.currency == before.currency
        else { return nil }
        return Self.change(Double(now.micros), Double(before.micros))
    }

    /// Of the average price paid.
    public var priceChange: Double? {
        guard let now = record.worth.averagePrice, let before = previous?.worth.averagePrice,
            record.worth.costs.only?.currency == previous?.worth.costs.only?.currency
        else { return nil }
        return Self.change(Double(now.microsPerKilowattHour), Double(before.microsPerKilowattHour))
    }

    /// Of the average carbon intensity; `nil` unless both periods have one kind and it is the same.
    public var carbonIntensityChange: Double? {
        guard let now = record.worth.carbon.only, let before = previous?.worth.carbon.only, now.kind == before.kind,
            let intensity = now.gramsPerKilowattHour
        else { return nil }
        return Self.change(intensity, before.gramsPerKilowattHour)
    }

    private static func change(_ now: Double, _ before: Double?) -> Double? {
        before.flatMap { $0 == 0 ? nil : (now - $0) / $0.magnitude }
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? first : nil }
}
