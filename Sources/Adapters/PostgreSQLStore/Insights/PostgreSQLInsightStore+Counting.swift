public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns

extension PostgreSQLInsightStore {
    public func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool {
        guard let through = Int64(exactly: effects.through) else {
            throw EnergyError(.invalidInput, "sequence \(effects.through) is more than the store holds")
        }
        let attempts = Attempts()
        // What moves no position leaves nothing by which a second attempt would know that it happened.
        return try await database.run(
            .readCommitted, timeout: database.timeout(atLeast: Self.countingTime),
            mayRepeat: effects.through > effects.after
        ) { transaction in
            let isAnother = attempts.next() > 1
            let generation = try generation(transaction, .counting)
            let position = try Self.hold(effects.partition, generation, transaction)
            guard position < effects.through || position == effects.after else {
                // The answer to its commit was lost, most probably.
                return isAnother && position == effects.through
            }
            guard position == effects.after else {
                throw EnergyError(
                    .conflict, "partition \(effects.partition) is counted to \(position), not to \(effects.after)")
            }
            if effects.through > effects.after {
                try transaction.send(
                    "UPDATE position SET sequence = $3, checksum = $4 WHERE generation = $1 AND partition = $2",
                    [generation, effects.partition, through, effects.checksum.map { Int64($0) }])
            }
            try Self.save(effects, generation, transaction)
            return true
        }
    }

    /// Nobody else counts this partition's records, until the commit.
    ///
    /// - Returns: where it stands.
    private static func hold(
        _ partition: Int, _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws -> UInt64 {
        try transaction.send(
            """
            INSERT INTO position (generation, partition, sequence) VALUES ($1, $2, 0)
            ON CONFLICT (generation, partition) DO NOTHING
            """,
            [generation, partition])
        let row = try transaction.query(
            "SELECT sequence FROM position WHERE generation = $1 AND partition = $2 FOR UPDATE",
            [generation, partition]
        ).first
        return UInt64(clamping: try row?["sequence"] as Int64? ?? 0)
    }

    private static func save(
        _ effects: InsightEffects, _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws {
        try saveTallies(effects, generation, transaction)
        for session in effects.sessions.values {
            let row = ColumnList([("generation", generation)]) + session.series.columns + session.columns
            try transaction.sendUpsert(row, into: "session", key: ["venue_id", "generation", "session_id"])
        }
        try saveStatuses(effects.statuses, generation, transaction)
        for (key, day) in effects.frozenDays {
            try transaction.sendUpsert(key.columns + day.columns, into: "frozen_day", key: key.columns.names)
        }
        for repair in effects.repairs { try transaction.sendInsert(repair.columns, into: "repair") }
    }

    private static func saveTallies(
        _ effects: InsightEffects, _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws {
        let wanted = Set(effects.tallies.keys).union(effects.sessions.values.map(\.series))
        var known: [InsightSeries: PostgreSQLSeries] = [:]
        for venueID in Set(wanted.map(\.venueID)) {
            for found in try PostgreSQLSeries.fetchAll(venueID: venueID, generation, transaction) {
                known[found.series] = found
            }
        }
        for series in wanted {
            let timeZone = effects.timeZones[series.venueID]
            guard known[series] != nil else {
                known[series] = try .sendInsert(series, timeZone ?? .gmt, generation, transaction)
                continue
            }
            guard let timeZone, timeZone.identifier != known[series]?.timeZone.identifier else { continue }
            try known[series]?.move(to: timeZone)
        }
        // All days that something is added to, in one round trip; then what they become.
        let days = effects.tallies.flatMap { series, tallies in
            known[series].map { known in tallies.byDay(of: known.timeZone).map { (known, $0.day, $0.tallies) } } ?? []
        }
        guard !days.isEmpty else { return }
        for (series, day, _) in days { try series.sendQuery(day) }
        for ((series, day, added), found) in zip(days, try transaction.answers().suffix(days.count)) {
            try series.sendSave(found, adding: added, to: day)
        }
    }

    private static func saveStatuses(
        _ statuses: [Activity], _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws {
        /// Statuses of one keep the order of the log.
        struct Moment: Hashable {
            let venueID: UUID
            let time: Timestamp
        }
        let rows = statuses.compactMap { status in status.statusColumns.map { (status: status, columns: $0) } }
        let moments = Dictionary(grouping: rows) { Moment(venueID: $0.status.venueID, time: $0.status.time) }
        guard !moments.isEmpty else { return }
        for moment in moments.keys {
            try transaction.send(
                """
                SELECT coalesce(max(log_order), 0) AS newest FROM status
                WHERE venue_id = $1 AND generation = $2 AND time_unix_ms = $3
                """,
                [moment.venueID, generation, moment.time])
        }
        for (rows, found) in zip(moments.values, try transaction.answers().suffix(moments.count)) {
            let newest: Int = try found.first?["newest"] ?? 0
            for (place, row) in rows.enumerated() {
                let order = ColumnList([("generation", generation), ("log_order", newest + place + 1)])
                try transaction.sendUpsert(
                    order + row.columns, into: "status", key: ["venue_id", "generation", "time_unix_ms", "event_id"])
            }
        }
        for venueID in Set(moments.keys.map(\.venueID)) {
            try transaction.send(
                """
                DELETE FROM status WHERE venue_id = $1 AND generation = $2 AND time_unix_ms <
                    (SELECT max(time_unix_ms) FROM status WHERE venue_id = $1 AND generation = $2) - $3
                """,
                [venueID, generation, ActivityRetention.milliseconds])
        }
    }
}
