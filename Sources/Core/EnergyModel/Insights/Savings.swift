/// What some sessions saved together, and of how many that is not known: unknown is never 0.
///
/// Counted are those that took energy from the grid and could have been moved: what was earned by sending energy to the grid
/// is no part of what was paid for it.
public struct Savings: Hashable, Sendable {
    public let sessionCount: Int
    /// What they saved of money or carbon, or both, is known.
    public let compared: [SessionInsight]
    /// One per currency, sorted.
    public let costs: [Money]
    /// One per kind.
    public let carbon: [CarbonMass]
    public let withoutBaseline: Int
    /// With a baseline, but of times whose price, or carbon, was not known throughout.
    public let withoutPrice: Int
    public let withoutCarbon: Int

    public init(_ sessions: [SessionInsight]) {
        let movable = sessions.filter { $0.direction == .imported && $0.couldBeMoved }
        let measured = movable.filter { $0.baseline != nil }
        let (money, masses) = (measured.compactMap(\.savedMoney), measured.compactMap(\.savedCarbon))
        let worths = money.map { InsightWorth(costs: [$0]) } + masses.map { InsightWorth(carbon: [$0]) }
        let worth = worths.reduce(.none, +)
        (costs, carbon) = (worth.costs, worth.carbon)
        compared = measured.filter { $0.savedMoney != nil || $0.savedCarbon != nil }
        sessionCount = movable.count
        withoutBaseline = movable.count - measured.count
        withoutPrice = measured.count - money.count
        withoutCarbon = measured.count - masses.count
    }
}
