public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB

extension SQLiteGuidanceStore {
    public func recordSignals(
        _ records: [SignalRecord], region: String, learned: Timestamp
    ) async throws(EnergyError) {
        guard let quantity = try GuidanceLimits.check(records) else { return }
        let first = min(records.first?.interval.start ?? learned, learned)
        try await database.write { connection in
            let present = try Self.entries(connection, quantity, region: region, from: first, to: nil)
            let change = SignalTimeline.change(to: present, recording: records, learned: learned)
            // A refresh that changes nothing, the usual case, writes nothing.
            let kept = Set(change.removed).intersection(change.added)
            let remove = try connection.makeStatement(
                sql: "DELETE FROM signals WHERE region = ? AND quantity = ? AND start_ms = ? AND revision = ?")
            for entry in change.removed where !kept.contains(entry) {
                try remove.execute(arguments: [
                    region, quantity.rawValue, entry.record.interval.start.unixMilliseconds, entry.revision,
                ])
            }
            let insert = try connection.makeStatement(
                sql: """
                    INSERT INTO signals (region, quantity, start_ms, revision, end_ms, value, estimated, kind,
                        cleanliness, source, issued_ms, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for entry in change.added where !kept.contains(entry) {
                let record = entry.record
                try insert.execute(arguments: [
                    region, quantity.rawValue, record.interval.start.unixMilliseconds, entry.revision,
                    record.interval.end.unixMilliseconds, record.value, record.isEstimated,
                    record.kind.rawValue, record.cleanliness.rawValue, record.source,
                    record.issued?.unixMilliseconds, record.currency,
                ])
            }
        }
    }

    public func signals(
        _ quantity: SignalQuantity, region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord] {
        try await database.read { connection in
            let entries = try Self.entries(
                connection, quantity, region: region, from: interval.start, to: interval.end)
            return SignalTimeline.select(entries, revision: revision)
        }
    }

    /// The entries that touch the time from `start` to `end`. The key is ordered by start, and no record holds for more
    /// than a day: looking from two days before finds all.
    private static func entries(
        _ connection: Database, _ quantity: SignalQuantity, region: String, from start: Timestamp, to end: Timestamp?
    ) throws -> [SignalTimeline.Entry] {
        let rows = try Row.fetchCursor(
            connection,
            sql: """
                SELECT * FROM signals
                WHERE region = ? AND quantity = ? AND start_ms > ? AND end_ms > ? AND start_ms < ?
                ORDER BY start_ms, revision
                """,
            arguments: [
                region, quantity.rawValue, start.unixMilliseconds - 2 * .millisecondsPerDay, start.unixMilliseconds,
                end?.unixMilliseconds ?? .max,
            ])
        var result: [SignalTimeline.Entry] = []
        while let row = try rows.next() {
            let (start, end): (Int64, Int64) = (row["start_ms"], row["end_ms"])
            guard
                let interval = Interval(
                    start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
            else { throw EnergyError.damaged("end_ms") }
            let issued: Int64? = row["issued_ms"]
            result.append(
                SignalTimeline.Entry(
                    record: SignalRecord(
                        interval: interval, value: row["value"], isEstimated: row["estimated"],
                        kind: try row.value("kind"), cleanliness: try row.value("cleanliness"), source: row["source"],
                        issued: issued.map(Timestamp.init(unixMilliseconds:)), currency: row["currency"]),
                    revision: row["revision"]))
        }
        return result
    }
}
