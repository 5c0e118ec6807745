/// Values that each held for a while, in order of size: answers what share of the time was below a value.
public struct Distribution: Sendable {
    /// Ascending, distinct.
    private let values: [Double]
    /// Of the values before each one and, as the last element, of all.
    private let weightsBefore: [Double]

    /// - Parameter samples: each weight is positive, for example the milliseconds that the value held. Values that are
    ///   not finite are left out.
    public init(_ samples: [(value: Double, weight: Double)]) {
        var (values, before, total): ([Double], [Double], Double) = ([], [], 0)
        for sample in samples.filter({ $0.value.isFinite }).sorted(by: { $0.value < $1.value }) {
            if values.last != sample.value {
                values.append(sample.value)
                before.append(total)
            }
            total += sample.weight
        }
        self.values = values
        weightsBefore = before + [total]
    }

    public var totalWeight: Double { weightsBefore.last ?? 0 }
    public var isEmpty: Bool { values.isEmpty }

    /// Mid-rank of `value`: the share of the weight below it plus half of the weight equal to it.
    ///
    /// `0...1`. Equal values have equal ranks; in a distribution of one value that value has 0.5.
    public func midRank(of value: Double) -> Double {
        guard totalWeight > 0 else { return 0.5 }
        let index = firstIndex(atLeast: value)
        let isMember = index < values.count && values[index] == value
        let equal = isMember ? weightsBefore[index + 1] - weightsBefore[index] : 0
        return (weightsBefore[index] + equal / 2) / totalWeight
    }

    /// The smallest value that at least `share` of the weight does not exceed; `nil` when empty.
    ///
    /// - Parameter share: `0...1`; 0.5 is the median.
    public func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let target = share * totalWeight
        return values.indices.first { weightsBefore[$0 + 1] >= target }.map { values[$0] } ?? values.last
    }

    /// Largest - smallest; 0 when empty.
    public var spread: Double {
        guard let first = values.first, let last = values.last else { return 0 }
        return last - first
    }

    /// Mean of the absolute values; 0 when empty.
    public var meanSize: Double {
        let sum = values.indices.reduce(0) { sum, index in
            sum + abs(values[index]) * (weightsBefore[index + 1] - weightsBefore[index])
        }
        return totalWeight > 0 ? sum / totalWeight : 0
    }

    /// (largest - smallest) / mean size; 0 when empty or when all are zero. Does not change with the unit.
    public var relativeSpread: Double {
        let size = meanSize
        return spread > 0 && size > 0 ? spread / size : 0
    }

    private func firstIndex(atLeast value: Double) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Distribution {
    /// Of a signal, each value weighted by how long it held.
    public init(_ points: some Sequence<SignalPoint>) {
        self.init(points.map { ($0.value, Double($0.interval.milliseconds)) })
    }

    /// The same of the part of it in `interval`: where that is not on the signal's full hours, as of a day half an hour from
    /// GMT, its first and last value count for the part that lies inside.
    public init(_ series: SignalSeries, within interval: Interval) {
        self.init(
            series.overlapping(interval).compactMap { point in
                point.interval.intersection(interval).map { (point.value, Double($0.milliseconds)) }
            })
    }
}
