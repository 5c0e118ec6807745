internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// SQL on the table `status`: what vehicles reported, for the activity log.
enum StatusRow {
    /// Part of a migration: never edited once it was released.
    static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE status (
                    generation INTEGER NOT NULL,
                    venue_id BLOB NOT NULL,
                    time_unix_ms INTEGER NOT NULL,
                    event_id BLOB NOT NULL,
                    device_id TEXT NOT NULL,
                    device_name TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    state_of_charge INTEGER NOT NULL,
                    energy_mwh INTEGER NOT NULL,
                    range_mm INTEGER,
                    target_state_of_charge INTEGER,
                    target_completion_unix_ms INTEGER,
                    target_start_unix_ms INTEGER,
                    target_range_mm INTEGER,
                    session_id BLOB,
                    PRIMARY KEY (generation, venue_id, time_unix_ms, event_id)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Part of a migration: never edited once it was released. Among statuses of one time those that were stored before come
    /// first, by id as ever.
    static func keepOrder(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE status ADD COLUMN log_order INTEGER NOT NULL DEFAULT 0")
    }

    /// - Returns: also where the last of them stands.
    static func fetch(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int, _ generation: Int64, _ db: Database
    ) throws -> (statuses: [Activity], last: ActivityCursor?) {
        let from = max(query.range.start, last?.time ?? query.range.start)
        func wants(_ kind: Activity.Kind) -> String? { query.wants(kind) ? kind.rawValue : nil }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM status
                    WHERE generation = ? AND venue_id = ? AND time_unix_ms >= ? AND time_unix_ms < ?
                        AND (time_unix_ms, log_order, event_id) > (?, ?, ?) AND (? IS NULL OR device_id = ?)
                        AND kind IN (?, ?, ?)
                    ORDER BY time_unix_ms, log_order, event_id LIMIT ?
                    """),
            arguments: [
                generation, query.venueID.bytes, from.unixMilliseconds, query.range.end.unixMilliseconds,
                last?.time.unixMilliseconds ?? .min, last?.order ?? .min, last?.id.bytes ?? Data(), query.deviceID,
                query.deviceID, wants(.plug), wants(.charging), wants(.waiting), limit,
            ])
        let statuses = try rows.map(activity)
        let cursor = rows.last.flatMap { row in
            statuses.last.map { ActivityCursor(time: $0.time, order: row["log_order"], id: $0.id) }
        }
        return (statuses, cursor)
    }

    /// What a vehicle said of its plug, from `start` until before `end`.
    static func words(
        of vehicle: VehicleKey, from start: Timestamp, to end: Timestamp, _ generation: Int64, _ db: Database
    ) throws -> [PlugHistory.Word] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT time_unix_ms, kind, reason FROM status
                    WHERE generation = ? AND venue_id = ? AND device_id = ? AND time_unix_ms >= ? AND time_unix_ms < ?
                    """),
            arguments: [
                generation, vehicle.venueID.bytes, vehicle.deviceID, start.unixMilliseconds, end.unixMilliseconds,
            ]
        ).map { row in
            PlugHistory.Word(
                time: Timestamp(unixMilliseconds: row[0]).clamped,
                status: VehicleStatus.Status(kind: row[1], reason: row[2]))
        }
    }

    static func save(_ statuses: [Activity], _ generation: Int64, _ db: Database) throws {
        for activity in statuses {
            guard case .status(let status) = activity.content else { continue }
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO status VALUES (
                        ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                        (SELECT coalesce(max(log_order), 0) + 1 FROM status
                            WHERE generation = ?1 AND venue_id = ?2 AND time_unix_ms = ?3))
                    """
            ).execute(arguments: [
                generation, activity.venueID.bytes, activity.time.unixMilliseconds, activity.id.bytes,
                activity.device.id, activity.device.name, activity.kind.rawValue, status.status.reason,
                status.stateOfCharge, status.energyMilliwattHours, status.estimatedRangeMillimetres,
                status.target?.stateOfCharge, status.target?.estimatedCompletion.unixMilliseconds,
                status.target?.scheduledStart.unixMilliseconds, status.target?.estimatedRangeMillimetres,
                status.sessionID?.bytes,
            ])
        }
        for venueID in Set(statuses.map(\.venueID)) { try removeOld(venueID, generation, db) }
    }

    static func fetch(
        of subject: DataSubject, skipped: Int, countMax: Int, _ generation: Int64, _ db: Database
    ) throws -> [Activity] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM status WHERE generation = ? AND venue_id = ? AND (? IS NULL OR device_id = ?)
                ORDER BY time_unix_ms, log_order, event_id LIMIT ? OFFSET ?
                """,
            arguments: [
                generation, subject.venueID.bytes, subject.deviceID, subject.deviceID, max(0, countMax), skipped,
            ]
        ).map(activity)
    }

    static func forEach(_ generation: Int64, _ db: Database, _ body: (Activity) -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM status WHERE generation = ?", arguments: [generation])
        while let row = try rows.next() { body(try activity(row)) }
    }

    private static func removeOld(_ venueID: UUID, _ generation: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM status WHERE generation = ?1 AND venue_id = ?2 AND time_unix_ms <
                    (SELECT max(time_unix_ms) FROM status WHERE generation = ?1 AND venue_id = ?2) - ?3
                """
        ).execute(arguments: [generation, venueID.bytes, ActivityRetention.milliseconds])
    }

    private static func activity(_ row: Row) throws -> Activity {
        var target: ChargingTarget?
        if let percent = row["target_state_of_charge"] as Int? {
            target = ChargingTarget(
                stateOfCharge: percent,
                estimatedCompletion: Timestamp(unixMilliseconds: row["target_completion_unix_ms"]),
                scheduledStart: Timestamp(unixMilliseconds: row["target_start_unix_ms"]),
                estimatedRangeMillimetres: row["target_range_mm"])
        }
        let status = VehicleStatus(
            status: VehicleStatus.Status(kind: row["kind"], reason: row["reason"]),
            stateOfCharge: row["state_of_charge"], energyMilliwattHours: row["energy_mwh"],
            estimatedRangeMillimetres: row["range_mm"], target: target,
            sessionID: (row["session_id"] as Data?) == nil ? nil : try row.uuid("session_id"))
        return Activity(
            id: try row.uuid("event_id"), venueID: try row.uuid("venue_id"),
            device: Device(id: row["device_id"], name: row["device_name"], kind: .electricVehicle),
            time: Timestamp(unixMilliseconds: row["time_unix_ms"]), content: .status(status))
    }
}

extension VehicleStatus.Status {
    fileprivate var reason: String {
        switch self {
        case .pluggedIn: "pluggedIn"
        case .unplugged: "unplugged"
        case .active(let reason): reason.rawValue
        case .idle(let reason): reason.rawValue
        }
    }

    /// What a later version wrote reads as unknown.
    fileprivate init(kind: String, reason: String) {
        switch Activity.Kind(rawValue: kind) {
        case .plug: self = reason == "unplugged" ? .unplugged : .pluggedIn
        case .charging: self = .active(ActiveReason(rawValue: reason) ?? .unknown)
        case .waiting, .session, nil: self = .idle(IdleReason(rawValue: reason) ?? .unknown)
        }
    }
}
