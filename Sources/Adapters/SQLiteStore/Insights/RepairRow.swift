internal import EnergyModel
internal import Foundation
internal import GRDB

/// SQL on the table `repair`.
enum RepairRow {
    /// One row for each repair, where there was one for each event. Part of a migration: never edited once it was released.
    static func keepAll(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE repair RENAME TO newest_repair;
                CREATE TABLE repair (
                    number INTEGER PRIMARY KEY,
                    venue_id BLOB NOT NULL,
                    session_id BLOB NOT NULL,
                    event_id BLOB NOT NULL,
                    energy_mwh INTEGER,
                    reason TEXT NOT NULL,
                    principal TEXT NOT NULL,
                    made_unix_ms INTEGER NOT NULL,
                    taken_over_by TEXT,
                    was_ignored INTEGER NOT NULL DEFAULT 0,
                    was_energy_mwh INTEGER,
                    session_before_mwh INTEGER,
                    session_after_mwh INTEGER
                ) STRICT;
                CREATE INDEX repair_by_session ON repair (venue_id, session_id);
                INSERT INTO repair (venue_id, session_id, event_id, energy_mwh, reason, principal, made_unix_ms)
                    SELECT venue_id, session_id, event_id, energy_mwh, reason, principal, made_unix_ms
                    FROM newest_repair ORDER BY made_unix_ms, event_id;
                DROP TABLE newest_repair;
                """)
    }

    /// Part of a migration: never edited once it was released.
    static func keepWithdrawals(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE repair ADD COLUMN is_withdrawal INTEGER NOT NULL DEFAULT 0")
    }

    static func fetchAll(_ db: Database) throws -> [EventRepair] {
        try Row.fetchAll(db, sql: "SELECT * FROM repair ORDER BY number").map { row in
            let before: EventRepair.Action? = row["was_ignored"] != 0 ? .ignore : energy(row["was_energy_mwh"])
            let isWithdrawal: Bool = row["is_withdrawal"]
            return EventRepair(
                venueID: try row.uuid("venue_id"), sessionID: try row.uuid("session_id"),
                eventID: try row.uuid("event_id"),
                action: isWithdrawal ? .asSent : energy(row["energy_mwh"]) ?? .ignore, reason: row["reason"],
                principal: row["principal"], made: Timestamp(unixMilliseconds: row["made_unix_ms"]),
                takenOverBy: row["taken_over_by"], before: before,
                sessionBefore: (row["session_before_mwh"] as Int64?).map(Energy.init(milliwattHours:)),
                sessionAfter: (row["session_after_mwh"] as Int64?).map(Energy.init(milliwattHours:)))
        }
    }

    static func insert(_ repair: EventRepair, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO repair (
                    venue_id, session_id, event_id, energy_mwh, reason, principal, made_unix_ms, taken_over_by,
                    was_ignored, was_energy_mwh, session_before_mwh, session_after_mwh, is_withdrawal)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                repair.venueID.bytes, repair.sessionID.bytes, repair.eventID.bytes, milliwattHours(repair.action),
                repair.reason, repair.principal, repair.made.unixMilliseconds, repair.takenOverBy,
                repair.before == .ignore ? 1 : 0, repair.before.flatMap(milliwattHours),
                repair.sessionBefore?.milliwattHours, repair.sessionAfter?.milliwattHours,
                repair.action == .asSent,
            ])
    }

    private static func energy(_ milliwattHours: Int64?) -> EventRepair.Action? {
        milliwattHours.map { .energy(Energy(milliwattHours: $0)) }
    }

    private static func milliwattHours(_ action: EventRepair.Action) -> Int64? {
        if case .energy(let energy) = action { energy.milliwattHours } else { nil }
    }
}
