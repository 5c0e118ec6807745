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
        migrator.registerMigration("5 which log is followed") { connection in
            try connection.execute(
                sql: """
                    ALTER TABLE log_position ADD COLUMN checksum INTEGER;
                    CREATE TABLE followed_log (id BLOB PRIMARY KEY CHECK (length(id) = 16)) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
