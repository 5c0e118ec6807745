internal import EnergyModel
internal import EnergyPlanning

/// Loads that are in each other's way follow one another inside an hour where whole hours leave somebody short.
extension VenuePlanner {
    /// So many steps of five minutes come first, then such of a quarter of an hour.
    private static let steps = (short: 24, long: 48)
    /// kWh: less is not worth a plan.
    private static let minor = Energy(milliwattHours: 10_000)

    /// - Returns: a plan with shorter slots that lacks less; `nil` if nobody lacks anything because of others, there is no
    ///   time, or it makes no difference.
    func finer(
        than answer: Answer, _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) -> Answer? {
        let isInTheWay = answer.shortfalls.contains { $0?.isOfOthers ?? false }
        guard isInTheWay, answer.missing > Self.minor, moreCuts.isEmpty, !time.isUp else { return nil }
        var planner = self
        planner.moreCuts = Self.cuts(from: now)
        guard let other = try? planner.together(tasks, homes, from: now, guidance: guidance),
            other.missing + Self.minor < answer.missing
        else { return nil }
        return other
    }

    private static func cuts(from now: Timestamp) -> [Timestamp] {
        let (short, long) = (5 * Int64.millisecondsPerMinute, 15 * Int64.millisecondsPerMinute)
        let first = now.floored(toMilliseconds: short)
        let middle = first.advanced(byMilliseconds: Int64(steps.short) * short).floored(toMilliseconds: long)
        return (1...Int64(steps.short)).map { first.advanced(byMilliseconds: $0 * short) }
            + (1...Int64(steps.long)).map { middle.advanced(byMilliseconds: $0 * long) }
    }
}

extension Shortfall {
    /// Whether what is in the way are other loads, or what all share.
    fileprivate var isOfOthers: Bool {
        ([cause] + also.map(\.cause)).contains { [.limit, .exclusion, .otherLoads, .baseLoad].contains($0) }
    }
}
