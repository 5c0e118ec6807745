public import CoreMetrics
internal import Synchronization

/// Keeps a process's metrics and writes them as Prometheus reads them.
///
/// Counters get the ending `_total`, timers are histograms in seconds with the ending `_seconds`, meters and plain
/// recorders are gauges, aggregating recorders histograms. A name has one kind: asked for with another, and beyond
/// ``seriesMax`` series, a metric is handed out that works and is not shown, and `gridtide_metrics_hidden_total` counts
/// it, because a metric is no reason for a service to end.
public final class PrometheusRegistry: MetricsFactory {
    /// Of the whole process.
    public static let seriesMax = 2_000

    private enum Kind: String { case counter, gauge, histogram }
    private struct Family {
        let kind: Kind
        var series: [String: (dimensions: [(String, String)], instrument: any PrometheusSeries)] = [:]
    }
    private struct State {
        var families: [String: Family] = [:]
        var seriesCount = 0
    }
    private let state = Mutex(State())
    private let hidden = PrometheusCounter()
    private let help: [String: String]

    /// - Parameter help: by metric name as it is shown; a name without help is shown with its own words.
    public init(help: [String: String] = [:]) { self.help = help }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(ending(label, "_total"), .counter, dimensions) { PrometheusCounter() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(ending(label, "_total"), .counter, dimensions) { PrometheusCounter() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(PrometheusText.name(label), .gauge, dimensions) { PrometheusGauge() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let name = PrometheusText.name(label)
        guard aggregate else { return find(name, .gauge, dimensions) { PrometheusGauge() } }
        return find(name, .histogram, dimensions) { PrometheusHistogram(bounds: PrometheusHistogram.sizeBounds) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(ending(label, "_seconds"), .histogram, dimensions) {
            PrometheusHistogram(bounds: PrometheusHistogram.secondsBounds)
        }
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// The whole exposition, sorted by name.
    public func exposition() -> String {
        let families = state.withLock { $0.families }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) where !family.series.isEmpty {
            let words = help[name] ?? name.replacing("_", with: " ")
            text += PrometheusText.header(name, type: family.kind.rawValue, help: words)
            for (_, series) in family.series.sorted(by: { $0.key < $1.key }) {
                text += series.instrument.lines(name: name, dimensions: series.dimensions)
            }
        }
        let name = "gridtide_metrics_hidden_total"
        text += PrometheusText.header(name, type: "counter", help: "Metrics asked for and not shown.")
        return text + hidden.lines(name: name, dimensions: [])
    }

    private func ending(_ label: String, _ ending: String) -> String {
        let name = PrometheusText.name(label)
        return name.hasSuffix(ending) ? name : name + ending
    }

    private func find<Instrument: PrometheusSeries>(
        _ name: String, _ kind: Kind, _ dimensions: [(String, String)], make: () -> Instrument
    ) -> Instrument {
        let dimensions = dimensions.sorted { $0.0 < $1.0 }
        let key = PrometheusText.labels(dimensions)
        let (instrument, isShown): (Instrument, Bool) = state.withLock { state in
            if let known = state.families[name]?.series[key]?.instrument as? Instrument { return (known, true) }
            let instrument = make()
            guard state.seriesCount < Self.seriesMax, state.families[name].map({ $0.kind == kind }) ?? true,
                state.families[name]?.series[key] == nil
            else { return (instrument, false) }
            state.families[name, default: Family(kind: kind)].series[key] = (dimensions, instrument)
            state.seriesCount += 1
            return (instrument, true)
        }
        if !isShown { hidden.increment(by: 1 as Int64) }
        return instrument
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard let key = family.series.first(where: { $0.value.instrument === handler })?.key else { continue }
                state.families[name]?.series[key] = nil
                state.seriesCount -= 1
                return
            }
        }
    }
}
