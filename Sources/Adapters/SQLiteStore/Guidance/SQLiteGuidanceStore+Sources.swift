public import EnergyModel
public import EnergyStore
internal import GRDB

extension SQLiteGuidanceStore {
    public func sourceProgress(_ source: String) async throws(EnergyError) -> SourceProgress? {
        try await database.read { connection in
            let row = try Row.fetchOne(
                connection, sql: "SELECT * FROM source_progress WHERE source = ?", arguments: [source])
            guard let row else { return nil }
            let reached: Int64 = row["reached_ms"]
            let (start, end): (Int64?, Int64?) = (row["missing_start_ms"], row["missing_end_ms"])
            var missing: Interval?
            if let start, let end {
                missing = Interval(
                    start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
                if missing == nil { throw EnergyError.damaged("missing_end_ms") }
            }
            return SourceProgress(reached: Timestamp(unixMilliseconds: reached), missing: missing)
        }
    }

    public func putSourceProgress(_ progress: SourceProgress, source: String) async throws(EnergyError) {
        try await database.write { connection in
            try connection.execute(
                sql: """
                    INSERT OR REPLACE INTO source_progress (source, reached_ms, missing_start_ms, missing_end_ms)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    source, progress.reached.unixMilliseconds, progress.missing?.start.unixMilliseconds,
                    progress.missing?.end.unixMilliseconds,
                ])
        }
    }
}
