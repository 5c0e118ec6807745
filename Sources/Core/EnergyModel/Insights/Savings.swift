/// What some sessions saved together, and of how many that is not known: unknown is never 0.
///
/// Counted are those that took energy from the grid and could have been moved: what was earned by sending energy to the grid
/// is no part of what was paid for it.
public struct Savings: Hashable, Sendable {
    public var sessionCount = 0
    /// Of these every event said so.
    public var followedCount = 0
    /// What they saved of money or carbon, or both, is known.
    public var comparedCount = 0
    public var withoutBaseline = 0
    /// With a baseline, but of times whose price, or carbon, was not known throughout.
    public var withoutPrice = 0
    public var withoutCarbon = 0
    private var worth: InsightWorth

    public static let none = Savings()

    public init(costs: [Money] = [], carbon: [CarbonMass] = []) {
        worth = InsightWorth(costs: costs, carbon: carbon)
    }

    public init(_ sessions: some Sequence<SessionInsight>) {
        self.init()
        for session in sessions { if let saving = SessionSaving(session) { add(saving) } }
    }

    /// One per currency, sorted.
    public var costs: [Money] { worth.costs }
    /// One per kind.
    public var carbon: [CarbonMass] { worth.carbon }

    /// - Parameter count: of sessions alike, whose sums `saving` has.
    public mutating func add(_ saving: SessionSaving, count: Int = 1) {
        sessionCount += count
        if saving.hasFollowed { followedCount += count }
        guard saving.hasBaseline else {
            withoutBaseline += count
            return
        }
        if saving.isCompared { comparedCount += count }
        if saving.money == nil { withoutPrice += count }
        if saving.carbon == nil { withoutCarbon += count }
        worth = worth + InsightWorth(costs: saving.money.map { [$0] } ?? [], carbon: saving.carbon.map { [$0] } ?? [])
    }
}

/// What one session adds to ``Savings``.
public struct SessionSaving: Hashable, Sendable {
    public let hasFollowed: Bool
    public let hasBaseline: Bool
    /// `nil` where the price of all energy is not known.
    public let money: Money?
    public let carbon: CarbonMass?

    public init(hasFollowed: Bool, hasBaseline: Bool, money: Money?, carbon: CarbonMass?) {
        self.hasFollowed = hasFollowed
        self.hasBaseline = hasBaseline
        self.money = money
        self.carbon = carbon
    }

    /// - Returns: `nil` for one that is not counted.
    public init?(_ session: SessionInsight) {
        guard session.direction == .imported, session.couldBeMoved else { return nil }
        self.init(
            hasFollowed: session.wasFollowingGuidance, hasBaseline: session.baseline != nil, money: session.savedMoney,
            carbon: session.savedCarbon)
    }

    public var isCompared: Bool { money != nil || carbon != nil }
}

/// A question about what sessions saved.
public struct SavingsQuery: Hashable, Sendable {
    public static let newestMax = 100

    public var sessions: SessionQuery
    /// How many of those that were compared to tell of, at most ``newestMax``.
    public var newest: Int

    public init(sessions: SessionQuery, newest: Int = 0) {
        self.sessions = sessions
        self.newest = newest
    }
}

public struct SavingsAnswer: Hashable, Sendable {
    public var savings: Savings
    /// Of the sessions that were compared; the newest first.
    public var newest: [SessionInsight]
    /// The log is counted up to here.
    public var applied: [LogHead]

    public init(savings: Savings, newest: [SessionInsight] = [], applied: [LogHead] = []) {
        self.savings = savings
        self.newest = newest
        self.applied = applied
    }
}
