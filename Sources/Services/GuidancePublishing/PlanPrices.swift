internal import EnergyModel
internal import EnergyStore

/// The prices of a contract over a window, the same for every region: with those that are only expected, and what they
/// are judged against.
struct PlanPrices: Sendable {
    /// To rate by: sorted, without gaps; expected prices stand where nobody has said any.
    let rates: [PricedInterval]
    /// Some of ``rates`` are predicted: good for a rating, not for a bill.
    let isPredicted: Bool
    /// Times of ``rates`` ahead that have no price; sorted, joined.
    let unpriced: [Interval]
    /// Some of ``rates`` have a price.
    let isPriced: Bool
    /// Some of ``rates`` have a price that nobody has said.
    private let hasStandIns: Bool
    private let known: [PricedInterval]
    private let trailing: [PricedInterval]

    /// - Parameters:
    ///   - prices: of the plan's price source, if it has one.
    ///   - events: those that apply to the venues.
    init(
        _ plan: RatePlan, _ prices: KnownPrices, _ events: [DemandResponseEvent], window: Interval, trailing: Interval,
        now: Timestamp
    ) {
        let dated = events.compactMap { $0.datedRate(currency: plan.id.isEmpty ? nil : plan.currency) }
        let said = prices.prices(of: plan)
        known = plan.priced(window, RateConditions(sourcePrices: said, datedRates: dated))
        let expected = prices.expectedPrices(of: plan)
        var (rates, isPredicted) = (known, false)
        if !expected.isEmpty, known.contains(where: { $0.price == nil }) {
            rates = plan.priced(window, RateConditions(sourcePrices: expected + said, datedRates: dated))
            isPredicted = rates.unpriced < known.unpriced
        }
        // What has passed of the running step needs no price: that of what follows stands in for it.
        for index in rates.indices.dropLast().reversed()
        where rates[index].price == nil && rates[index].interval.end <= now {
            rates[index] = rates[index].priced(rates[index + 1].price)
        }
        hasStandIns = rates != known
        self.rates = rates
        self.isPredicted = isPredicted
        unpriced = rates.filter { $0.price == nil && $0.interval.end > now }.map(\.interval).joined()
        isPriced = rates.contains { $0.price != nil }
        self.trailing = plan.priced(trailing, RateConditions(sourcePrices: said))
        shiftScale = RatingMethod.priceScale(rates.lazy.map { ($0.interval, $0.price) })
        reduceScale = RatingMethod.priceScale((self.trailing + rates).lazy.map { ($0.interval, $0.price) })
    }

    private let shiftScale: SignalScale
    private let reduceScale: SignalScale

    /// - Parameter usesTrailing: the last 28 days count, too.
    func scale(usesTrailing: Bool) -> SignalScale { usesTrailing ? reduceScale : shiftScale }

    /// What somebody has said of the price of one of ``rates``.
    func saidPrice(of rate: PricedInterval) -> Price? {
        guard hasStandIns else { return rate.price }
        return known.first { $0.interval.contains(rate.interval.start) }?.price
    }
}

/// The prices of each contract that a refresh has come across.
struct PriceBook {
    private struct Key: Hashable {
        let planID: String
        let events: [DemandResponseEvent]
        let window: Interval
        let trailing: Interval
    }
    private var entries: [Key: PlanPrices] = [:]

    /// - Returns: `nil` where neither a contract nor an event says anything.
    mutating func prices(
        of plan: RatePlan?, _ known: KnownPrices, _ events: [DemandResponseEvent], window: Interval, trailing: Interval,
        now: Timestamp
    ) -> PlanPrices? {
        guard plan != nil || !events.isEmpty else { return nil }
        let plan = plan ?? .unknown
        let key = Key(planID: plan.id, events: events, window: window, trailing: trailing)
        if let present = entries[key] { return present }
        let made = PlanPrices(plan, known, events, window: window, trailing: trailing, now: now)
        entries[key] = made
        return made
    }
}

extension [PricedInterval] {
    /// Milliseconds without a price.
    fileprivate var unpriced: Int64 { reduce(0) { $0 + ($1.price == nil ? $1.interval.milliseconds : 0) } }
}

extension [Interval] {
    /// Those that follow each other at once as one.
    fileprivate func joined() -> [Interval] {
        reduce(into: []) { result, interval in
            if let last = result.last, last.end == interval.start,
                let whole = Interval(start: last.start, end: interval.end)
            {
                result[result.count - 1] = whole
            } else {
                result.append(interval)
            }
        }
    }
}

extension PricedInterval {
    fileprivate func priced(_ price: Price?) -> PricedInterval {
        PricedInterval(
            interval: interval, price: price, peak: peak, isPeakDerived: isPeakDerived, exportPrice: exportPrice)
    }
}
