/// How well forecasts of a source came true over the last 28 days, from what was issued and what was measured later.
///
/// - Source: signals.md 5.1 and 6.5; rank and captured saving decide what guidance is worth, the error is information
///   and says below which spread differences are noise.
public struct ForecastSkill: Hashable, Sendable {
    public static let trailingMilliseconds: Int64 = 28 * .millisecondsPerDay
    /// Fewer issues than this say nothing.
    public static let issuesMin = 7

    /// Issues of which all hours have been measured.
    public let issues: Int
    /// Mean of Spearman's coefficient of each issue, `-1...1`; 0 where an issue or what came was flat.
    public let rankCorrelation: Double
    /// What the four hours that each issue expected to be lowest saved against the mean, as a share of what the four
    /// lowest would have saved; at most 1, negative when following it did harm. 0 when nothing could be saved.
    public let capturedShare: Double
    /// Mean absolute error / mean size of what was measured; `>= 0`.
    public let relativeError: Double
    /// Mean absolute error, in the signal's unit; `>= 0`.
    public let absoluteError: Double

    public init(
        issues: Int, rankCorrelation: Double, capturedShare: Double, relativeError: Double, absoluteError: Double
    ) {
        self.issues = issues
        self.rankCorrelation = rankCorrelation
        self.capturedShare = capturedShare
        self.relativeError = relativeError
        self.absoluteError = absoluteError
    }

    private static let followedMilliseconds: Int64 = 4 * .millisecondsPerHour

    /// - Parameters:
    ///   - issued: in any order; those that began earlier than 28 days before `now` are left out.
    ///   - measured: estimated points count as unknown.
    /// - Returns: `nil` when fewer than ``issuesMin`` issues can be judged.
    public init?(_ issued: [ForecastIssue], measured: SignalSeries, now: Timestamp) {
        var (judged, correlations, saved, possible) = (0, 0.0, 0.0, 0.0)
        var (error, size, count) = (0.0, 0.0, 0)
        for issue in issued where now.milliseconds(since: issue.interval.start) <= Self.trailingMilliseconds {
            let actual = measured.resampled(over: issue.interval, stepMilliseconds: issue.stepMilliseconds)
                .compactMap { $0.flatMap { $0.isEstimated ? nil : $0.value } }
            guard actual.count == issue.values.count else { continue }
            judged += 1
            correlations += Self.rankCorrelation(issue.values, actual)
            let followed = min(actual.count, max(1, Int(Self.followedMilliseconds / issue.stepMilliseconds)))
            let mean = actual.reduce(0, +) / Double(actual.count)
            saved += mean - Self.mean(of: actual, at: Self.lowest(followed, issue.values))
            possible += mean - Self.mean(of: actual, at: Self.lowest(followed, actual))
            for (expected, came) in zip(issue.values, actual) {
                error += abs(expected - came)
                size += abs(came)
            }
            count += actual.count
        }
        guard judged >= Self.issuesMin, count > 0 else { return nil }
        issues = judged
        rankCorrelation = correlations / Double(judged)
        capturedShare = possible > 0 ? saved / possible : 0
        relativeError = size > 0 ? error / size : 0
        absoluteError = error / Double(count)
    }

    private static func lowest(_ count: Int, _ values: [Double]) -> [Int] {
        Array(values.indices.sorted { (values[$0], $0) < (values[$1], $1) }.prefix(count))
    }

    private static func mean(of values: [Double], at indices: [Int]) -> Double {
        indices.reduce(0) { $0 + values[$1] } / Double(indices.count)
    }

    private static func rankCorrelation(_ left: [Double], _ right: [Double]) -> Double {
        let (a, b) = (ranks(left), ranks(right))
        let covariance = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
        let variances = (a.reduce(0) { $0 + $1 * $1 }) * (b.reduce(0) { $0 + $1 * $1 })
        return variances > 0 ? covariance / variances.squareRoot() : 0
    }

    /// Around 0, ties averaged.
    private static func ranks(_ values: [Double]) -> [Double] {
        let distribution = Distribution(values.map { ($0, 1) })
        return values.map { distribution.midRank(of: $0) - 0.5 }
    }
}
