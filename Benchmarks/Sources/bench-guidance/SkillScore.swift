import Foundation

/// What following a prediction saves over many days, against what perfect foresight would.
///
/// A prediction is any list of numbers, one per hour, of which the lowest are followed; of equal ones the earlier.
struct SkillScore {
    private var saved: [Strategy: Double] = [:]
    private var possible: [Strategy: Double] = [:]
    private var correlations: [Double] = []
    private var hits = 0
    private(set) var days = 0
    /// The smallest (mean of the day - mean of the four hours followed) / mean of the day.
    private(set) var worstDay = Double.infinity
    /// Days on which following was worse than the day's mean by more than 5 %.
    private(set) var badDays = 0

    private enum Strategy: Hashable {
        case split(Int)
        case contiguous(Int)
    }

    var split4: Double { share(.split(4)) }
    var contiguous4: Double { share(.contiguous(4)) }
    var contiguous8: Double { share(.contiguous(8)) }
    var rankCorrelation: Double { correlations.reduce(0, +) / Double(correlations.count) }
    /// Share of the four lowest hours that were among the four followed.
    var hitRate: Double { Double(hits) / Double(4 * days) }

    mutating func add(_ prediction: [Double], _ actual: [Double]) {
        let mean = actual.reduce(0, +) / Double(actual.count)
        let (followed, best) = (Self.lowest(4, prediction), Self.lowest(4, actual))
        let saving = mean - Self.mean(actual, followed)
        add(.split(4), saving, mean - Self.mean(actual, best))
        for length in [4, 8] {
            add(
                .contiguous(length), mean - Self.mean(actual, Self.block(length, prediction)),
                mean - Self.mean(actual, Self.block(length, actual)))
        }
        hits += Set(followed).intersection(best).count
        worstDay = min(worstDay, saving / mean)
        if saving / mean < -0.05 { badDays += 1 }
        if let correlation = Self.rankCorrelation(prediction, actual) { correlations.append(correlation) }
        days += 1
    }

    private mutating func add(_ strategy: Strategy, _ saving: Double, _ most: Double) {
        saved[strategy, default: 0] += saving
        possible[strategy, default: 0] += most
    }

    private func share(_ strategy: Strategy) -> Double { (saved[strategy] ?? 0) / (possible[strategy] ?? 0) }

    private static func lowest(_ count: Int, _ values: [Double]) -> [Int] {
        Array(values.indices.sorted { (values[$0], $0) < (values[$1], $1) }.prefix(count))
    }

    private static func block(_ length: Int, _ values: [Double]) -> [Int] {
        let starts = 0...values.count - length
        let sums = starts.map { values[$0..<$0 + length].reduce(0, +) }
        let start = sums.indices.min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
        return Array(start..<start + length)
    }

    private static func mean(_ values: [Double], _ indices: [Int]) -> Double {
        indices.reduce(0) { $0 + values[$1] } / Double(indices.count)
    }

    /// Spearman's, ties averaged; `nil` when one of the two is constant.
    private static func rankCorrelation(_ left: [Double], _ right: [Double]) -> Double? {
        let (a, b) = (ranks(left), ranks(right))
        let middle = Double(a.count - 1) / 2
        let covariance = zip(a, b).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - middle) }
        let variances = [a, b].map { $0.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } }
        guard variances.allSatisfy({ $0 > 0 }) else { return nil }
        return covariance / (variances[0] * variances[1]).squareRoot()
    }

    private static func ranks(_ values: [Double]) -> [Double] {
        values.map { value in
            Double(values.count { $0 < value }) + Double(values.count { $0 == value } - 1) / 2
        }
    }
}
