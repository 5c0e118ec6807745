extension CountedSession {
    /// Means over less say more about when a meter counts than about power.
    public static let meanMillisecondsMin = 5 * Int64.millisecondsPerMinute

    /// What ``SessionInsight`` measures the session against, if it can be said.
    ///
    /// - Returns: `nil` before the end, and where the session exported, used nothing, never said a power, or its energy
    ///   came faster than that.
    public var baselineSegment: (power: Power, segment: SessionSegment)? {
        guard isOver, series.direction == .imported, energy > .zero, let power = fullPower else { return nil }
        func milliseconds(_ energy: Energy) -> Int64 {
            (energy.milliwattHours * 3_600_000 + power.milliwatts - 1) / power.milliwatts
        }
        let (start, length) = (pluggedIn ?? began, timestamp.milliseconds(since: began))
        // Energy that came in an instant takes longer than the session did.
        guard milliseconds(energy.certain(since: .zero)) <= length, start <= began,
            let interval = Interval(
                start: start, end: start.advanced(byMilliseconds: min(milliseconds(energy), length)))
        else { return nil }
        return (power, SessionSegment(interval, energy: energy, direction: .imported))
    }

    /// Where the baseline of the stay's next session begins: behind its own, so that all energy of a stay is taken from
    /// plug-in on, back to back. Where there is none, as long after its own plug-in as the session lasted: nobody knows that it
    /// could have taken less. Its begin where it took no energy: that takes no time. Its end where it exported, and before it
    /// is over its newest event.
    public var resumes: Timestamp {
        guard isOver, series.direction == .imported else { return timestamp }
        let start = min(pluggedIn ?? began, began)
        guard energy > .zero else { return start }
        return baselineSegment?.segment.interval.end
            ?? start.advanced(byMilliseconds: timestamp.milliseconds(since: began))
    }

    /// Plugged in at another time; without a baseline.
    public func moved(to pluggedIn: Timestamp?) -> CountedSession {
        var session = self
        (session.pluggedIn, session.baseline) = (pluggedIn, nil)
        return session
    }

    /// The highest power that the device reported, or the highest mean where that is above it by no more than a meter
    /// rounds.
    ///
    /// - Returns: `nil` where none was reported, and where energy came faster: a meter that jumps says nothing of power.
    private var fullPower: Power? {
        let aboveReported = meanPowerMilliwattsMax - powerMilliwattsMax
        guard powerMilliwattsMax > 0, aboveReported <= powerMilliwattsMax / 10 else { return nil }
        return try? Power(milliwatts: max(powerMilliwattsMax, meanPowerMilliwattsMax))
    }

    /// - Parameter terms: of the time of ``baselineSegment``.
    public func baseline(by terms: TermsTimeline) -> SessionBaseline? {
        guard let (power, segment) = baselineSegment else { return nil }
        let worth = InsightWorth(segment.shares(terms: terms).map { (key: $0.class, value: $0.tally) })
        return SessionBaseline(interval: segment.interval, power: power, worth: worth)
    }

    /// Whether both were counted from the same events by the same terms. Baselines may differ: they also follow from what
    /// else is known of the vehicle, and earlier versions worked them out by other rules.
    public func isCountedAlike(_ other: CountedSession) -> Bool {
        var other = other
        (other.pluggedIn, other.baseline, other.meanPowerMilliwattsMax) = (pluggedIn, baseline, meanPowerMilliwattsMax)
        return other == self
    }
}
