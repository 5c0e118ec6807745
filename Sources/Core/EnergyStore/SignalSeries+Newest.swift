public import EnergyModel

extension SignalSeries {
    /// End of the newest value that was measured or, of prices, is settled; never later than `now`.
    public func newestKnown(_ quantity: SignalQuantity, at now: Timestamp) -> Timestamp? {
        points.last { !$0.isEstimated && (quantity == .price || $0.interval.end <= now) }
            .map { min($0.interval.end, now) }
    }

    /// As of when a source's own values are stored: the value that holds at `now` counts as learned when it began, and so
    /// stays whole. A restart in the middle of an hour must not leave half of it.
    public func beginOfRunning(at now: Timestamp) -> Timestamp {
        min(now, ending(after: now).points.first?.interval.start ?? now)
    }
}
