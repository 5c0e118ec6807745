/// What "clean" means on one grid at one time: its own last 28 days.
///
/// A day's own median would not do: within a dirty day a third of the hours below it are dirtier than the month.
///
/// - Source: signals.md 0.4, 5.4, 6.9.
public struct CleanlinessReference: Hashable, Sendable {
    public static let trailingMilliseconds: Int64 = 28 * .millisecondsPerDay
    /// Less than this much data tell nothing.
    public static let knownMillisecondsMin: Int64 = 7 * .millisecondsPerDay

    public let median: Double
    public let ninetiethPercentile: Double

    /// - Parameter trailing: the last 28 days, of one kind.
    /// - Returns: `nil` when fewer than seven days are known.
    public init?(trailing: Distribution) {
        guard trailing.totalWeight >= Double(Self.knownMillisecondsMin), let median = trailing.quantile(0.5),
            let ninetiethPercentile = trailing.quantile(0.9)
        else { return nil }
        self.median = median
        self.ninetiethPercentile = ninetiethPercentile
    }

    /// - Parameter isCriticalPeak: an event declared by the utility outweighs the grid.
    public static func classify(
        _ carbonIntensity: Double?, against reference: CleanlinessReference?, isCriticalPeak: Bool = false
    ) -> Cleanliness {
        if isCriticalPeak { return .avoid }
        guard let carbonIntensity, let reference else { return .unknown }
        if carbonIntensity <= reference.median { return .cleaner }
        return carbonIntensity > reference.ninetiethPercentile ? .avoid : .lessClean
    }
}
