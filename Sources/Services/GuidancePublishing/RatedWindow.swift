internal import EnergyModel
internal import Foundation

/// The ratings that all venues of one region, contract and time zone share: a venue adds its id and a token.
struct RatedWindow: Sendable {
    let interval: Interval
    let values: [GuidanceValue]
    let incorporatesRatePlan: Bool
    let basis: GuidanceBasis

    /// - Parameters:
    ///   - prices: of the plan's price source, if it has one.
    ///   - events: those that apply to the venues.
    init(
        _ outlook: Outlook, ratePlan: RatePlan?, prices: KnownPrices = KnownPrices(),
        events: [DemandResponseEvent] = [], method: RatingMethod, action: SuggestedAction
    ) {
        let sourcePrices = prices.prices(of: ratePlan)
        let known = Self.inputs(outlook.ahead, ratePlan, sourcePrices, events)
        var (window, isPredicted) = (known, false)
        let expected = prices.expectedPrices(of: ratePlan)
        if !expected.isEmpty, known.contains(where: { $0.price == nil }) {
            let filled = Self.inputs(outlook.ahead, ratePlan, expected + sourcePrices, events)
            if filled.allSatisfy({ $0.price != nil }) { (window, isPredicted) = (filled, true) }
        }
        // A price that nobody has said is good for a rating, not for a bill.
        let said = isPredicted ? Dictionary(known.map { ($0.interval.start, $0.price) }) { $1 } : [:]
        let trailing = action == .reduce ? Self.inputs(outlook.trailing, ratePlan, sourcePrices, []) : []
        let result = method.rate(window, action: action, trailing: trailing)
        values = zip(window, result.ratings).map {
            GuidanceValue(
                interval: $0.interval, rating: $1, carbonIntensity: $0.carbonIntensity,
                price: isPredicted ? said[$0.interval.start] ?? nil : $0.price)
        }
        incorporatesRatePlan = result.priceWeight > 0
        // An outlook is never empty.
        let first = outlook.ahead[0].interval
        interval = Interval(start: first.start, end: outlook.ahead[outlook.ahead.count - 1].interval.end) ?? first
        basis = GuidanceBasis(
            source: outlook.source, kind: outlook.kind, method: RatingMethod.name, priceWeight: result.priceWeight,
            relativeSpread: result.relativeSpread, dataAgeMilliseconds: outlook.dataAgeMilliseconds,
            isForecast: outlook.isForecast || isPredicted && result.priceWeight > 0,
            currency: values.contains { $0.price != nil } ? ratePlan?.currency : nil,
            skippedSources: outlook.skipped + prices.skipped(by: ratePlan))
    }

    func guidance(token: UUID, venueID: UUID, action: SuggestedAction, hasRatePlan: Bool, issued: Timestamp) -> Guidance
    {
        Guidance(
            token: token, venueID: venueID, action: action, interval: interval, values: values,
            locationHasRatePlan: hasRatePlan, incorporatesRatePlan: incorporatesRatePlan, issued: issued, basis: basis)
    }

    /// The points, cut where the price or the peak changes.
    private static func inputs(
        _ points: [SignalPoint], _ ratePlan: RatePlan?, _ prices: [RateConditions.SourcePrice],
        _ events: [DemandResponseEvent]
    ) -> [RatingMethod.Input] {
        guard let first = points.first?.interval, let last = points.last?.interval,
            let whole = Interval(start: first.start, end: last.end), ratePlan != nil || !events.isEmpty
        else { return points.map { RatingMethod.Input(interval: $0.interval, carbonIntensity: $0.value) } }
        let priced = (ratePlan ?? .unknown).priced(
            whole,
            RateConditions(
                sourcePrices: prices, datedRates: events.compactMap { $0.datedRate(currency: ratePlan?.currency) }))
        var (result, rates): ([RatingMethod.Input], ArraySlice<PricedInterval>) = ([], priced[...])
        for point in points {
            while let rate = rates.first, rate.interval.end <= point.interval.start { rates.removeFirst() }
            for rate in rates {
                guard let part = rate.interval.intersection(point.interval) else { break }
                result.append(
                    RatingMethod.Input(
                        interval: part, carbonIntensity: point.value, price: rate.price, peak: rate.peak))
            }
        }
        return result
    }
}

extension Guidance {
    /// Ratings within this of what was published are not worth a publication of their own.
    static let hysteresis = 0.05

    /// Whether someone who follows `old` should be told.
    func differs(from old: Guidance) -> Bool {
        if basis.source != old.basis.source || incorporatesRatePlan != old.incorporatesRatePlan { return true }
        // Longer by an hour or more, or shorter: what can be planned has changed.
        if interval.end.milliseconds(since: old.interval.end) >= .millisecondsPerHour { return true }
        if interval.end < old.interval.end { return true }
        var before = old.values[...]
        for value in values {
            while let first = before.first, first.interval.end <= value.interval.start { before.removeFirst() }
            for other in before {
                guard other.interval.overlaps(value.interval) else { break }
                if abs(other.rating - value.rating) > Self.hysteresis { return true }
            }
        }
        return false
    }
}
