public import Foundation

/// Predicts a signal from its own past: the 28-day mean of the same clock time, corrected by what the last two days and
/// the kind of day say.
///
/// 1. Values far outside the usual of their month are drawn to its edge: one price spike must not rule a month of means.
/// 2. The mean of the same local clock time on the last 28 known days, as ``SameHourForecast`` has it.
/// 3. Hours of Saturdays and Sundays get what those usually differ by.
/// 4. The last 48 hours' deviations from 2 and 3 tell of the coming ones, by how deviations went together in the past
///    year (``DeviationPredictor``).
///
/// All is fitted to the signal's own history at each use. With less than ``correctedDaysMin`` days of it only 1 and 2
/// are done, with less than seven days nothing is known. The same history always gives the same forecast. Gaps and a lag
/// of days are tolerated: the more of them, the closer the forecast is to the mean.
public struct HistoryForecast: Sendable {
    /// Published with every guidance that was predicted. Changes whenever the same history would be predicted differently.
    public static let name = "same-hour-deviation/1"

    /// How far back more history makes the forecast better.
    public static let historyMilliseconds: Int64 = 365 * .millisecondsPerDay
    /// Fewer days of history than this, and the mean is not corrected.
    public static let correctedDaysMin = 35

    private let mean: SameHourForecast
    private let residuals: SignalResiduals?
    private let expected: [Double]

    private static let deviationsMax = 5.0
    private static let hoursAMonth = 28 * 24

    /// - Parameters:
    ///   - history: what was measured, in steps no longer than an hour for a correction; of the last 35 days.
    ///   - older: what was measured before it; each hour that `history` knows as well is taken from there.
    ///   - stepMilliseconds: of the values predicted; divides a day.
    ///   - end: how far to predict; later, and more than three days after the end of the history, no correction is made.
    public init(
        history: SignalSeries, older: HourlyHistory = .empty, stepMilliseconds: Int64, timeZone: TimeZone,
        until end: Timestamp
    ) {
        let recent = HourlyHistory(history)
        let clipped = Self.clipped(older.continued(by: recent))
        mean = SameHourForecast(
            history: Self.clipped(history), stepMilliseconds: stepMilliseconds, timeZone: timeZone)
        guard !recent.isEmpty, clipped.values.count >= Self.correctedDaysMin * 24 else {
            (residuals, expected) = (nil, [])
            return
        }
        let residuals = SignalResiduals(clipped, timeZone: timeZone)
        let lead = end.milliseconds(since: residuals.end) / .millisecondsPerHour + 1
        self.residuals = residuals
        expected =
            DeviationPredictor(
                residuals.deviations, isKnown: residuals.isKnown,
                leadHours: Int(min(max(0, lead), Int64(DeviationPredictor.leadHoursMax)))
            ).expected
    }

    /// - Parameter start: a multiple of the step since 1970.
    /// - Returns: the expected value of the step that begins at `start`; `nil` when too few days are known.
    public func point(at start: Timestamp) -> SignalPoint? {
        guard let mean = mean.point(at: start) else { return nil }
        guard let residuals else { return mean }
        let hour = start.floored(toMilliseconds: .millisecondsPerHour)
        let lead = hour.milliseconds(since: residuals.end) / .millisecondsPerHour
        let deviation = 0..<Int64(expected.count) ~= lead ? expected[Int(lead)] : 0
        let value = mean.value + residuals.value(of: deviation, at: hour)
        // A signal that was never negative does not become so.
        return SignalPoint(
            interval: mean.interval, value: max(residuals.smallest, value), isEstimated: true)
    }

    /// Month by month from the end.
    private static func clipped(_ history: HourlyHistory) -> HourlyHistory {
        var (values, end) = (history.values, history.values.count)
        while end > 0 {
            let start = max(0, end - hoursAMonth)
            if let usual = RobustRange(values[start..<end]) {
                for index in start..<end { values[index] = usual.clamp(values[index], deviations: deviationsMax) }
            }
            end = start
        }
        return history.replacing(values)
    }

    private static func clipped(_ history: SignalSeries) -> SignalSeries {
        guard let usual = RobustRange(history.points.lazy.map(\.value)) else { return history }
        return SignalSeries(
            history.points.map {
                SignalPoint(
                    interval: $0.interval,
                    value: usual.clamp($0.value, deviations: deviationsMax),
                    isEstimated: $0.isEstimated)
            })
    }
}
