/// What a contract's price depends on besides the time.
public struct RateConditions: Hashable, Sendable {
    /// One price of a price signal.
    public struct SourcePrice: Hashable, Sendable {
        public let interval: Interval
        public let price: Price

        public init(interval: Interval, price: Price) {
            self.interval = interval
            self.price = price
        }
    }

    /// Of the plan's ``RatePlan/priceSource``, in its currency. Any order; where two overlap, the one that begins later
    /// wins, and of two that begin together the later in the list. For peaks they reach back 28 days before what is
    /// priced. Not used by a plan with fixed prices.
    public var sourcePrices: [SourcePrice]
    /// Energy drawn in the billing month that ``asOf`` is in; of other months the plan's ``RatePlan/monthlyEnergy`` is
    /// taken, and 0 without it.
    public var monthToDate: Energy
    public var asOf: Timestamp?
    /// What applies besides the contract, for example demand-response events. After the plan's own dated rates.
    public var datedRates: [DatedRate]

    public init(
        sourcePrices: [SourcePrice] = [], monthToDate: Energy = .zero, asOf: Timestamp? = nil,
        datedRates: [DatedRate] = []
    ) {
        self.sourcePrices = sourcePrices
        self.monthToDate = monthToDate
        self.asOf = asOf
        self.datedRates = datedRates
    }
}
