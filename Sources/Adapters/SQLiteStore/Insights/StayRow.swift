internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// SQL on the table `stay`: since when vehicles are plugged in.
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

    static func fetch(_ key: VehicleKey, _ generation: Int64, _ db: Database) throws -> VehicleStay? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM stay WHERE generation = ? AND venue_id = ? AND device_id = ?"),
            arguments: [generation, key.venueID.bytes, key.deviceID]
        ).map(stay)
    }

    static func fetch(
        of subject: DataSubject, _ generation: Int64, _ db: Database
    ) throws -> [(deviceID: String, stay: VehicleStay)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM stay WHERE generation = ? AND venue_id = ? AND (? IS NULL OR device_id = ?)
                ORDER BY device_id
                """,
            arguments: [generation, subject.venueID.bytes, subject.deviceID, subject.deviceID]
        ).map { ($0["device_id"], try stay($0)) }
    }

    static func forEach(
        _ generation: Int64, _ db: Database, _ body: (VehicleKey, VehicleStay) -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM stay WHERE generation = ?", arguments: [generation])
        while let row = try rows.next() {
            body(VehicleKey(venueID: try row.uuid("venue_id"), deviceID: row["device_id"]), try stay(row))
        }
    }

    static func save(_ stay: VehicleStay, _ key: VehicleKey, _ generation: Int64, _ db: Database) throws {
        let last = stay.lastBegin
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO stay VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [generation, key.venueID.bytes, key.deviceID] + arguments(stay.now)
                + [last?.sessionID.bytes, last?.began.unixMilliseconds]
                + (arguments(last?.state ?? VehicleStay.State())))
    }

    private static func arguments(_ state: VehicleStay.State) -> StatementArguments {
        [state.pluggedIn?.unixMilliseconds, state.earliest?.unixMilliseconds, state.follows?.bytes]
    }

    private static func stay(_ row: Row) throws -> VehicleStay {
        let now = try state(row, "")
        guard let began: Int64 = row["last_began_unix_ms"] else { return VehicleStay(now) }
        return VehicleStay(
            now,
            lastBegin: VehicleStay.LastBegin(
                sessionID: try row.uuid("last_session_id"), began: Timestamp(unixMilliseconds: began),
                state: try state(row, "last_")))
    }

    /// - Parameter prefix: of the columns' names.
    private static func state(_ row: Row, _ prefix: String) throws -> VehicleStay.State {
        let follows = prefix + "follows_session_id"
        return VehicleStay.State(
            pluggedIn: (row[prefix + "plugged_in_unix_ms"] as Int64?).map(Timestamp.init(unixMilliseconds:)),
            earliest: (row[prefix + "earliest_unix_ms"] as Int64?).map(Timestamp.init(unixMilliseconds:)),
            follows: (row[follows] as Data?) == nil ? nil : try row.uuid(follows))
    }
}
