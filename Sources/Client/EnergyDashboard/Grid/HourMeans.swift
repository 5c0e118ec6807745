internal import EnergyModel

/// The mean price of each hour of the day, on a home's clocks: each price counts for as long as it held.
struct HourMeans: Hashable, Sendable {
    private var sums: [Int: Sum] = [:]

    private struct Sum: Hashable {
        var (product, milliseconds) = (0.0, 0.0)
    }

    /// - Parameter hour: 0 to 23.
    subscript(hour: Int) -> Price? {
        guard let sum = sums[hour] else { return nil }
        return Int64(exactly: (sum.product / sum.milliseconds).rounded()).map(Price.init(microsPerKilowattHour:))
    }

    var prices: [Price] { sums.keys.compactMap { self[$0] } }

    /// - Parameter hour: in which all of the time is.
    mutating func add(_ price: Price, hour: Int, milliseconds: Int64) {
        sums[hour, default: Sum()].product += Double(price.microsPerKilowattHour) * Double(milliseconds)
        sums[hour, default: Sum()].milliseconds += Double(milliseconds)
    }

    mutating func add(_ other: HourMeans) {
        for (hour, sum) in other.sums {
            sums[hour, default: Sum()].product += sum.product
            sums[hour, default: Sum()].milliseconds += sum.milliseconds
        }
    }

    /// For a row of a table.
    func cells(_ formats: Formats, in range: (least: Int64, most: Int64)) -> [HeatTable.Cell] {
        (0..<24).map { hour in
            guard let price = self[hour] else { return .none }
            return HeatTable.Cell(text: formats.bare(price), shade: HeatTable.shade(price, in: range))
        }
    }

    /// What held when, by what a part of it belongs to, for example its day or its month.
    static func means<Key: Hashable>(
        _ prices: [(interval: Interval, price: Price)], by key: (LocalTime) -> Key, _ local: (Timestamp) -> LocalTime
    ) -> [Key: HourMeans] {
        var means: [Key: HourMeans] = [:]
        for (interval, price) in prices {
            for part in quarters(of: interval) {
                let time = local(part.start)
                means[key(time), default: HourMeans()]
                    .add(price, hour: time.minuteOfDay / 60, milliseconds: part.milliseconds)
            }
        }
        return means
    }

    /// Clocks of all zones begin their hours with a quarter of an hour.
    private static func quarters(of interval: Interval) -> [Interval] {
        var (parts, start) = ([Interval](), interval.start)
        while start < interval.end {
            let next = start.floored(toMilliseconds: quarter).advanced(byMilliseconds: quarter)
            if let part = Interval(start: start, end: min(next, interval.end)) { parts.append(part) }
            start = next
        }
        return parts
    }

    private static let quarter = 15 * Int64.millisecondsPerMinute
}

extension SignalInterval {
    /// What a home paid, where it is known in its contract's currency.
    func paid(_ currency: String) -> (interval: Interval, price: Price)? {
        guard let price, self.currency == currency else { return nil }
        return (interval, price)
    }
}
