internal import CoreMetrics
internal import Synchronization

/// One time series: draws itself as exposition lines.
protocol PrometheusSeries: AnyObject, Sendable {
    /// - Parameter labels: as `PrometheusText.labels` writes them.
    func lines(name: String, dimensions: [(String, String)]) -> String
}

/// A number that only grows.
final class PrometheusCounter: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) {
        guard amount > 0 else { return }
        value.withLock { $0 += amount }
    }
    func reset() { value.withLock { $0 = 0 } }

    func lines(name: String, dimensions: [(String, String)]) -> String {
        let value = value.withLock { $0 }
        return "\(name)\(PrometheusText.labels(dimensions)) \(PrometheusText.number(value))\n"
    }
}

/// A number that rises and falls.
final class PrometheusGauge: PrometheusSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ new: Int64) { set(Double(new)) }
    func record(_ new: Double) { set(new) }

    func lines(name: String, dimensions: [(String, String)]) -> String {
        let value = value.withLock { $0 }
        return "\(name)\(PrometheusText.labels(dimensions)) \(PrometheusText.number(value))\n"
    }
}

/// Values counted into fixed buckets.
final class PrometheusHistogram: PrometheusSeries, TimerHandler, RecorderHandler {
    /// Upper bounds in seconds: from a call over loopback to a slow query.
    static let secondsBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Upper bounds for sizes and counts.
    static let sizeBounds = [1.0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]

    private struct State {
        var counts: [Int]
        var sum = 0.0
    }
    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        // One more for values above the last bound.
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func lines(name: String, dimensions: [(String, String)]) -> String {
        let state = state.withLock { $0 }
        var (text, total) = ("", 0)
        for (bound, count) in zip(bounds + [.infinity], state.counts) {
            total += count
            let labels = PrometheusText.labels(dimensions + [("le", PrometheusText.number(bound))])
            text += "\(name)_bucket\(labels) \(total)\n"
        }
        let labels = PrometheusText.labels(dimensions)
        return text + "\(name)_sum\(labels) \(PrometheusText.number(state.sum))\n\(name)_count\(labels) \(total)\n"
    }
}
