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
        migrator.registerMigration("3 packed days, money and carbon", migrate: packDays)
        migrator.registerMigration("4 what vehicles reported of their status", migrate: StatusRow.createTable)
        migrator.registerMigration("5 every repair is kept", migrate: RepairRow.keepAll)
        migrator.registerMigration("6 ratings among the venue's day", migrate: FrozenDayRow.rateAnew)
        migrator.registerMigration("7 repairs can be withdrawn", migrate: RepairRow.keepWithdrawals)
        migrator.registerMigration("8 since when vehicles are plugged in", migrate: StayRow.createTable)
        migrator.registerMigration("9 which session another one follows", migrate: StayRow.keepFollowed)
        migrator.registerMigration("10 statuses in the order of the log", migrate: StatusRow.keepOrder)
        migrator.registerMigration("11 by which rules was counted", migrate: keepRules)
        migrator.registerMigration("12 exact splits") { db in
            try db.execute(sql: "UPDATE projection SET rules = 3 WHERE NOT EXISTS (SELECT * FROM position)")
        }
        migrator.registerMigration("13 late word of plug-ins", migrate: StayRow.keepLastBegin)
        migrator.registerMigration("14 plug-ins by their time", migrate: StayRow.lookUpWords)
        migrator.registerMigration("15 what sessions saved", migrate: SavingsRow.addColumns)
        return migrator
    }

    /// 1 stands for all versions before.
    private static func keepRules(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE projection ADD COLUMN rules INTEGER NOT NULL DEFAULT 1;
                UPDATE projection SET rules = 2 WHERE NOT EXISTS (SELECT * FROM position);
                """)
    }

    /// What was counted before had neither money nor carbon: it is counted again from the log.
    ///
    /// A generation is one projection of the log: the one that answers, and beside it the one that a rebuild makes. The
    /// row id of a day is its series and its day, so that a year of one device is one range of the table; a rowid table,
    /// because without one SQLite would put what is longer than a quarter of a page on a page of its own.
    private static func packDays(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE bucket;
                DROP TABLE session;
                DROP TABLE position;
                CREATE TABLE projection (generation INTEGER PRIMARY KEY) STRICT;
                INSERT INTO projection (generation) VALUES (1);
                CREATE TABLE position (
                    generation INTEGER NOT NULL,
                    partition INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    checksum INTEGER,
                    PRIMARY KEY (generation, partition)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE series (
                    id INTEGER PRIMARY KEY,
                    generation INTEGER NOT NULL,
                    venue_id BLOB NOT NULL,
                    device_id TEXT NOT NULL,
                    kind INTEGER NOT NULL,
                    direction INTEGER NOT NULL,
                    time_zone TEXT NOT NULL,
                    UNIQUE (generation, venue_id, device_id, kind, direction)
                ) STRICT;
                CREATE TABLE day (id INTEGER PRIMARY KEY, tallies BLOB NOT NULL) STRICT;
                CREATE TABLE quarters (id INTEGER PRIMARY KEY, tallies BLOB NOT NULL) STRICT;
                CREATE TABLE session (
                    session_id BLOB NOT NULL,
                    series_id INTEGER NOT NULL,
                    began_unix_ms INTEGER NOT NULL,
                    last_unix_ms INTEGER NOT NULL,
                    progress BLOB NOT NULL,
                    tallies BLOB NOT NULL,
                    baseline BLOB,
                    PRIMARY KEY (session_id, series_id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX session_by_begin ON session (series_id, began_unix_ms);
                CREATE TABLE frozen_day (
                    venue_id BLOB NOT NULL,
                    day INTEGER NOT NULL,
                    first_half INTEGER NOT NULL,
                    second_half INTEGER NOT NULL,
                    is_incomplete INTEGER NOT NULL,
                    terms BLOB NOT NULL,
                    PRIMARY KEY (venue_id, day)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX frozen_day_incomplete ON frozen_day (day) WHERE is_incomplete;
                CREATE TABLE repair (
                    venue_id BLOB NOT NULL,
                    event_id BLOB NOT NULL,
                    session_id BLOB NOT NULL,
                    energy_mwh INTEGER,
                    reason TEXT NOT NULL,
                    principal TEXT NOT NULL,
                    made_unix_ms INTEGER NOT NULL,
                    PRIMARY KEY (venue_id, event_id)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
