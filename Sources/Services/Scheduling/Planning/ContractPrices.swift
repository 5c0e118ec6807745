internal import EnergyModel

/// What a home's contract says of a time that guidance does not reach. It is known for as long as the contract holds: no
/// forecast, and no less certain the further ahead it is.
struct ContractPrices {
    /// Sorted, without overlaps; of times whose price is not known yet none.
    private let known: [PricedInterval]
    /// Whether it says what all of that time costs.
    let isComplete: Bool

    /// - Parameter window: what guidance does not reach; `nil` if it reaches all.
    init(_ contract: RatePlan?, in window: Interval?) {
        guard let contract, let window else {
            (known, isComplete) = ([], false)
            return
        }
        let all = contract.priced(window)
        known = all.filter { $0.price != nil }
        isComplete = known.count == all.count
    }

    /// When a price begins or ends.
    var edges: [Timestamp] { known.flatMap { [$0.interval.start, $0.interval.end] } }

    /// Currency per kWh; `nil` where the contract passes on what nobody has said yet.
    func price(at time: Timestamp) -> Double? {
        known.first { $0.interval.contains(time) }?.price.map { Double($0.microsPerKilowattHour) / 1_000_000 }
    }
}
