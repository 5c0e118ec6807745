internal import GRDB

/// The tables of the event log. Keys begin with the partition or the venue.
enum EventLogSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 event log") { try $0.execute(sql: first) }
        return migrator
    }

    // Merged migrations are never edited.
    private static let first = """
        -- place = partition << 48 | sequence
        CREATE TABLE log_record (
            place INTEGER PRIMARY KEY CHECK (place > 0 AND (place >> 48) < 16),
            venue_id BLOB NOT NULL CHECK (length(venue_id) = 16),
            received_ms INTEGER NOT NULL,
            principal TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            payload BLOB NOT NULL
        ) STRICT;

        -- Its own table: the next sequence must be known even when old records have been removed.
        CREATE TABLE log_head (
            partition INTEGER PRIMARY KEY CHECK (partition BETWEEN 0 AND 15),
            sequence INTEGER NOT NULL CHECK (sequence > 0)
        ) STRICT;

        -- place leads from an old record to the ids that may be forgotten with it.
        CREATE TABLE known_event (
            venue_id BLOB NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            digest INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (venue_id, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE session (
            venue_id BLOB NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            device_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            direction TEXT,
            began_ms INTEGER NOT NULL,
            last_ms INTEGER NOT NULL CHECK (last_ms >= began_ms),
            energy_mwh INTEGER NOT NULL CHECK (energy_mwh >= 0),
            is_ended INTEGER NOT NULL CHECK (is_ended IN (0, 1)),
            PRIMARY KEY (venue_id, id)
        ) STRICT, WITHOUT ROWID;

        -- Found by the token alone: its venue is part of the answer. principals is a JSON list.
        CREATE TABLE known_token (
            token BLOB PRIMARY KEY CHECK (length(token) = 16),
            venue_id BLOB NOT NULL,
            action TEXT NOT NULL,
            issued_ms INTEGER NOT NULL,
            principals TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX known_token_issued ON known_token (issued_ms);
        """
}
