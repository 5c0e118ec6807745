/// The prices of a signal in order of time, and what was dear among them lately.
struct SourcePrices {
    /// Sorted, without overlaps.
    private let prices: [RateConditions.SourcePrice]
    private var lastQuartiles: (before: Timestamp, limits: [Int64]?)?

    init(_ given: [RateConditions.SourcePrice]) {
        let isSorted = zip(given, given.dropFirst()).allSatisfy { $0.interval.end <= $1.interval.start }
        prices = isSorted ? given : Self.withoutOverlaps(given)
    }

    func edges(in interval: Interval) -> [Timestamp] {
        prices[firstIndex(endingAfter: interval.start)...].prefix { $0.interval.start < interval.end }
            .flatMap { [$0.interval.start, $0.interval.end] }
    }

    func price(at instant: Timestamp) -> Price? {
        let index = firstIndex(endingAfter: instant)
        return index < prices.count && prices[index].interval.contains(instant) ? prices[index].price : nil
    }

    /// Which quarter of the 28 days before `midnight` a price would have been in: the cheapest is super off-peak, the
    /// dearest on-peak. Unknown while fewer than 7 days are known, and where prices do not differ.
    ///
    /// - Source: signals.md 6.10.
    mutating func peak(of price: Price, before midnight: Timestamp) -> TariffPeak {
        if lastQuartiles?.before != midnight { lastQuartiles = (midnight, quartiles(before: midnight)) }
        guard let limits = lastQuartiles?.limits else { return .unknown }
        let quarters: [TariffPeak] = [.superOffPeak, .offPeak, .partialPeak]
        return zip(limits, quarters).first { price.microsPerKilowattHour <= $0.0 }?.1 ?? .onPeak
    }

    private func quartiles(before midnight: Timestamp) -> [Int64]? {
        let month = Interval(
            start: midnight.advanced(byMilliseconds: -CleanlinessReference.trailingMilliseconds),
            milliseconds: CleanlinessReference.trailingMilliseconds)
        let trailing = prices[firstIndex(endingAfter: month.start)...].prefix { $0.interval.start < month.end }
        let distribution = Distribution(
            trailing.compactMap { entry in
                entry.interval.intersection(month).map {
                    (Double(entry.price.microsPerKilowattHour), Double($0.milliseconds))
                }
            })
        guard distribution.totalWeight >= Double(CleanlinessReference.knownMillisecondsMin) else { return nil }
        let limits = [0.25, 0.5, 0.75].compactMap { distribution.quantile($0).flatMap { Int64(exactly: $0) } }
        return limits.count == 3 && limits[0] < limits[2] ? limits : nil
    }

    /// Binary search.
    private func firstIndex(endingAfter instant: Timestamp) -> Int {
        var (low, high) = (0, prices.count)
        while low < high {
            let middle = (low + high) / 2
            if prices[middle].interval.end > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Cut at each other's edges; of those that hold at once the last in the list wins.
    private static func withoutOverlaps(
        _ given: [RateConditions.SourcePrice]
    ) -> [RateConditions.SourcePrice] {
        let sorted = given.enumerated().sorted {
            ($0.element.interval.start, $0.offset) < ($1.element.interval.start, $1.offset)
        }
        var result: [RateConditions.SourcePrice] = []
        for (_, entry) in sorted {
            while let last = result.last, last.interval.end > entry.interval.start {
                result.removeLast()
                guard let kept = Interval(start: last.interval.start, end: entry.interval.start) else { continue }
                result.append(RateConditions.SourcePrice(interval: kept, price: last.price))
            }
            result.append(entry)
        }
        return result
    }
}
