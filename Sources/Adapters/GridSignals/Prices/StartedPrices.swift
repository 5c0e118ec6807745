internal import EnergyModel
internal import Foundation

/// Prices whose source says when they begin, but not when they end.
///
/// Markets went from hours to quarter-hours in 2025, so that one answer may hold both, and rows may be missing. A price
/// holds until the next one begins, but no longer than the longer of its neighbours does: a longer distance is a gap.
struct StartedPrices {
    /// Longest first.
    private static let lengths = [Int64.millisecondsPerHour, 30 * .millisecondsPerMinute, 15 * .millisecondsPerMinute]

    private var rows: [(start: Timestamp, price: Price?)] = []

    /// - Parameter amount: `nil` is unknown, never 0.
    mutating func append(_ start: Timestamp, _ amount: Decimal?, _ unit: PriceUnit) throws(EnergyError) {
        var price: Price?
        if let amount { price = try unit.price(amount) }
        rows.append((start, price))
    }

    /// In order of time. Of two rows that begin together the later one counts.
    var points: [SignalPoint] {
        var sorted: [(start: Timestamp, price: Price?)] = []
        for (_, row) in rows.enumerated().sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) })
        {
            if sorted.last?.start == row.start { sorted.removeLast() }
            sorted.append(row)
        }
        let distances = zip(sorted, sorted.dropFirst()).map { $1.start.milliseconds(since: $0.start) }
        return sorted.indices.compactMap { index in
            guard let price = sorted[index].price, let length = Self.length(distances, index) else { return nil }
            return SignalPoint(price, over: Interval(start: sorted[index].start, milliseconds: length))
        }
    }

    /// - Returns: `nil` when nothing tells: for a price that stands alone, or steps that no market has.
    private static func length(_ distances: [Int64], _ index: Int) -> Int64? {
        let own = distances.indices.contains(index) ? distances[index] : nil
        let neighbours = [index - 1, index + 1].filter(distances.indices.contains).map { distances[$0] }.max()
        guard let longest = [own, neighbours].compactMap({ $0 }).min() else { return nil }
        return lengths.first { $0 <= longest }
    }
}

extension Timestamp {
    /// - Throws: ``EnergyError`` `.invalidInput` unless it is of the years 1970 to 2199.
    init(answeredMilliseconds milliseconds: Int64) throws(EnergyError) {
        guard 0..<7_258_118_400_000 ~= milliseconds else {
            throw EnergyError(.invalidInput, "the time \(milliseconds) in the answer makes no sense")
        }
        self.init(unixMilliseconds: milliseconds)
    }

    /// - Throws: ``EnergyError`` `.invalidInput` unless it is of the years 1970 to 2199.
    init(answeredSeconds seconds: Int64) throws(EnergyError) {
        guard 0..<7_258_118_400 ~= seconds else {
            throw EnergyError(.invalidInput, "the time \(seconds) in the answer makes no sense")
        }
        self.init(unixMilliseconds: seconds * 1000)
    }
}

extension FetchedSignals {
    /// - Throws: ``EnergyError`` `.notFound` when there is not one price: every answer that reaches back to now has the
    ///   present one, unless its place is unknown or the service has nothing today.
    init(prices: [SignalPoint], of name: String, issued: Timestamp? = nil) throws(EnergyError) {
        guard !prices.isEmpty else {
            throw EnergyError(.notFound, "\(name) has no prices for this time; if that stays so, look at its settings")
        }
        self.init(points: prices, issued: issued)
    }
}
