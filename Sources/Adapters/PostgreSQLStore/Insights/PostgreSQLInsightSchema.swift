/// The tables of ``PostgreSQLInsightStore``: the columns of the SQLite store, of which SQLColumns knows what they mean. Keys
/// begin with the venue. A merged migration is never edited.
enum PostgreSQLInsightSchema {
    static let schema = PostgreSQLSchema(
        "insight_service", migrations: [progress + counted + kept, PostgreSQLLease.tables])

    private static let progress = [
        // Which generation answers: a generation is one projection of the log, and a rebuild makes the next one beside it.
        // Who counts holds the row shared, who changes generations holds it alone.
        """
        CREATE TABLE projection (
            one BIGINT PRIMARY KEY CHECK (one = 1), generation BIGINT NOT NULL, rules BIGINT NOT NULL
        )
        """,
        "CREATE TABLE counted_log (id UUID PRIMARY KEY)",
        // Who counts records of a partition holds its row until they are counted. 0 is before the first.
        """
        CREATE TABLE position (
            generation BIGINT NOT NULL,
            partition BIGINT NOT NULL,
            sequence BIGINT NOT NULL,
            checksum BIGINT,
            PRIMARY KEY (generation, partition)
        )
        """,
    ]

    /// Of a generation. A day of one series is packed: ``SQLColumns/PackedDay``.
    private static let counted = [
        """
        CREATE TABLE series (
            venue_id UUID NOT NULL,
            generation BIGINT NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            kind BIGINT NOT NULL,
            direction BIGINT NOT NULL,
            time_zone TEXT NOT NULL,
            PRIMARY KEY (venue_id, generation, device_id, kind, direction)
        )
        """,
        """
        CREATE TABLE day (
            venue_id UUID NOT NULL,
            generation BIGINT NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            kind BIGINT NOT NULL,
            direction BIGINT NOT NULL,
            day BIGINT NOT NULL,
            tallies BYTEA NOT NULL,
            PRIMARY KEY (venue_id, generation, device_id, kind, direction, day)
        )
        """,
        """
        CREATE TABLE quarters (
            venue_id UUID NOT NULL,
            generation BIGINT NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            kind BIGINT NOT NULL,
            direction BIGINT NOT NULL,
            day BIGINT NOT NULL,
            tallies BYTEA NOT NULL,
            PRIMARY KEY (venue_id, generation, device_id, kind, direction, day)
        )
        """,
        """
        CREATE TABLE session (
            venue_id UUID NOT NULL,
            generation BIGINT NOT NULL,
            session_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            kind BIGINT NOT NULL,
            direction BIGINT NOT NULL,
            began_unix_ms BIGINT NOT NULL,
            last_unix_ms BIGINT NOT NULL,
            plugged_in_unix_ms BIGINT,
            progress BYTEA NOT NULL,
            tallies BYTEA NOT NULL,
            baseline BYTEA,
            moved_mwh BIGINT,
            followed BIGINT,
            saved_class BIGINT,
            saved_micros BIGINT,
            saved_mg BIGINT,
            PRIMARY KEY (venue_id, generation, session_id)
        )
        """,
        // With what sessions saved: sums of years read no session.
        """
        CREATE INDEX session_by_begin ON session (venue_id, generation, began_unix_ms, session_id)
            INCLUDE (device_id, kind, moved_mwh, followed, saved_class, saved_micros, saved_mg)
        """,
        "CREATE INDEX session_by_device ON session (venue_id, generation, device_id, began_unix_ms, session_id)",
        """
        CREATE TABLE status (
            venue_id UUID NOT NULL,
            generation BIGINT NOT NULL,
            time_unix_ms BIGINT NOT NULL,
            event_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            device_name TEXT NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT NOT NULL,
            state_of_charge BIGINT NOT NULL,
            energy_mwh BIGINT NOT NULL,
            range_mm BIGINT,
            target_state_of_charge BIGINT,
            target_completion_unix_ms BIGINT,
            target_start_unix_ms BIGINT,
            target_range_mm BIGINT,
            session_id UUID,
            log_order BIGINT NOT NULL,
            PRIMARY KEY (venue_id, generation, time_unix_ms, event_id)
        )
        """,
        "CREATE INDEX status_by_device ON status (venue_id, generation, device_id, time_unix_ms)",
    ]

    /// Of all generations.
    private static let kept = [
        """
        CREATE TABLE frozen_day (
            venue_id UUID NOT NULL,
            day BIGINT NOT NULL,
            first_half BIGINT NOT NULL,
            second_half BIGINT NOT NULL,
            is_incomplete BIGINT NOT NULL,
            needs_rating BIGINT NOT NULL,
            terms BYTEA NOT NULL,
            PRIMARY KEY (venue_id, day)
        )
        """,
        "CREATE INDEX frozen_day_incomplete ON frozen_day (day) WHERE is_incomplete = 1",
        "CREATE INDEX frozen_day_to_rate ON frozen_day (day) WHERE needs_rating = 1",
        """
        CREATE TABLE repair (
            venue_id UUID NOT NULL,
            number BIGINT GENERATED ALWAYS AS IDENTITY,
            session_id UUID NOT NULL,
            event_id UUID NOT NULL,
            energy_mwh BIGINT,
            reason TEXT NOT NULL,
            principal TEXT NOT NULL,
            made_unix_ms BIGINT NOT NULL,
            taken_over_by TEXT,
            was_ignored BIGINT NOT NULL,
            was_energy_mwh BIGINT,
            session_before_mwh BIGINT,
            session_after_mwh BIGINT,
            is_withdrawal BIGINT NOT NULL,
            PRIMARY KEY (venue_id, number)
        )
        """,
        "CREATE INDEX repair_by_session ON repair (venue_id, session_id)",
    ]
}
