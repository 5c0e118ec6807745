import CoreMetrics
import Testing

@testable import ServiceRuntime

@Suite struct PrometheusTests {
    @Test func `counters, gauges and timers are written with help, type and units`() {
        let registry = PrometheusRegistry(help: ["gridtide_requests_total": "Requests answered."])
        registry.makeCounter(label: "gridtide.requests", dimensions: [("method", "Submit")]).increment(by: 3)
        registry.makeMeter(label: "gridtide_queue_length", dimensions: []).set(2.5)
        registry.makeTimer(label: "gridtide_commit", dimensions: []).recordNanoseconds(3_000_000)
        let text = registry.exposition()
        #expect(
            text.contains(
                """
                # HELP gridtide_requests_total Requests answered.
                # TYPE gridtide_requests_total counter
                gridtide_requests_total{method="Submit"} 3

                """))
        #expect(text.contains("# TYPE gridtide_queue_length gauge\ngridtide_queue_length 2.5\n"))
        #expect(text.contains("# TYPE gridtide_commit_seconds histogram\n"))
        #expect(text.contains("gridtide_commit_seconds_bucket{le=\"0.0025\"} 0\n"))
        #expect(text.contains("gridtide_commit_seconds_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("gridtide_commit_seconds_bucket{le=\"+Inf\"} 1\n"))
        #expect(text.contains("gridtide_commit_seconds_sum 0.003\ngridtide_commit_seconds_count 1\n"))
    }

    @Test func `label values are escaped and names made legal`() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "9 lives!", dimensions: [("a-b", "x\"y\\z\nw")]).increment(by: 1)
        #expect(registry.exposition().contains(#"_9_lives__total{a_b="x\"y\\z\nw"} 1"#))
    }

    @Test func `the same name and labels are the same series, in any order of labels`() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "n", dimensions: [("a", "1"), ("b", "2")]).increment(by: 1)
        registry.makeCounter(label: "n", dimensions: [("b", "2"), ("a", "1")]).increment(by: 1)
        #expect(registry.exposition().contains("n_total{a=\"1\",b=\"2\"} 2\n"))
    }

    @Test func `a second kind under one name is hidden and counted`() {
        let registry = PrometheusRegistry()
        registry.makeMeter(label: "n", dimensions: []).set(1.0)
        registry.makeRecorder(label: "n", dimensions: [], aggregate: true).record(5 as Int64)
        let text = registry.exposition()
        #expect(text.contains("# TYPE n gauge\nn 1\n"))
        #expect(text.contains("gridtide_metrics_hidden_total 1\n"))
    }

    @Test func `the number of series is bounded`() {
        let registry = PrometheusRegistry()
        for index in 0..<(PrometheusRegistry.seriesMax + 5) {
            registry.makeCounter(label: "n", dimensions: [("i", "\(index)")]).increment(by: 1)
        }
        #expect(registry.exposition().contains("gridtide_metrics_hidden_total 5\n"))
    }

    @Test func `a destroyed metric is no longer shown`() {
        let registry = PrometheusRegistry()
        registry.makeMeter(label: "a", dimensions: []).set(1.0)
        let counter = registry.makeCounter(label: "n", dimensions: [])
        #expect(registry.exposition().contains("\nn_total"))
        registry.destroyCounter(counter)
        #expect(!registry.exposition().contains("\nn_total"))
    }

    @Test func `the process shows memory, time, start and descriptors`() {
        let text = ProcessMetrics.exposition()
        for name in [
            "process_resident_memory_bytes", "process_cpu_seconds_total", "process_start_time_seconds",
            "process_open_fds",
        ] { #expect(text.contains("\n\(name) ")) }
    }
}
