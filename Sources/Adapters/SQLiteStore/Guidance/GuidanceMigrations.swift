internal import GRDB

/// The schema of the guidance database. A migration that was released is never edited: the next change is a new one.
enum GuidanceMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 venues, contracts, signals, tokens") { database in
            try database.execute(sql: first)
        }
        migrator.registerMigration("2 venues can be removed") { database in
            try database.execute(sql: "ALTER TABLE venue_revisions ADD COLUMN removed_ms INTEGER")
        }
        migrator.registerMigration("3 signals of carbon and of prices") { database in
            try database.execute(sql: signalsOfQuantities)
        }
        migrator.registerMigration("4 rate plans") { database in
            try database.execute(sql: ratePlanTerms)
        }
        migrator.registerMigration("5 demand response") { database in
            try database.execute(sql: demandResponse)
        }
        migrator.registerMigration("6 tokens are sealed, forecasts kept, venues weigh prices") { database in
            try database.execute(sql: sealedTokens)
        }
        migrator.registerMigration("7 how far sources were asked") { database in
            try database.execute(sql: sourceProgress)
        }
        return migrator
    }

    /// Times are Unix milliseconds, UUIDs 16 bytes, zones and home ids JSON.
    private static let first = """
        CREATE TABLE venue_revisions (
            venue_id BLOB NOT NULL,
            changed_ms INTEGER NOT NULL,
            name TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            region TEXT NOT NULL,
            rate_plan_id TEXT,
            PRIMARY KEY (venue_id, changed_ms)
        ) WITHOUT ROWID;
        CREATE TABLE venue_homes (
            venue_id BLOB NOT NULL,
            home_id BLOB NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (venue_id, home_id)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX venue_homes_by_home ON venue_homes (home_id);
        CREATE TABLE rate_plan_revisions (
            rate_plan_id TEXT NOT NULL,
            changed_ms INTEGER NOT NULL,
            name TEXT NOT NULL,
            currency TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            zones TEXT NOT NULL,
            PRIMARY KEY (rate_plan_id, changed_ms)
        ) WITHOUT ROWID;
        CREATE TABLE signals (
            region TEXT NOT NULL,
            start_ms INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            end_ms INTEGER NOT NULL,
            carbon_g_per_kwh REAL NOT NULL,
            estimated INTEGER NOT NULL,
            kind TEXT NOT NULL,
            cleanliness TEXT NOT NULL,
            source TEXT NOT NULL,
            PRIMARY KEY (region, start_ms, revision)
        ) WITHOUT ROWID;
        CREATE TABLE tokens (
            venue_id BLOB NOT NULL,
            token BLOB NOT NULL,
            action TEXT NOT NULL,
            issued_ms INTEGER NOT NULL,
            PRIMARY KEY (venue_id, token)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX tokens_by_token ON tokens (token);
        CREATE TABLE askers (
            venue_id BLOB NOT NULL,
            principal TEXT NOT NULL,
            asked_ms INTEGER NOT NULL,
            PRIMARY KEY (venue_id, principal)
        ) WITHOUT ROWID;
        """

    /// `value` is in g/kWh of carbon, or in millionths of the currency unit per kWh, whole numbers, of prices.
    private static let signalsOfQuantities = """
        CREATE TABLE signals_2 (
            region TEXT NOT NULL,
            quantity TEXT NOT NULL,
            start_ms INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            end_ms INTEGER NOT NULL,
            value REAL NOT NULL,
            estimated INTEGER NOT NULL,
            kind TEXT NOT NULL,
            cleanliness TEXT NOT NULL,
            source TEXT NOT NULL,
            issued_ms INTEGER,
            currency TEXT,
            PRIMARY KEY (region, quantity, start_ms, revision)
        ) WITHOUT ROWID;
        INSERT INTO signals_2 (region, quantity, start_ms, revision, end_ms, value, estimated, kind, cleanliness, source)
            SELECT region, 'carbon', start_ms, revision, end_ms, carbon_g_per_kwh, estimated, kind, cleanliness, source
            FROM signals;
        DROP TABLE signals;
        ALTER TABLE signals_2 RENAME TO signals;
        """

    /// Everything of a contract besides its zones, as JSON.
    private static let ratePlanTerms = """
        ALTER TABLE rate_plan_revisions ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
        """

    /// An event is for a venue, or a region, or, with neither, for all.
    private static let demandResponse = """
        CREATE TABLE demand_response (
            event_id BLOB NOT NULL,
            declared_ms INTEGER NOT NULL,
            cancelled_ms INTEGER,
            kind TEXT NOT NULL,
            venue_id BLOB,
            region TEXT,
            start_ms INTEGER NOT NULL,
            end_ms INTEGER NOT NULL,
            reason TEXT NOT NULL,
            price_micros INTEGER,
            currency TEXT,
            source TEXT NOT NULL,
            PRIMARY KEY (event_id, declared_ms)
        ) WITHOUT ROWID;
        CREATE INDEX demand_response_by_end ON demand_response (end_ms);
        """

    /// Tokens tell venue, action and time by themselves: `venue_numbers` is what they call a venue.
    private static let sealedTokens = """
        CREATE TABLE venue_numbers (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            venue_id BLOB NOT NULL UNIQUE
        );
        INSERT INTO venue_numbers (venue_id)
            SELECT venue_id FROM venue_revisions GROUP BY venue_id ORDER BY MIN(changed_ms), venue_id;
        DROP TABLE tokens;
        CREATE TABLE secrets (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE forecasts (
            source TEXT NOT NULL,
            region TEXT NOT NULL,
            start_ms INTEGER NOT NULL,
            end_ms INTEGER NOT NULL,
            issued_values TEXT NOT NULL,
            PRIMARY KEY (source, region, start_ms)
        ) WITHOUT ROWID;
        ALTER TABLE venue_revisions ADD COLUMN price_weight REAL;
        """

    /// What is missing is from `missing_start_ms` to `missing_end_ms`; both or neither.
    private static let sourceProgress = """
        CREATE TABLE source_progress (
            source TEXT NOT NULL PRIMARY KEY,
            reached_ms INTEGER NOT NULL,
            missing_start_ms INTEGER,
            missing_end_ms INTEGER
        ) WITHOUT ROWID;
        """
}
