/// Expects how far the next hours deviate, from the last two days and how deviations went together before.
///
/// The best linear prediction, given the covariances between hours. Two estimates of these are averaged: one from how
/// deviations so many hours apart go together at any time of day, which much data support, and one from the same hours
/// of each day before, which knows that a cloudy noon says little of the night. Half of each does better than either on
/// every grid it was tried on; a fifth of the variance is added as noise, so that few data do not lead astray.
struct DeviationPredictor: Sendable {
    /// Hours of the past that a prediction looks at.
    static let pastHours = 48
    /// Beyond this nothing but the usual is expected.
    static let leadHoursMax = 72
    private static let noiseShare = 0.2

    /// One per hour after the end of the history: 0 where nothing is expected.
    let expected: [Double]

    /// - Parameters:
    ///   - deviations: in order of time, without gaps; 0 where unknown.
    ///   - isKnown: as many.
    ///   - leadHours: how far to look ahead; at most ``leadHoursMax`` are predicted.
    init(_ deviations: [Double], isKnown: [Bool], leadHours: Int) {
        let leads = min(max(0, leadHours), Self.leadHoursMax)
        let count = deviations.count
        // Hours before the end, 1 is the last.
        let past = (1...Self.pastHours).filter { $0 <= count && isKnown[count - $0] }
        let covariances = Self.covariances(deviations, lags: Self.pastHours + leads)
        guard leads > 0, covariances[0] > 0,
            let weights = Self.weights(deviations, past, covariances)
        else {
            expected = []
            return
        }
        let byDay = Self.similarity(deviations, past, weights)
        expected = (0..<leads).map { lead in
            let anyTime = zip(past, weights).reduce(0) { $0 + covariances[lead + $1.0] * $1.1 }
            var (sum, days) = (0.0, 0)
            var day = lead / 24 + 1
            while day <= byDay.count {
                sum += deviations[count + lead - 24 * day] * byDay[day - 1]
                days += 1
                day += 1
            }
            return (anyTime + (days > 0 ? sum / Double(days) : 0)) / 2
        }
    }

    /// How deviations 0, 1, ... hours apart go together, at any time of day.
    private static func covariances(_ deviations: [Double], lags: Int) -> [Double] {
        deviations.withUnsafeBufferPointer { values in
            (0..<lags).map { lag in
                guard lag < values.count else { return 0 }
                var sum = SIMD8<Double>.zero
                var index = 0
                while index + lag + 8 <= values.count {
                    sum += simd(values, index) * simd(values, index + lag)
                    index += 8
                }
                var rest = sum.sum()
                while index + lag < values.count {
                    rest += values[index] * values[index + lag]
                    index += 1
                }
                return rest / Double(values.count)
            }
        }
    }

    /// What each hour of the past counts.
    private static func weights(_ deviations: [Double], _ past: [Int], _ covariances: [Double]) -> [Double]? {
        guard !past.isEmpty else { return nil }
        let count = deviations.count
        let days = max(0, (count - pastHours) / 24)
        var matrix = SymmetricMatrix(size: past.count)
        // Each row the same hour of each day before, so that the inner loop runs through memory.
        let rows = past.map { hour in (0..<days).map { deviations[count - hour - 24 * ($0 + 1)] } }
        for row in past.indices {
            for column in 0...row {
                let byDay = days > 0 ? dot(rows[row], rows[column]) / Double(days) : 0
                matrix[row, column] = (covariances[past[row] - past[column]] + byDay) / 2
            }
            matrix[row, row] += noiseShare * covariances[0]
        }
        return matrix.solving(past.map { deviations[count - $0] })
    }

    /// How much each day before, beginning with yesterday, was like the last two days, by the weights.
    private static func similarity(_ deviations: [Double], _ past: [Int], _ weights: [Double]) -> [Double] {
        let count = deviations.count
        return (1...max(1, (count - pastHours) / 24)).map { day in
            zip(past, weights).reduce(0) { sum, term in
                let index = count - term.0 - 24 * day
                return index >= 0 ? sum + deviations[index] * term.1 : sum
            }
        }
    }

    private static func dot(_ left: [Double], _ right: [Double]) -> Double {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                var sum = SIMD8<Double>.zero
                var index = 0
                while index + 8 <= left.count {
                    sum += simd(left, index) * simd(right, index)
                    index += 8
                }
                var rest = sum.sum()
                while index < left.count {
                    rest += left[index] * right[index]
                    index += 1
                }
                return rest
            }
        }
    }

    private static func simd(_ values: UnsafeBufferPointer<Double>, _ index: Int) -> SIMD8<Double> {
        SIMD8(
            values[index], values[index + 1], values[index + 2], values[index + 3], values[index + 4],
            values[index + 5], values[index + 6], values[index + 7])
    }
}
