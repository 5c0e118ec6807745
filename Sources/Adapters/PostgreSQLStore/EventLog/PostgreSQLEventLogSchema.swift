/// The tables of ``PostgreSQLEventLogStore``. Keys begin with the venue, or with the log's partition, which follows from it,
/// so that a distributed PostgreSQL can shard by them. A merged migration is never edited.
enum PostgreSQLEventLogSchema {
    static let schema = PostgreSQLSchema("event_ingestor", migrations: [first])

    private static let first = [
        // Which log this is. `tried` is written to find out whether the server takes anything.
        """
        CREATE TABLE log_identity (
            one BIGINT PRIMARY KEY CHECK (one = 1), id UUID NOT NULL, tried BIGINT NOT NULL DEFAULT 0
        )
        """,
        "INSERT INTO log_identity (one, id) VALUES (1, gen_random_uuid())",
        // A row's lock, held until its holder's records are visible, is what keeps a partition's records in order.
        """
        CREATE TABLE log_head (
            partition BIGINT PRIMARY KEY CHECK (partition BETWEEN 0 AND 15),
            sequence BIGINT NOT NULL DEFAULT 0,
            removed_sequence BIGINT NOT NULL DEFAULT 0,
            payload_bytes BIGINT NOT NULL DEFAULT 0
        )
        """,
        "INSERT INTO log_head (partition) SELECT generate_series(0, 15)",
        // erasure: see Erasure.column. receipt: by which a writer finds out whether its commit happened.
        """
        CREATE TABLE log_record (
            partition BIGINT NOT NULL,
            sequence BIGINT NOT NULL CHECK (sequence > 0),
            venue_id UUID NOT NULL,
            received_ms BIGINT NOT NULL,
            principal TEXT NOT NULL,
            checksum BIGINT NOT NULL,
            payload BYTEA NOT NULL,
            erasure BYTEA,
            receipt UUID NOT NULL,
            PRIMARY KEY (partition, sequence)
        )
        """,
        """
        CREATE TABLE known_event (
            venue_id UUID NOT NULL,
            id UUID NOT NULL,
            digest BIGINT NOT NULL,
            received_ms BIGINT NOT NULL,
            PRIMARY KEY (venue_id, id)
        )
        """,
        "CREATE INDEX known_event_received ON known_event (received_ms)",
        """
        CREATE TABLE session (
            venue_id UUID NOT NULL,
            id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            kind TEXT NOT NULL,
            direction TEXT,
            began_ms BIGINT NOT NULL,
            last_ms BIGINT NOT NULL CHECK (last_ms >= began_ms),
            energy_mwh BIGINT NOT NULL CHECK (energy_mwh >= 0),
            is_ended BIGINT NOT NULL,
            is_abandoned BIGINT NOT NULL,
            PRIMARY KEY (venue_id, id)
        )
        """,
        // Up to where each reader has handled each partition: newer records are kept for it.
        """
        CREATE TABLE log_reader (
            partition BIGINT NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            sequence BIGINT NOT NULL,
            seen_ms BIGINT NOT NULL,
            PRIMARY KEY (partition, name)
        )
        """,
        // Found by the token alone: its venue is part of the answer. principals is a JSON list.
        """
        CREATE TABLE known_token (
            token UUID PRIMARY KEY,
            venue_id UUID NOT NULL,
            action TEXT NOT NULL,
            issued_ms BIGINT NOT NULL,
            principals TEXT NOT NULL
        )
        """,
        "CREATE INDEX known_token_issued ON known_token (issued_ms)",
        // Venues that were found to exist, so that their events are taken while nobody can be asked.
        "CREATE TABLE known_venue (venue_id UUID PRIMARY KEY)",
    ]
}
