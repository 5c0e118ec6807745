internal import GRDB

/// The tables of ``SQLiteScheduleStore``. A merged migration is never edited.
enum SQLiteScheduleSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 devices, goals, schedules") { connection in
            try connection.execute(
                sql: """
                    CREATE TABLE device (
                        venue_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        name TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        time_zone TEXT NOT NULL,
                        battery_capacity_mwh INTEGER,
                        power_max_mw INTEGER,
                        efficiency REAL,
                        revision INTEGER NOT NULL,

                        goal_id BLOB,
                        goal_ready_by_ms INTEGER,
                        goal_target TEXT,
                        goal_amount INTEGER,
                        goal_created_ms INTEGER,

                        schedule_id BLOB,
                        schedule_planned_ms INTEGER,
                        schedule_token BLOB,
                        schedule_required_mwh INTEGER,
                        schedule_planned_mwh INTEGER,
                        schedule_explanation TEXT,

                        state_of_charge INTEGER,
                        since_state_of_charge_mwh INTEGER NOT NULL,
                        since_goal_mwh INTEGER NOT NULL,
                        reduced_since_goal_ms INTEGER NOT NULL,
                        session_id BLOB,
                        session_energy_mwh INTEGER,
                        session_power_mw INTEGER,
                        updated_ms INTEGER,
                        PRIMARY KEY (venue_id, device_id)
                    ) WITHOUT ROWID;

                    CREATE TABLE schedule_block (
                        venue_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        position INTEGER NOT NULL,
                        start_ms INTEGER NOT NULL,
                        end_ms INTEGER NOT NULL,
                        power_mw INTEGER NOT NULL,
                        stage_max INTEGER NOT NULL,
                        energy_mwh INTEGER NOT NULL,
                        rating REAL NOT NULL,
                        reason TEXT NOT NULL,
                        PRIMARY KEY (venue_id, device_id, position)
                    ) WITHOUT ROWID;

                    CREATE TABLE log_position (
                        partition INTEGER PRIMARY KEY,
                        sequence INTEGER NOT NULL
                    );
                    """)
        }
        migrator.registerMigration("2 least power and phases") { connection in
            // No least power: the highest or nothing. Phases as bits, 1 is the first.
            try connection.execute(
                sql: """
                    ALTER TABLE device ADD COLUMN power_min_mw INTEGER;
                    ALTER TABLE device ADD COLUMN phases INTEGER NOT NULL DEFAULT 7;
                    """)
        }
        migrator.registerMigration("3 several goals, rules, overrides") { connection in
            try connection.execute(
                sql: """
                    CREATE TABLE goal (
                        venue_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        position INTEGER NOT NULL,
                        goal_id BLOB NOT NULL,
                        ready_by_ms INTEGER NOT NULL,
                        target TEXT NOT NULL,
                        amount INTEGER NOT NULL,
                        created_ms INTEGER NOT NULL,
                        baseline_mwh INTEGER NOT NULL,
                        weekdays INTEGER,
                        minute INTEGER,
                        exception_days TEXT,
                        PRIMARY KEY (venue_id, device_id, position)
                    ) WITHOUT ROWID;

                    INSERT INTO goal
                        SELECT venue_id, device_id, 0, goal_id, goal_ready_by_ms, goal_target, goal_amount,
                            goal_created_ms, 0, NULL, NULL, NULL
                        FROM device WHERE goal_id IS NOT NULL;
                    ALTER TABLE device DROP COLUMN goal_id;
                    ALTER TABLE device DROP COLUMN goal_ready_by_ms;
                    ALTER TABLE device DROP COLUMN goal_target;
                    ALTER TABLE device DROP COLUMN goal_amount;
                    ALTER TABLE device DROP COLUMN goal_created_ms;

                    CREATE TABLE absence (
                        venue_id BLOB NOT NULL,
                        device_id TEXT NOT NULL,
                        position INTEGER NOT NULL,
                        start_ms INTEGER,
                        end_ms INTEGER,
                        weekdays INTEGER,
                        start_minute INTEGER,
                        end_minute INTEGER,
                        PRIMARY KEY (venue_id, device_id, position)
                    ) WITHOUT ROWID;

                    ALTER TABLE device ADD COLUMN charge_override TEXT;
                    ALTER TABLE device ADD COLUMN state_of_charge_min INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN price_max_micros INTEGER;
                    ALTER TABLE device ADD COLUMN carbon_max_g REAL;
                    ALTER TABLE device ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("4 whether a device follows") { connection in
            try connection.execute(
                sql: """
                    ALTER TABLE device ADD COLUMN session_mean_power_mw INTEGER;
                    ALTER TABLE device ADD COLUMN is_plugged_in INTEGER;
                    ALTER TABLE device ADD COLUMN status TEXT;
                    ALTER TABLE device ADD COLUMN status_reason TEXT;
                    ALTER TABLE device ADD COLUMN refused_since_ms INTEGER;
                    """)
        }
        migrator.registerMigration("5 which log is followed") { connection in
            try connection.execute(
                sql: """
                    ALTER TABLE log_position ADD COLUMN checksum INTEGER;
                    CREATE TABLE followed_log (id BLOB PRIMARY KEY CHECK (length(id) = 16)) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("6 limits and forecasts of venues, shapes of charging, other loads") { connection in
            // Limits and forecasts are read and written as a whole: JSON, of which nothing is looked for by SQL.
            try connection.execute(
                sql: """
                    CREATE TABLE venue_setup (
                        venue_id BLOB PRIMARY KEY CHECK (length(venue_id) = 16),
                        limits TEXT,
                        forecast TEXT
                    ) STRICT, WITHOUT ROWID;
                    ALTER TABLE device ADD COLUMN power_step_mw INTEGER;
                    ALTER TABLE device ADD COLUMN taper_percent INTEGER;
                    ALTER TABLE device ADD COLUMN taper_power_mw INTEGER;
                    ALTER TABLE device ADD COLUMN run_min_ms INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN pause_min_ms INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN runs_max INTEGER;
                    ALTER TABLE device ADD COLUMN ties TEXT NOT NULL DEFAULT 'earlier';
                    ALTER TABLE device ADD COLUMN margin_ms INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN precondition_ms INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN runs INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN switched_ms INTEGER;
                    ALTER TABLE device ADD COLUMN home_load TEXT;
                    ALTER TABLE device ADD COLUMN reading REAL;
                    ALTER TABLE device ADD COLUMN reading_ms INTEGER;
                    ALTER TABLE schedule_block ADD COLUMN is_discharging INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE goal ADD COLUMN guaranteed_percent INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("7 objectives, steps in amperes, cost of a start") { connection in
            try connection.execute(
                sql: """
                    ALTER TABLE venue_setup ADD COLUMN objective TEXT;
                    ALTER TABLE device ADD COLUMN current_step_ma INTEGER;
                    ALTER TABLE device ADD COLUMN voltage_mv INTEGER;
                    ALTER TABLE device ADD COLUMN start_cost REAL NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("8 what was skipped, and when a state was told") { connection in
            try connection.execute(
                sql: """
                    ALTER TABLE goal ADD COLUMN is_skipped INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN reading_told_ms INTEGER;
                    """)
        }
        migrator.registerMigration("9 how well a schedule is proven") { connection in
            try connection.execute(sql: "ALTER TABLE device ADD COLUMN schedule_gap REAL")
        }
        return migrator
    }
}
