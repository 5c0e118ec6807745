public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func recordSignals(
        _ records: [SignalRecord], region: String, learned: Timestamp
    ) async throws(EnergyError) {
        guard let quantity = try GuidanceLimits.check(records) else { return }
        let first = min(records.first?.interval.start ?? learned, learned)
        try await database.write { connection in
            let present = try Self.entries(connection, quantity, region: region, from: first, to: nil)
            let change = SignalTimeline.change(to: present, recording: records, learned: learned).essential
            let remove = try connection.makeStatement(
                sql: "DELETE FROM signals WHERE region = ? AND quantity = ? AND start_ms = ? AND revision = ?")
            for entry in change.removed {
                try remove.execute(arguments: [
                    region, quantity.rawValue, entry.record.interval.start.unixMilliseconds, entry.revision,
                ])
            }
            for entry in change.added {
                try connection.insert(entry.columns(quantity, region: region), into: "signals")
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
        return try Array(rows.map { try SignalTimeline.Entry(SQLiteRow($0)) })
    }
}
