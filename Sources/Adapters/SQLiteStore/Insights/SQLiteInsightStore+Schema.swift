internal import GRDB

extension SQLiteInsightStore {
    /// A migration that was released is never edited.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 buckets, sessions, positions") { db in
            // Keys begin with the venue, so that a distributed database can shard by it. A start is a quarter of an hour
            // since 1970: small numbers take small rows.
            try db.execute(
                sql: """
                    CREATE TABLE bucket (
                        venue_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        direction INTEGER NOT NULL,
                        start_quarter INTEGER NOT NULL,
                        cleanliness INTEGER NOT NULL,
                        peak INTEGER NOT NULL,
                        energy_mwh INTEGER NOT NULL,
                        runtime_ms INTEGER NOT NULL,
                        PRIMARY KEY (venue_id, device_id, direction, start_quarter, cleanliness, peak)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE session (
                        venue_id BLOB NOT NULL,
                        session_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        direction INTEGER NOT NULL,
                        timestamp_unix_ms INTEGER NOT NULL,
                        energy_mwh INTEGER NOT NULL,
                        power_mw INTEGER,
                        is_running INTEGER NOT NULL,
                        is_over INTEGER NOT NULL,
                        PRIMARY KEY (venue_id, session_id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE position (
                        partition INTEGER PRIMARY KEY,
                        sequence INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("2 which log is counted") { db in
            try db.execute(
                sql: """
                    ALTER TABLE position ADD COLUMN checksum INTEGER;
                    CREATE TABLE counted_log (id BLOB PRIMARY KEY CHECK (length(id) = 16)) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
