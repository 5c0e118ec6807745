internal import EnergyModel
internal import EnergyStore

/// The prices of a contract over a window, the same for every region: with those that are only expected, and what they
/// are judged against.
struct PlanPrices: Sendable {
    /// To rate by: sorted, without gaps; expected prices stand where nobody has said any.
    let rates: [PricedInterval]
    /// The starts of the times whose price nobody has said: good for a rating, not for a bill.
    let isPredicted: Bool
    private let known: [PricedInterval]
    private let trailing: [PricedInterval]

    /// - Parameters:
    ///   - prices: of the plan's price source, if it has one.
    ///   - events: those that apply to the venues.
    init(
        _ plan: RatePlan, _ prices: KnownPrices, _ events: [DemandResponseEvent], window: Interval, trailing: Interval
    ) {
        let dated = events.compactMap { $0.datedRate(currency: plan.id.isEmpty ? nil : plan.currency) }
        let said = prices.prices(of: plan)
        known = plan.priced(window, RateConditions(sourcePrices: said, datedRates: dated))
        let expected = prices.expectedPrices(of: plan)
        var (rates, isPredicted) = (known, false)
        if !expected.isEmpty, known.contains(where: { $0.price == nil }) {
            let filled = plan.priced(
                window, RateConditions(sourcePrices: expected + said, datedRates: dated))
            if filled.allSatisfy({ $0.price != nil }) { (rates, isPredicted) = (filled, true) }
        }
        self.rates = rates
        self.isPredicted = isPredicted
        self.trailing = plan.priced(trailing, RateConditions(sourcePrices: said))
        shiftScale = RatingMethod.priceScale(rates.lazy.map { ($0.interval, $0.price) })
        reduceScale = RatingMethod.priceScale((self.trailing + rates).lazy.map { ($0.interval, $0.price) })
    }

    private let shiftScale: SignalScale
    private let reduceScale: SignalScale

    /// - Parameter usesTrailing: the last 28 days count, too.
    func scale(usesTrailing: Bool) -> SignalScale { usesTrailing ? reduceScale : shiftScale }

    /// What somebody has said of the price at `start`.
    func saidPrice(at start: Timestamp) -> Price? {
        known.first { $0.interval.contains(start) }?.price
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
        of plan: RatePlan?, _ known: KnownPrices, _ events: [DemandResponseEvent], window: Interval, trailing: Interval
    ) -> PlanPrices? {
        guard plan != nil || !events.isEmpty else { return nil }
        let plan = plan ?? .unknown
        let key = Key(planID: plan.id, events: events, window: window, trailing: trailing)
        if let present = entries[key] { return present }
        let made = PlanPrices(plan, known, events, window: window, trailing: trailing)
        entries[key] = made
        return made
    }
}
