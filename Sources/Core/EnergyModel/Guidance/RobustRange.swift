/// The range in which values of a kind usually lie, not moved by a few wild ones.
struct RobustRange: Hashable, Sendable {
    let median: Double
    /// As large as the standard deviation, were the values normally distributed.
    let deviation: Double

    /// - Parameter values: those that are not finite are left out.
    /// - Returns: `nil` when none is left, or more than half of them are equal: that tells nothing of the others.
    init?(_ values: some Sequence<Double>) {
        var sorted = values.filter(\.isFinite)
        guard !sorted.isEmpty else { return nil }
        sorted.sort()
        median = sorted[sorted.count / 2]
        for index in sorted.indices { sorted[index] = abs(sorted[index] - median) }
        sorted.sort()
        deviation = 1.4826 * sorted[sorted.count / 2]
        if deviation <= 0 { return nil }
    }

    /// `value`, moved to the nearer edge when it is more than `deviations` from the median; not a number stays so.
    func clamp(_ value: Double, deviations: Double) -> Double {
        let reach = deviations * deviation
        if value > median + reach { return median + reach }
        return value < median - reach ? median - reach : value
    }
}
