public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

extension PostgreSQLInsightStore {
    public func statuses(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int
    ) async throws(EnergyError) -> (statuses: [Activity], last: ActivityCursor?, applied: [LogHead]) {
        let from = max(query.range.start, last?.time ?? query.range.start)
        let kinds = [Activity.Kind.plug, .charging, .waiting].filter { query.wants($0) }.map(\.rawValue)
        return try await database.read { transaction in
            let generation = try generation(transaction)
            let rows = try transaction.query(
                """
                SELECT * FROM status
                WHERE venue_id = $1 AND generation = $2 AND time_unix_ms >= $3 AND time_unix_ms < $4
                    AND (time_unix_ms, log_order, event_id) > ($5, $6, $7) AND ($8::text IS NULL OR device_id = $8)
                    AND kind = ANY($9)
                ORDER BY time_unix_ms, log_order, event_id LIMIT $10
                """,
                [
                    query.venueID, generation, from, query.range.end, last?.time.unixMilliseconds ?? .min,
                    Int64(last?.order ?? .min), last?.id ?? .least, query.deviceID, kinds, limit,
                ])
            let statuses = try rows.map { try Activity($0) }
            let cursor = try rows.last.map { row in
                ActivityCursor(time: try row["time_unix_ms"], order: try row["log_order"], id: try row["event_id"])
            }
            return (statuses, cursor, try Self.positions(generation, transaction))
        }
    }

    public func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { transaction in
            let generation = try generation(transaction)
            for key in keys {
                try transaction.send(
                    "SELECT * FROM session WHERE venue_id = $1 AND generation = $2 AND session_id = $3",
                    [key.venueID, generation, key.sessionID])
            }
            return try transaction.answers().joined().reduce(into: [:]) { found, row in
                let session = try CountedSession(row)
                found[session.key] = session
            }
        }
    }

    public func sessions(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: [CountedSession]] {
        guard !vehicles.isEmpty else { return [:] }
        return try await database.read { transaction in
            let generation = try generation(transaction)
            for (vehicle, interval) in vehicles {
                try transaction.send(
                    """
                    SELECT * FROM session WHERE venue_id = $1 AND generation = $2 AND device_id = $3 AND kind <> $4
                        AND began_unix_ms >= $5 AND began_unix_ms < $6
                    ORDER BY began_unix_ms, session_id
                    """,
                    vehicle.values(generation) + [interval.start, interval.end])
            }
            return try zip(vehicles, transaction.answers()).reduce(into: [:]) { found, item in
                if !item.1.isEmpty { found[item.0.key] = try item.1.map { try CountedSession($0) } }
            }
        }
    }

    public func plugHistories(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: PlugHistory] {
        guard !vehicles.isEmpty else { return [:] }
        return try await database.read { transaction in
            let generation = try generation(transaction)
            for (vehicle, interval) in vehicles {
                try transaction.send(
                    """
                    SELECT * FROM session WHERE venue_id = $1 AND generation = $2 AND device_id = $3 AND kind <> $4
                        AND began_unix_ms < $5
                    ORDER BY began_unix_ms DESC, session_id DESC LIMIT 1
                    """,
                    vehicle.values(generation) + [interval.start])
            }
            for (vehicle, interval) in vehicles {
                try transaction.send(
                    """
                    SELECT time_unix_ms, kind, reason FROM status
                    WHERE venue_id = $1 AND generation = $2 AND device_id = $3 AND time_unix_ms >= $4
                        AND time_unix_ms < $5
                    """,
                    [
                        vehicle.venueID, generation, vehicle.deviceID,
                        interval.start.advanced(byMilliseconds: -PlugHistory.millisecondsMax), interval.end,
                    ])
            }
            let answers = try transaction.answers()
            return try zip(vehicles.keys, zip(answers, answers.dropFirst(vehicles.count))).reduce(into: [:]) {
                found, item in
                let (vehicle, (previous, words)) = item
                found[vehicle] = PlugHistory(
                    previous: try previous.first.map { try CountedSession($0) },
                    words: try words.map { try PlugHistory.Word($0) })
            }
        }
    }

    public func sessions(venueID: UUID, touching interval: Interval) async throws(EnergyError) -> [CountedSession] {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT * FROM session WHERE venue_id = $1 AND generation = $2
                    AND coalesce(plugged_in_unix_ms, began_unix_ms) < $3 AND last_unix_ms >= $4
                ORDER BY began_unix_ms, session_id
                """,
                [venueID, try generation(transaction), interval.end, interval.start]
            ).map { try CountedSession($0) }
        }
    }

    public func sessions(
        _ query: SessionQuery, after last: SessionCursor?, limit: Int
    ) async throws(EnergyError) -> (sessions: [CountedSession], applied: [LogHead]) {
        let from = max(query.range.start, last?.began ?? query.range.start)
        return try await database.read { transaction in
            let generation = try generation(transaction)
            let sessions = try transaction.query(
                """
                SELECT * FROM session WHERE \(SessionQuery.isAsked) AND (began_unix_ms, session_id) > ($7, $8)
                ORDER BY began_unix_ms, session_id LIMIT $9
                """,
                query.values(generation, from: from)
                    + [last?.began.unixMilliseconds ?? .min, last?.sessionID ?? .least, limit]
            ).map { try CountedSession($0) }
            return (sessions, try Self.positions(generation, transaction))
        }
    }

    public func savings(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer {
        try await database.read { transaction in
            let generation = try generation(transaction)
            let values = query.sessions.values(generation, from: query.sessions.range.start)
            var savings = Savings.none
            for group in try transaction.query(Self.sumSQL, values) { try savings.add(group: group) }
            let newest = try transaction.query(
                """
                SELECT * FROM session WHERE \(SessionQuery.isAsked) AND saved_class > $7
                ORDER BY began_unix_ms DESC, session_id DESC LIMIT $8
                """,
                values + [Int64(InsightClass.unknown.code), max(0, query.newest)])
            return SavingsAnswer(
                savings: savings, newest: try newest.map { SessionInsight(try CountedSession($0)) },
                applied: try Self.positions(generation, transaction))
        }
    }

    static let sumSQL = """
        SELECT \(Savings.groupColumns) FROM session WHERE \(SessionQuery.isAsked) AND moved_mwh IS NOT NULL
        GROUP BY followed, saved_class
        """
}

extension SessionQuery {
    /// Of a session's row; with ``values(_:from:)``.
    fileprivate static let isAsked = """
        venue_id = $1 AND generation = $2 AND began_unix_ms >= $3 AND began_unix_ms < $4
            AND ($5::text IS NULL OR device_id = $5) AND ($6::bigint IS NULL OR kind = $6)
        """

    fileprivate func values(_ generation: Int64, from: Timestamp) -> [(any PostgreSQLParameter)?] {
        [venueID, generation, from, range.end, deviceID, deviceKind?.code]
    }
}

extension VehicleKey {
    /// Of its sessions, which are not of heating or cooling.
    fileprivate func values(_ generation: Int64) -> [(any PostgreSQLParameter)?] {
        [venueID, generation, deviceID, Device.Kind.hvac.code]
    }
}

extension UUID {
    fileprivate static let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
