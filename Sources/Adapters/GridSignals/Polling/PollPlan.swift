internal import EnergyModel
internal import EnergyStore

/// When a source is asked, and for what: the newest first, then its history, backwards. A value without a clock.
struct PollPlan: Sendable {
    /// What a forecast and a reference need, where the source has it.
    static let historyMilliseconds = SameHourForecast.historyMilliseconds
    static let backoffMin: Int64 = 30_000
    static let backoffMax: Int64 = .millisecondsPerHour
    /// A wrong key does not become right by itself.
    static let deniedPause: Int64 = .millisecondsPerHour

    /// Who asks out of turn waits as long since the last time, whatever the source allows.
    static let hastePause: Int64 = 30_000

    static let historyFailuresMax = 5

    private let polling: Polling
    private let step: Int64
    private var random: UInt64
    /// Until when the source was asked with success.
    private var reached: Timestamp?
    /// Where history, fetched backwards, begins; `nil` before the first success.
    private var historyStart: Timestamp?
    private var historyEnd: Timestamp?
    private var failures = 0
    private(set) var nextAttempt = Timestamp(unixMilliseconds: 0)
    private var nextNews = Timestamp(unixMilliseconds: 0)
    /// Before this it is asked out of turn by nobody.
    private var nextHaste = Timestamp(unixMilliseconds: 0)

    enum Part: Hashable {
        case news(Interval)
        case history(Interval)

        var interval: Interval {
            switch self {
            case .news(let interval), .history(let interval): interval
            }
        }
    }

    /// - Parameter seed: of the jitter, so that many that fail together do not try again together.
    init(_ polling: Polling, stepMilliseconds: Int64, seed: UInt64) {
        self.polling = polling
        step = max(1, stepMilliseconds)
        random = seed
    }

    /// How far it was asked; `nil` before the first success.
    var progress: SourceProgress? {
        reached.map { reached in
            let missing = historyStart.flatMap { start in historyEnd.flatMap { Interval(start: start, end: $0) } }
            return SourceProgress(reached: reached, missing: missing)
        }
    }

    /// Goes on where another plan of the same source was, before anything was asked.
    mutating func resume(_ progress: SourceProgress, _ now: Timestamp) {
        // What is said to have been asked for in the future was asked by a clock that was wrong.
        guard reached == nil, progress.reached <= now else { return }
        reached = progress.reached
        historyStart = progress.missing?.start ?? progress.reached
        historyEnd = progress.missing?.end ?? progress.reached
    }

    /// What to ask for now; `nil` if it is not time yet.
    func next(_ now: Timestamp) -> Part? {
        guard now >= nextAttempt else { return nil }
        if now < nextNews, let history { return .history(history) }
        return now < nextNews ? nil : .news(news(now))
    }

    private func news(_ now: Timestamp) -> Interval {
        let earliest = now.advanced(byMilliseconds: -polling.back)
        let known = (reached ?? now).advanced(byMilliseconds: -polling.overlap)
        let end = ceiled(now.advanced(byMilliseconds: polling.ahead))
        // After a long absence the newest values come first; what is before them counts as history.
        let limit = end.advanced(byMilliseconds: -polling.span)
        let start = max(min(known, now), earliest, limit).floored(toMilliseconds: step)
        return Interval(start: start, milliseconds: max(step, end.milliseconds(since: start)))
    }

    private var history: Interval? {
        guard let historyStart, let historyEnd, historyStart < historyEnd else { return nil }
        let start = max(historyStart, historyEnd.advanced(byMilliseconds: -polling.span))
        return Interval(start: start.floored(toMilliseconds: step), end: historyEnd)
    }

    /// Lets the newest be asked for now, if the source may be asked.
    mutating func hasten(_ now: Timestamp) {
        guard now >= nextHaste else { return }
        (nextAttempt, nextNews) = (min(nextAttempt, now), min(nextNews, now))
    }

    private mutating func delayHaste(_ now: Timestamp, retryAfter: Int64 = 0) {
        nextHaste = now.advanced(byMilliseconds: max(Self.hastePause, polling.pause, retryAfter))
    }

    mutating func succeeded(_ part: Part, _ now: Timestamp) {
        failures = 0
        delayHaste(now)
        switch part {
        case .news(let interval):
            let gap = reached.map { $0 < interval.start } ?? true
            if gap {
                let wanted = now.advanced(byMilliseconds: -min(polling.back, Self.historyMilliseconds))
                historyStart = reached.map { max($0.advanced(byMilliseconds: -polling.overlap), wanted) } ?? wanted
                // What was missing of older history is fetched again: rare, and simpler than a list of gaps.
                if historyEnd != nil, history != nil { historyStart = wanted }
                historyEnd = interval.start
            }
            reached = now
            nextNews = now.advanced(byMilliseconds: polling.every)
        case .history(let interval): historyEnd = interval.start
        }
        nextAttempt = now.advanced(byMilliseconds: polling.pause)
        if history == nil { nextAttempt = max(nextAttempt, nextNews) }
    }

    mutating func failed(_ part: Part, _ error: EnergyError, _ now: Timestamp) {
        delayHaste(now, retryAfter: error.retryAfterMilliseconds ?? 0)
        if case .history(let interval) = part,
            error.code == .notFound || error.code == .outOfRange || failures >= Self.historyFailuresMax
        {
            // It has no such past, or does not give it: the newest values must not wait for that.
            historyStart = interval.end
            failures = 0
            nextAttempt = max(now.advanced(byMilliseconds: polling.pause), nextNews)
            return
        }
        failures = min(failures + 1, 20)
        var wait = min(Self.backoffMin << min(failures - 1, 10), Self.backoffMax)
        if error.code == .denied { wait = max(wait, Self.deniedPause) }
        wait += Int64(Double(wait) * 0.25 * jitter())
        wait = max(wait, error.retryAfterMilliseconds ?? 0, polling.pause)
        nextAttempt = now.advanced(byMilliseconds: wait)
    }

    private func ceiled(_ instant: Timestamp) -> Timestamp {
        let floor = instant.floored(toMilliseconds: step)
        return floor == instant ? instant : floor.advanced(byMilliseconds: step)
    }

    /// `0..<1`.
    ///
    /// - Source: S. Vigna, SplitMix64.
    private mutating func jitter() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(UInt64(1) << 53)
    }
}
