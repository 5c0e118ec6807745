public import EnergyModel

extension SignalSeries {
    /// End of the newest value that was measured or, of prices, is settled; never later than `now`.
    public func newestKnown(_ quantity: SignalQuantity, at now: Timestamp) -> Timestamp? {
        points.last { !$0.isEstimated && (quantity == .price || $0.interval.end <= now) }
            .map { min($0.interval.end, now) }
    }
}
