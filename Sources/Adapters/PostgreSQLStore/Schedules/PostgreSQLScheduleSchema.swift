/// The tables of ``PostgreSQLScheduleStore``: the columns of the SQLite store, of which SQLColumns knows what they mean. Keys
/// begin with the venue, so that a distributed PostgreSQL can shard by it. A merged migration is never edited.
enum PostgreSQLScheduleSchema {
    static let schema = PostgreSQLSchema(
        "scheduler",
        migrations: [first, second, third, PostgreSQLLease.tables, PostgreSQLPartitionLeases.tables, sixth])

    /// What was skipped, and when a state was told.
    private static let second = [
        "ALTER TABLE goal ADD COLUMN is_skipped BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE device ADD COLUMN reading_told_ms BIGINT",
    ]

    /// How well a schedule is proven.
    private static let third = ["ALTER TABLE device ADD COLUMN schedule_gap DOUBLE PRECISION"]

    /// What a partition has is found without reading what the others have.
    private static let sixth = ["device", "goal", "absence", "schedule_block", "venue_setup"].map { table in
        "CREATE INDEX \(table)_partition ON \(table) (\(venueEnding))"
    }

    /// What ``LogPartition/endings(of:)`` tells of a partition's venues.
    static let venueEnding = "right(CAST(venue_id AS TEXT), 2)"

    private static let first = [
        """
        CREATE TABLE device (
            venue_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            battery_capacity_mwh BIGINT,
            power_max_mw BIGINT,
            power_min_mw BIGINT,
            power_step_mw BIGINT,
            current_step_ma BIGINT,
            voltage_mv BIGINT,
            taper_percent BIGINT,
            taper_power_mw BIGINT,
            efficiency DOUBLE PRECISION,
            phases BIGINT NOT NULL,
            home_load TEXT,
            revision BIGINT NOT NULL,

            charge_override TEXT,
            state_of_charge_min BIGINT NOT NULL,
            price_max_micros BIGINT,
            carbon_max_g DOUBLE PRECISION,
            priority BIGINT NOT NULL,
            run_min_ms BIGINT NOT NULL,
            pause_min_ms BIGINT NOT NULL,
            runs_max BIGINT,
            ties TEXT NOT NULL,
            margin_ms BIGINT NOT NULL,
            precondition_ms BIGINT NOT NULL,
            start_cost DOUBLE PRECISION NOT NULL,

            schedule_id UUID,
            schedule_planned_ms BIGINT,
            schedule_token UUID,
            schedule_required_mwh BIGINT,
            schedule_planned_mwh BIGINT,
            schedule_explanation TEXT,

            state_of_charge BIGINT,
            since_state_of_charge_mwh BIGINT NOT NULL,
            since_goal_mwh BIGINT NOT NULL,
            reduced_since_goal_ms BIGINT NOT NULL,
            session_id UUID,
            session_energy_mwh BIGINT,
            session_power_mw BIGINT,
            session_mean_power_mw BIGINT,
            updated_ms BIGINT,
            is_plugged_in BIGINT,
            status TEXT,
            status_reason TEXT,
            refused_since_ms BIGINT,
            runs BIGINT NOT NULL,
            switched_ms BIGINT,
            reading DOUBLE PRECISION,
            reading_ms BIGINT,
            PRIMARY KEY (venue_id, device_id)
        )
        """,
        """
        CREATE TABLE goal (
            venue_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            goal_id UUID NOT NULL,
            ready_by_ms BIGINT NOT NULL,
            target TEXT NOT NULL,
            amount BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            baseline_mwh BIGINT NOT NULL,
            weekdays BIGINT,
            minute BIGINT,
            exception_days TEXT,
            guaranteed_percent BIGINT NOT NULL,
            PRIMARY KEY (venue_id, device_id, position)
        )
        """,
        """
        CREATE TABLE absence (
            venue_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            start_ms BIGINT,
            end_ms BIGINT,
            weekdays BIGINT,
            start_minute BIGINT,
            end_minute BIGINT,
            PRIMARY KEY (venue_id, device_id, position)
        )
        """,
        """
        CREATE TABLE schedule_block (
            venue_id UUID NOT NULL,
            device_id TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            start_ms BIGINT NOT NULL,
            end_ms BIGINT NOT NULL,
            power_mw BIGINT NOT NULL,
            stage_max BIGINT NOT NULL,
            energy_mwh BIGINT NOT NULL,
            rating DOUBLE PRECISION NOT NULL,
            reason TEXT NOT NULL,
            is_discharging BIGINT NOT NULL,
            PRIMARY KEY (venue_id, device_id, position)
        )
        """,
        // Limits, forecasts and objectives are read and written as a whole: JSON.
        "CREATE TABLE venue_setup (venue_id UUID PRIMARY KEY, limits TEXT, forecast TEXT, objective TEXT)",
        "CREATE TABLE log_position (partition BIGINT PRIMARY KEY, sequence BIGINT NOT NULL, checksum BIGINT)",
        "CREATE TABLE followed_log (id UUID PRIMARY KEY)",
    ]
}
