/// How much of a plan's time is left.
struct PlanTimer: Sendable {
    /// Since the plan was begun.
    private let limit: Duration
    private let elapsed: @Sendable () -> Duration

    init(limit: Duration, clock: some Clock<Duration>) {
        let start = clock.now
        self.init(limit: limit) { start.duration(to: clock.now) }
    }

    private init(limit: Duration, elapsed: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.elapsed = elapsed
    }

    var left: Duration { max(.zero, limit - elapsed()) }
    var isUp: Bool { elapsed() >= limit }

    /// One that is up when a part of what is left has passed.
    func part(_ share: Double) -> PlanTimer { PlanTimer(limit: limit - left * (1 - share), elapsed: elapsed) }

    /// One that is up when as much time has passed as until now, or a share of the limit if that is more.
    func asLongAgain(orShare share: Double) -> PlanTimer {
        let spent = elapsed()
        return PlanTimer(limit: min(limit, spent + max(spent, limit * share)), elapsed: elapsed)
    }
}
