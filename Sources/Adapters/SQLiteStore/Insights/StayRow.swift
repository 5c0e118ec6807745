internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on what decides since when vehicles are plugged in.
enum StayRow {
    /// Part of a migration: never edited once it was released. What was counted before has no plug-ins: the statuses before
    /// are not looked through, because their order in the log is not kept.
    static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE stay (
                    generation INTEGER NOT NULL,
                    venue_id BLOB NOT NULL,
                    device_id TEXT NOT NULL,
                    plugged_in_unix_ms INTEGER,
                    earliest_unix_ms INTEGER,
                    PRIMARY KEY (generation, venue_id, device_id)
                ) STRICT, WITHOUT ROWID;
                ALTER TABLE session ADD COLUMN plugged_in_unix_ms INTEGER;
                """)
    }

    /// Part of a migration: never edited once it was released. Sessions that were counted before follow none.
    static func keepFollowed(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE stay ADD COLUMN follows_session_id BLOB;
                ALTER TABLE session ADD COLUMN follows_session_id BLOB;
                CREATE INDEX session_by_followed ON session (follows_session_id) WHERE follows_session_id IS NOT NULL;
                """)
    }

    /// Part of a migration: never edited once it was released. Late word counts for sessions that begin from then on.
    static func keepLastBegin(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE stay ADD COLUMN last_session_id BLOB;
                ALTER TABLE stay ADD COLUMN last_began_unix_ms INTEGER;
                ALTER TABLE stay ADD COLUMN last_plugged_in_unix_ms INTEGER;
                ALTER TABLE stay ADD COLUMN last_earliest_unix_ms INTEGER;
                ALTER TABLE stay ADD COLUMN last_follows_session_id BLOB;
                UPDATE projection SET rules = 4 WHERE NOT EXISTS (SELECT * FROM position);
                """)
    }

    /// Part of a migration: never edited once it was released. Where a baseline begins is looked up in what was said, by its
    /// time.
    static func lookUpWords(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE stay;
                DROP INDEX session_by_followed;
                ALTER TABLE session DROP COLUMN follows_session_id;
                CREATE INDEX status_by_device ON status (generation, venue_id, device_id, time_unix_ms);
                UPDATE projection SET rules = 5 WHERE NOT EXISTS (SELECT * FROM position);
                """)
    }

    /// Of a vehicle the sessions that begin in `interval`, by begin and id.
    static func sessions(
        of vehicle: VehicleKey, in interval: Interval, _ generation: Int64, _ db: Database
    ) throws -> [CountedSession] {
        try seriesIDs(of: vehicle, generation, db).flatMap { series in
            try CountedSessionRow.fetch(series: series, beginningIn: interval, db)
        }.sorted { SessionCursor($0) < SessionCursor($1) }
    }

    static func history(
        of vehicle: VehicleKey, before interval: Interval, _ generation: Int64, _ db: Database
    ) throws -> PlugHistory {
        let previous = try seriesIDs(of: vehicle, generation, db).compactMap { series in
            try CountedSessionRow.fetchLast(series: series, beginningBefore: interval.start, db)
        }.max { SessionCursor($0) < SessionCursor($1) }
        let start = interval.start.advanced(byMilliseconds: -PlugHistory.millisecondsMax)
        return PlugHistory(
            previous: previous, words: try StatusRow.words(of: vehicle, from: start, to: interval.end, generation, db))
    }

    /// A vehicle takes energy, and may give it.
    private static func seriesIDs(of vehicle: VehicleKey, _ generation: Int64, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM series WHERE generation = ? AND venue_id = ? AND device_id = ? AND kind <> ?"),
            arguments: [generation, vehicle.venueID.bytes, vehicle.deviceID, Device.Kind.hvac.code])
    }
}
