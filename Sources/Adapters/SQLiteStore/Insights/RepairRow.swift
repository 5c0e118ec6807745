internal import EnergyModel
internal import Foundation
internal import GRDB

/// SQL on the table `repair`.
enum RepairRow {
    static func fetchAll(_ db: Database) throws -> [EventRepair] {
        try Row.fetchAll(db, sql: "SELECT * FROM repair ORDER BY made_unix_ms, event_id").map { row in
            let energy: Int64? = row["energy_mwh"]
            return EventRepair(
                venueID: try row.uuid("venue_id"), sessionID: try row.uuid("session_id"),
                eventID: try row.uuid("event_id"),
                action: energy.map { .energy(Energy(milliwattHours: $0)) } ?? .ignore, reason: row["reason"],
                principal: row["principal"], made: Timestamp(unixMilliseconds: row["made_unix_ms"]))
        }
    }

    static func save(_ repair: EventRepair, _ db: Database) throws {
        var energy: Int64?
        if case .energy(let repaired) = repair.action { energy = repaired.milliwattHours }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO repair
                    (venue_id, event_id, session_id, energy_mwh, reason, principal, made_unix_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                repair.venueID.bytes, repair.eventID.bytes, repair.sessionID.bytes, energy, repair.reason,
                repair.principal, repair.made.unixMilliseconds,
            ])
    }
}
