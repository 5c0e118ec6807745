import EnergyModel
import EnergyStore
import Synchronization

/// A recorded signal as a source that only knows what was over some time ago.
struct MemorySource: SignalProvider {
    let name: String
    let kind = SignalKind.averageDirect
    let series: SignalSeries
    let lagMilliseconds: Int64
    /// Nothing older than this is known; `nil` all is.
    let historyMilliseconds: Int64?

    func signals(region: String, in interval: Interval, now: Timestamp) async throws(EnergyError) -> SignalReport {
        let reach = now.advanced(byMilliseconds: -lagMilliseconds)
        let oldest = historyMilliseconds.map { reach.advanced(byMilliseconds: -$0) }
        let known = series.overlapping(interval).filter { point in
            point.interval.end <= reach && oldest.map { point.interval.start >= $0 } ?? true
        }
        let newest = series.overlapping(
            Interval(start: reach.advanced(byMilliseconds: -.millisecondsPerDay), milliseconds: .millisecondsPerDay)
        ).last { $0.interval.end <= reach }
        return SignalReport(
            series: SignalSeries(known), stepMilliseconds: series.points[0].interval.milliseconds,
            newestMeasured: newest?.interval.end)
    }
}

/// Tells the time that the benchmark is at.
final class SetClock: WallClock {
    private let time: Mutex<Timestamp>
    init(_ start: Timestamp) { time = Mutex(start) }
    var now: Timestamp { time.withLock { $0 } }
    func set(_ now: Timestamp) { time.withLock { $0 = now } }
}
