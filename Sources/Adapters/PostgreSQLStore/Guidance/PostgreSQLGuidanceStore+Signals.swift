public import EnergyModel
public import EnergyStore
internal import SQLColumns

extension PostgreSQLGuidanceStore {
    public func recordSignals(
        _ records: [SignalRecord], region: String, learned: Timestamp
    ) async throws(EnergyError) {
        guard let quantity = try GuidanceLimits.check(records) else { return }
        let first = min(records.first?.interval.start ?? learned, learned)
        try await database.run(.readCommitted) { transaction in
            try transaction.takeTurn("\(quantity.rawValue) of \(region)")
            let present = try Self.entries(transaction, quantity, region: region, from: first, to: nil)
            let change = SignalTimeline.change(to: present, recording: records, learned: learned).essential
            for entry in change.removed {
                try transaction.send(
                    "DELETE FROM signals WHERE region = $1 AND quantity = $2 AND start_ms = $3 AND revision = $4",
                    [region, quantity.rawValue, entry.record.interval.start, entry.revision])
            }
            for entry in change.added {
                try transaction.sendInsert(entry.columns(quantity, region: region), into: "signals")
            }
        }
    }

    public func signals(
        _ quantity: SignalQuantity, region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord] {
        try await database.read { transaction in
            let entries = try Self.entries(
                transaction, quantity, region: region, from: interval.start, to: interval.end)
            return SignalTimeline.select(entries, revision: revision)
        }
    }

    /// The entries that touch the time from `start` to `end`. The key is ordered by start, and no record holds for more
    /// than a day: looking from two days before finds all.
    private static func entries(
        _ transaction: PostgreSQLTransaction, _ quantity: SignalQuantity, region: String, from start: Timestamp,
        to end: Timestamp?
    ) throws -> [SignalTimeline.Entry] {
        try transaction.query(
            """
            SELECT * FROM signals WHERE region = $1 AND quantity = $2 AND start_ms > $3 AND end_ms > $4 AND start_ms < $5
            ORDER BY start_ms, revision
            """,
            [
                region, quantity.rawValue, start.unixMilliseconds - 2 * .millisecondsPerDay, start.unixMilliseconds,
                end?.unixMilliseconds ?? .max,
            ]
        ).map { try SignalTimeline.Entry($0) }
    }

    public func sourceProgress(_ source: String) async throws(EnergyError) -> SourceProgress? {
        try await database.read { transaction in
            try transaction.query("SELECT * FROM source_progress WHERE source = $1", [source]).first
                .map { try SourceProgress($0) }
        }
    }

    public func putSourceProgress(_ progress: SourceProgress, source: String) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            try transaction.sendUpsert(progress.columns(source: source), into: "source_progress", key: ["source"])
        }
    }

    public func addForecast(_ issue: ForecastIssue, source: String, region: String) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            let forecast = StoredForecast(source: source, region: region, issue: issue)
            try transaction.sendUpsert(forecast.columns(), into: "forecasts", key: ["source", "region", "start_ms"])
        }
    }

    public func forecasts() async throws(EnergyError) -> [StoredForecast] {
        try await database.read { transaction in
            try transaction.query("SELECT * FROM forecasts ORDER BY start_ms, source, region")
                .map { try StoredForecast($0) }
        }
    }
}
