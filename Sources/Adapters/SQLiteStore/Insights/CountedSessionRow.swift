internal import EnergyModel
internal import Foundation
internal import GRDB

/// SQL on the table `session`.
enum CountedSessionRow {
    static func fetch(_ key: SessionKey, _ db: Database) throws -> CountedSession? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT device_id, direction, timestamp_unix_ms, energy_mwh, power_mw, is_running, is_over FROM session
                    WHERE venue_id = ? AND session_id = ?
                    """),
            arguments: [key.venueID.bytes, key.sessionID.bytes]
        ).map { row in
            CountedSession(
                key: key,
                series: InsightSeries(
                    venueID: key.venueID, deviceID: row[0], direction: FlowDirection(code: row[1])),
                timestamp: Timestamp(unixMilliseconds: row[2]), energy: Energy(milliwattHours: row[3]),
                powerMilliwatts: row[4], isRunning: row[5], isOver: row[6])
        }
    }

    static func save(_ session: CountedSession, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO session (
                    venue_id, session_id, device_id, direction, timestamp_unix_ms, energy_mwh, power_mw, is_running, is_over)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            session.key.venueID.bytes, session.key.sessionID.bytes, session.series.deviceID,
            session.series.direction.code, session.timestamp.unixMilliseconds, session.energy.milliwattHours,
            session.powerMilliwatts, session.isRunning, session.isOver,
        ])
    }
}
