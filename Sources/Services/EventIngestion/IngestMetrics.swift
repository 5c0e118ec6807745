internal import EnergyModel
internal import Metrics
internal import Synchronization

/// What an operator sees of the ingestor.
struct IngestMetrics: Sendable {
    private let accepted = Counter(label: "gridtide_ingest_events_accepted")
    private let duplicates = Counter(label: "gridtide_ingest_events_duplicate")
    private let limited = Counter(label: "gridtide_ingest_batches_rate_limited")
    private let unavailable = Counter(label: "gridtide_ingest_batches_unavailable")
    private let unpublished = Counter(label: "gridtide_ingest_publications_failed")
    private let commit = Timer(label: "gridtide_ingest_commit")
    private let commitBatches = Recorder(label: "gridtide_ingest_commit_batches")
    let inFlight = InFlightMeter()
    private let removedRecords = Counter(label: "gridtide_ingest_records_removed")
    private let abandonedSessions = Counter(label: "gridtide_ingest_sessions_abandoned")
    private let refusals = RefusalCounters()

    func accepted(_ result: SubmitResult) {
        accepted.increment(by: result.accepted)
        duplicates.increment(by: result.duplicates)
    }

    func refused(_ error: EnergyError) {
        switch error.code {
        case .rateLimited: limited.increment()
        case .unavailable: unavailable.increment()
        default: for violation in error.violations { refusals.count(violation) }
        }
    }

    func committed(batches: Int, in duration: Duration) {
        commit.record(duration: duration)
        commitBatches.record(batches)
    }

    func removed(records: Int) { removedRecords.increment(by: records) }

    func abandoned(sessions: Int) { abandonedSessions.increment(by: sessions) }

    func publicationFailed() { unpublished.increment() }
}

/// Batches that were taken in and not answered yet.
final class InFlightMeter: Sendable {
    private let state = Mutex(0)
    private let meter = Meter(label: "gridtide_ingest_batches_in_flight")

    init() { meter.set(0) }

    var count: Int { state.withLock { $0 } }

    func add(_ change: Int) {
        // Under the lock, or the one who counted first could be the last to say so.
        state.withLock { count in
            count += change
            meter.set(count)
        }
    }
}

/// One counter per field and rule. Both are texts of this program, so there are few; more than 200 are not told apart.
private final class RefusalCounters: Sendable {
    private let counters = Mutex<[String: Counter]>([:])

    func count(_ violation: RuleViolation) {
        let counter = counters.withLock { counters in
            let key = "\(violation.field) \(violation.rule)"
            if let known = counters[key] { return known }
            guard counters.count < 200 else { return Counter(label: label, dimensions: [("field", "other")]) }
            let counter = Counter(
                label: label, dimensions: [("field", violation.field), ("rule", violation.rule)])
            counters[key] = counter
            return counter
        }
        counter.increment()
    }

    private var label: String { "gridtide_ingest_refusals" }
}
