internal import Foundation
internal import GRDB

/// The tables of the event log. Keys begin with the partition or the venue.
enum EventLogSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 event log") { try $0.execute(sql: first) }
        migrator.registerMigration("2 event index, readers, retention") { connection in
            try connection.execute(sql: second)
            try moveKnownEvents(connection)
            try connection.execute(sql: "DROP TABLE known_event")
        }
        migrator.registerMigration("3 identity, known venues, sizes") { try $0.execute(sql: third) }
        migrator.registerMigration("4 compressed payloads, tail") { try $0.execute(sql: fourth) }
        migrator.registerMigration("5 erasures") { connection in
            // Of a record that says what was erased of those before it: see Erasure.column.
            try connection.execute(sql: "ALTER TABLE log_record ADD COLUMN erasure BLOB")
        }
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

    private static let second = """
        -- Which events the log holds: the newest as they came, older ones in sorted runs (see EventIndex).
        -- entries: 24 bytes each, little endian: two words of key, one of digest.
        CREATE TABLE event_tail (
            number INTEGER PRIMARY KEY,
            newest_ms INTEGER NOT NULL,
            entries BLOB NOT NULL
        ) STRICT;
        CREATE TABLE event_run (
            id INTEGER PRIMARY KEY,
            state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
            level INTEGER NOT NULL,
            bits INTEGER NOT NULL,
            count INTEGER NOT NULL,
            newest_ms INTEGER NOT NULL,
            filter BLOB
        ) STRICT;
        -- place = run << 24 | block
        CREATE TABLE event_block (
            place INTEGER PRIMARY KEY,
            entries BLOB NOT NULL
        ) STRICT;

        -- Up to where each reader has handled each partition: newer records are kept for it.
        CREATE TABLE log_reader (
            name TEXT NOT NULL,
            partition INTEGER NOT NULL CHECK (partition BETWEEN 0 AND 15),
            sequence INTEGER NOT NULL,
            seen_ms INTEGER NOT NULL,
            PRIMARY KEY (name, partition)
        ) STRICT, WITHOUT ROWID;

        -- The newest record that retention has removed from the partition.
        ALTER TABLE log_head ADD COLUMN removed_sequence INTEGER NOT NULL DEFAULT 0;
        -- Ended by policy, because it was silent for too long.
        ALTER TABLE session ADD COLUMN is_abandoned INTEGER NOT NULL DEFAULT 0;
        """

    private static let third = """
        -- Which log this is. A backup gets another id, so that who followed the log notices that one was restored.
        CREATE TABLE log_identity (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            id BLOB NOT NULL CHECK (length(id) = 16),
            -- Written to find out whether the disk takes anything.
            tried INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        INSERT INTO log_identity (one, id) VALUES (1, randomblob(16));

        -- Venues that were found to exist, so that their events are taken while nobody can be asked.
        CREATE TABLE known_venue (venue_id BLOB PRIMARY KEY CHECK (length(venue_id) = 16)) STRICT, WITHOUT ROWID;
        INSERT INTO known_venue SELECT DISTINCT venue_id FROM log_record;

        -- Of the partition's records: retention by size must not count them each time.
        ALTER TABLE log_head ADD COLUMN payload_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE log_head SET payload_bytes = sums.bytes
            FROM (SELECT place >> 48 AS partition, sum(length(payload)) AS bytes FROM log_record GROUP BY 1) AS sums
            WHERE sums.partition = log_head.partition;
        """

    private static let fourth = """
        -- Of the payload, where what is stored is an LZ4 block of it; NULL where it is the payload itself.
        ALTER TABLE log_record ADD COLUMN plain_bytes INTEGER CHECK (plain_bytes > 0);

        -- The newest row of event_tail whose entries are in the run; NULL for a run of merged ones.
        ALTER TABLE event_run ADD COLUMN tail_end INTEGER;
        """

    /// Makes it another log to who followed it.
    static func renewIdentity(_ connection: Database) throws {
        try connection.execute(sql: "UPDATE log_identity SET id = randomblob(16)")
    }

    private static func moveKnownEvents(_ connection: Database) throws {
        let newest = try Int64.fetchOne(connection, sql: "SELECT max(received_ms) FROM log_record") ?? 0
        let rows = try Row.fetchCursor(connection, sql: "SELECT venue_id, id, digest FROM known_event")
        var entries: [IndexEntry] = []
        func flush() throws {
            try connection.execute(
                sql: "INSERT INTO event_tail (newest_ms, entries) VALUES (?, ?)",
                arguments: [newest, IndexEntry.encode(entries)])
            entries = []
        }
        while let row = try rows.next() {
            entries.append(
                IndexEntry(key: IndexKey(venueID: row[0], id: row[1]), digest: UInt64(bitPattern: row[2] as Int64)))
            if entries.count >= 10_000 { try flush() }
        }
        if !entries.isEmpty { try flush() }
    }
}
