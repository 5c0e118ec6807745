/// How much time is left for all plans of one question together: each of them may take half of it, and leaves the rest
/// to those that follow from it.
struct PlanningTime: Sendable {
    /// Since it began.
    private let limit: Duration
    /// Nothing is planned without any time: some plan is better than none.
    private let least: Duration
    private let elapsed: @Sendable () -> Duration

    /// Begins now.
    init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(limit: limit, least: limit / 50, elapsed: Self.sinceNow(clock))
    }

    private static func sinceNow(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    private init(limit: Duration, least: Duration, elapsed: @escaping @Sendable () -> Duration) {
        (self.limit, self.least, self.elapsed) = (limit, least, elapsed)
    }

    var isUp: Bool { elapsed() >= limit }

    /// Whether there is time for plans that only make a good one better.
    var isPlenty: Bool { elapsed() * 4 < limit }

    /// Of the plan that comes next.
    var next: Duration { max(least, (limit - elapsed()) / 2) }

    /// A share of what is left, for a part of the question.
    func part(_ share: Double) -> PlanningTime {
        let spent = elapsed()
        return PlanningTime(limit: spent + max(.zero, limit - spent) * share, least: least, elapsed: elapsed)
    }
}
