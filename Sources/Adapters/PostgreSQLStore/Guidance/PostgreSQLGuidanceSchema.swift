/// The tables of ``PostgreSQLGuidanceStore``: the columns of the SQLite store, of which SQLColumns knows what they mean. What is
/// a venue's own has keys that begin with the venue, signals have those that begin with their region. A merged migration is
/// never edited.
enum PostgreSQLGuidanceSchema {
    static let schema = PostgreSQLSchema(
        "guidance_publisher",
        migrations: [venues + contracts + signals, PostgreSQLLease.tables, PostgreSQLGuidanceStore.journalTables])

    private static let venues = [
        // Whoever changes what must not be changed by two at once holds a row of it until the commit: see takeTurn.
        "CREATE TABLE turn (name TEXT COLLATE \"C\" PRIMARY KEY)",
        // The last number that a venue was given. Not a sequence: tokens have room for 16 million, and those have gaps.
        "CREATE TABLE venue_numbering (one BIGINT PRIMARY KEY CHECK (one = 1), last_number BIGINT NOT NULL)",
        "INSERT INTO venue_numbering (one, last_number) VALUES (1, 0)",
        "CREATE TABLE venue_numbers (venue_id UUID PRIMARY KEY, number BIGINT NOT NULL)",
        """
        CREATE TABLE venue_revisions (
            venue_id UUID NOT NULL,
            changed_ms BIGINT NOT NULL,
            name TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            region TEXT NOT NULL,
            rate_plan_id TEXT,
            removed_ms BIGINT,
            price_weight DOUBLE PRECISION,
            PRIMARY KEY (venue_id, changed_ms)
        )
        """,
        // A home stands for one venue. That is looked up under the venues' turn; an index for it could not be sharded.
        """
        CREATE TABLE venue_homes (
            venue_id UUID NOT NULL,
            home_id UUID NOT NULL,
            position BIGINT NOT NULL,
            PRIMARY KEY (venue_id, home_id)
        )
        """,
        "CREATE INDEX venue_homes_by_home ON venue_homes (home_id)",
        """
        CREATE TABLE askers (
            venue_id UUID NOT NULL,
            principal TEXT COLLATE "C" NOT NULL,
            asked_ms BIGINT NOT NULL,
            PRIMARY KEY (venue_id, principal)
        )
        """,
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL)",
    ]

    /// Zones and terms are read and written as a whole: JSON. An event is for a venue, or a region, or, with neither, for all.
    private static let contracts = [
        """
        CREATE TABLE rate_plan_revisions (
            rate_plan_id TEXT COLLATE "C" NOT NULL,
            changed_ms BIGINT NOT NULL,
            name TEXT NOT NULL,
            currency TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            zones TEXT NOT NULL,
            terms TEXT NOT NULL,
            PRIMARY KEY (rate_plan_id, changed_ms)
        )
        """,
        """
        CREATE TABLE demand_response (
            event_id UUID NOT NULL,
            declared_ms BIGINT NOT NULL,
            cancelled_ms BIGINT,
            kind TEXT NOT NULL,
            venue_id UUID,
            region TEXT,
            start_ms BIGINT NOT NULL,
            end_ms BIGINT NOT NULL,
            reason TEXT NOT NULL,
            price_micros BIGINT,
            currency TEXT,
            source TEXT NOT NULL,
            PRIMARY KEY (event_id, declared_ms)
        )
        """,
        "CREATE INDEX demand_response_by_end ON demand_response (end_ms)",
    ]

    /// `value` is in g/kWh of carbon, or in millionths of the currency unit per kWh, whole numbers, of prices.
    private static let signals = [
        """
        CREATE TABLE signals (
            region TEXT COLLATE "C" NOT NULL,
            quantity TEXT NOT NULL,
            start_ms BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            end_ms BIGINT NOT NULL,
            value DOUBLE PRECISION NOT NULL,
            estimated BIGINT NOT NULL,
            kind TEXT NOT NULL,
            cleanliness TEXT NOT NULL,
            source TEXT NOT NULL,
            issued_ms BIGINT,
            currency TEXT,
            PRIMARY KEY (region, quantity, start_ms, revision)
        )
        """,
        """
        CREATE TABLE forecasts (
            source TEXT COLLATE "C" NOT NULL,
            region TEXT COLLATE "C" NOT NULL,
            start_ms BIGINT NOT NULL,
            end_ms BIGINT NOT NULL,
            issued_values TEXT NOT NULL,
            PRIMARY KEY (source, region, start_ms)
        )
        """,
        // How far each source was asked, and what is still missing before that.
        """
        CREATE TABLE source_progress (
            source TEXT COLLATE "C" PRIMARY KEY,
            reached_ms BIGINT NOT NULL,
            missing_start_ms BIGINT,
            missing_end_ms BIGINT
        )
        """,
    ]
}
