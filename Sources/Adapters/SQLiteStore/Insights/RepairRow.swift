internal import EnergyModel
internal import GRDB
internal import SQLColumns

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
        try db.rows("SELECT * FROM repair ORDER BY number").map { try EventRepair($0) }
    }

    static func insert(_ repair: EventRepair, _ db: Database) throws { try db.insert(repair.columns, into: "repair") }
}
