internal import EnergyModel
internal import EnergyStore

/// What a source on the web has said, as it is stored: each correction a revision, and nothing asked for twice.
struct SourceHistory: Sendable {
    private let store: any GuidanceStore
    private let source: any GridSource
    /// No region has this name: what a source said is apart from what guidance was made of.
    private let storedName: String

    init(_ source: any GridSource, _ store: any GuidanceStore) {
        self.source = source
        self.store = store
        storedName = (["web:\(source.name)", source.kind.rawValue, source.currency ?? ""] + [source.variant])
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What is known today of `interval`, with corrections.
    func series(in interval: Interval) async throws(EnergyError) -> (series: SignalSeries, issued: Timestamp?) {
        let records = try await store.signals(
            source.kind.quantity, region: storedName, in: interval, revision: .newest)
        let points = records.map {
            SignalPoint(interval: $0.interval, value: $0.value, isEstimated: $0.isEstimated)
        }
        return (SignalSeries(points), records.compactMap(\.issued).max())
    }

    func progress() async throws(EnergyError) -> SourceProgress? { try await store.sourceProgress(storedName) }

    /// Keeps what differs from what was known, then how far the source was asked.
    ///
    /// - Parameters:
    ///   - before: what was known.
    ///   - after: what is known now.
    func keep(
        _ after: SignalSeries, over before: SignalSeries, issued: Timestamp?, progress: SourceProgress?, now: Timestamp
    ) async throws(EnergyError) {
        let known = Set(before.points)
        var passed = after.points.filter { $0.interval.end <= now && !known.contains($0) }[...]
        while !passed.isEmpty {
            try await record(passed.prefix(GuidanceLimits.signalRecordsMax), issued, now)
            passed = passed.dropFirst(GuidanceLimits.signalRecordsMax)
        }
        // What lies ahead is stored as a whole, what has passed only where it is news.
        let ahead = after.ending(after: now)
        if ahead != before.ending(after: now) {
            try await record(
                ahead.points.prefix(GuidanceLimits.signalRecordsMax), issued, after.beginOfRunning(at: now))
        }
        if let progress { try await store.putSourceProgress(progress, source: storedName) }
    }

    private func record(
        _ points: ArraySlice<SignalPoint>, _ issued: Timestamp?, _ learned: Timestamp
    ) async throws(EnergyError) {
        try await store.recordSignals(
            points.map {
                SignalRecord(
                    interval: $0.interval, value: $0.value, isEstimated: $0.isEstimated, kind: source.kind,
                    cleanliness: .unknown, source: source.name, issued: issued, currency: source.currency)
            }, region: storedName, learned: learned)
    }
}
