internal import Foundation

/// How a signal differed, hour by hour, from what the same clock time had been on the 28 days before.
///
/// What a Saturday or Sunday usually adds is taken out, and the rest divided by what is usual at its hour, so that the
/// deviations of all hours can be compared.
struct SignalResiduals: Sendable {
    /// Deviations, in order of time; 0 where nothing is known, which is what one would expect there.
    let deviations: [Double]
    let isKnown: [Bool]
    let end: Timestamp
    /// The smallest value of the history, 0 if none is below.
    let smallest: Double

    private let timeZone: TimeZone
    /// By hour of the local day.
    private let scales: [Double]
    /// By kind of day, then hour of the local day.
    private let dayEffects: [Double]

    /// A deviation beyond this many standard deviations is taken for that many; wider while those of a kind of day are
    /// still in it.
    private static let (deviationsMax, dayDeviationsMax) = (3.0, 5.0)
    private static let hoursADay = 24
    /// Fewer days of a kind than this say nothing of it.
    private static let daysOfAKindMin = 3

    /// - Parameter history: without wild values.
    init(_ history: HourlyHistory, timeZone: TimeZone) {
        self.timeZone = timeZone
        end = history.end
        smallest = history.values.reduce(0) { $1 < $0 ? $1 : $0 }
        let cells = Self.cells(history, timeZone)
        var residuals = Self.residuals(history, cells)
        isKnown = residuals.map(\.isFinite)
        Self.clamp(&residuals, deviations: Self.dayDeviationsMax)
        let effects = Self.dayEffects(residuals, cells)
        for index in residuals.indices { residuals[index] -= effects[cells[index]] }
        Self.clamp(&residuals, deviations: Self.deviationsMax)
        let scales = Self.scales(residuals, cells)
        (dayEffects, self.scales) = (effects, scales)
        deviations = zip(residuals, cells).map { residual, cell in
            let scale = scales[cell % Self.hoursADay]
            return residual.isFinite && scale > 0 ? residual / scale : 0
        }
    }

    /// The deviation of the hour that begins at `start` in the signal's unit, with what its kind of day adds.
    func value(of deviation: Double, at start: Timestamp) -> Double {
        let local = LocalTime(start, offsetMilliseconds: timeZone.offsetMilliseconds(at: start))
        let cell = Self.cell(local)
        return dayEffects[cell] + deviation * scales[cell % Self.hoursADay]
    }

    private static func clamp(_ residuals: inout [Double], deviations: Double) {
        guard let usual = RobustRange(residuals) else { return }
        for index in residuals.indices { residuals[index] = usual.clamp(residuals[index], deviations: deviations) }
    }

    /// Monday to Friday, Saturday, Sunday, each with 24 hours.
    private static func cell(_ local: LocalTime) -> Int { max(0, local.weekday - 4) * hoursADay + local.hour }

    private static func cells(_ history: HourlyHistory, _ timeZone: TimeZone) -> [Int] {
        guard let whole = Interval(start: history.start, end: history.end) else { return [] }
        var result: [Int] = []
        result.reserveCapacity(history.values.count)
        for span in timeZone.offsetSpans(in: whole) {
            var start = history.start.advanced(byMilliseconds: Int64(result.count) * .millisecondsPerHour)
            while start < span.interval.end {
                result.append(cell(LocalTime(start, offsetMilliseconds: span.offsetMilliseconds)))
                start = start.advanced(byMilliseconds: .millisecondsPerHour)
            }
        }
        return result
    }

    /// Each value minus the mean of the newest 28 before it at the same clock time; not a number when fewer than seven
    /// are known.
    private static func residuals(_ history: HourlyHistory, _ cells: [Int]) -> [Double] {
        let days = SameHourForecast.daysMax
        var ring = Array(repeating: 0.0, count: hoursADay * days)
        var (counts, sums) = (Array(repeating: 0, count: hoursADay), Array(repeating: 0.0, count: hoursADay))
        return history.values.indices.map { index in
            let (value, hour) = (history.values[index], cells[index] % hoursADay)
            let known = min(counts[hour], days)
            let residual = known >= SameHourForecast.daysMin ? value - sums[hour] / Double(known) : .nan
            if value.isFinite {
                let place = hour * days + counts[hour] % days
                sums[hour] += value - ring[place]
                ring[place] = value
                counts[hour] += 1
            }
            return residual
        }
    }

    /// The mean residual of each kind of day at each hour, drawn towards 0 as far as chance alone could explain it.
    ///
    /// - Source: James and Stein's positive-part estimator, the means' sampling variance estimated from the spread.
    private static func dayEffects(_ residuals: [Double], _ cells: [Int]) -> [Double] {
        let size = 3 * hoursADay
        var (counts, sums, squares) = (
            Array(repeating: 0.0, count: size), Array(repeating: 0.0, count: size), Array(repeating: 0.0, count: size)
        )
        for index in residuals.indices where residuals[index].isFinite {
            counts[cells[index]] += 1
            sums[cells[index]] += residuals[index]
            squares[cells[index]] += residuals[index] * residuals[index]
        }
        var effects = Array(repeating: 0.0, count: size)
        for kind in 0..<3 {
            let hours = kind * hoursADay..<(kind + 1) * hoursADay
            guard hours.allSatisfy({ counts[$0] >= Double(daysOfAKindMin) }) else { continue }
            let means = hours.map { sums[$0] / counts[$0] }
            let byChance = hours.reduce(0) { sum, cell in
                let mean = sums[cell] / counts[cell]
                let variance = max(0, squares[cell] / counts[cell] - mean * mean) * counts[cell] / (counts[cell] - 1)
                return sum + variance / counts[cell]
            }
            let found = means.reduce(0) { $0 + $1 * $1 }
            guard found > byChance else { continue }
            for (cell, mean) in zip(hours, means) { effects[cell] = mean * (1 - byChance / found) }
        }
        return effects
    }

    /// Root mean square of each hour's residuals, drawn half way towards that of all: the cloudy afternoon of a grid with
    /// much sun varies more than its night.
    private static func scales(_ residuals: [Double], _ cells: [Int]) -> [Double] {
        var (counts, squares) = (Array(repeating: 0.0, count: hoursADay), Array(repeating: 0.0, count: hoursADay))
        for index in residuals.indices where residuals[index].isFinite {
            counts[cells[index] % hoursADay] += 1
            squares[cells[index] % hoursADay] += residuals[index] * residuals[index]
        }
        let count = counts.reduce(0, +)
        guard count > 0 else { return squares }
        let all = (squares.reduce(0, +) / count).squareRoot()
        return zip(squares, counts).map { $1 > 0 ? ((($0 / $1).squareRoot()) + all) / 2 : all }
    }
}
