public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB

extension SQLiteEventLogStore {
    public func note(_ reader: LogReader) async throws(EnergyError) {
        try await database.write { connection in
            let others = try Int.fetchOne(
                connection, sql: "SELECT count(DISTINCT name) FROM log_reader WHERE name <> ?",
                arguments: [reader.name])
            guard (others ?? 0) < LogReader.countMax else { throw EnergyError.tooManyLogReaders }
            try connection.execute(
                sql: "INSERT OR REPLACE INTO log_reader (name, partition, sequence, seen_ms) VALUES (?, ?, ?, ?)",
                arguments: [
                    reader.name, reader.partition, Int64(clamping: reader.sequence), reader.seen.unixMilliseconds,
                ])
        }
    }

    public func readers() async throws(EnergyError) -> [LogReader] {
        try await database.read { try Self.readers($0) }
    }

    private static func readers(_ connection: Database) throws -> [LogReader] {
        try Row.fetchAll(
            connection, sql: "SELECT name, partition, sequence, seen_ms FROM log_reader ORDER BY name, partition"
        ).map { row in
            LogReader(
                name: row[0], partition: row[1], sequence: UInt64(clamping: row[2] as Int64),
                seen: Timestamp(unixMilliseconds: row[3]))
        }
    }

    public func removeReader(_ name: String) async throws(EnergyError) -> Bool {
        try await database.write { connection in
            try connection.execute(sql: "DELETE FROM log_reader WHERE name = ?", arguments: [name])
            return connection.changesCount > 0
        }
    }

    public func removeRecords(
        _ policy: RetentionPolicy, now: Timestamp, countMax: Int
    ) async throws(EnergyError) -> Int {
        try await database.write { connection in
            let readers = try Self.readers(connection)
            let living = readers.living(at: now)
            let oldest = try (0..<LogPartition.count).flatMap {
                try Self.oldest($0, upTo: living.handled(inPartition: $0), countMax: countMax, connection)
            }
            let removals = policy.removals(
                of: oldest, bytes: try Int64.fetchOne(connection, sql: "SELECT sum(payload_bytes) FROM log_head") ?? 0,
                readers: readers, now: now, countMax: countMax)
            for removal in removals { try Self.remove(removal, connection) }
            return removals.reduce(0) { $0 + $1.count }
        }
    }

    private static func oldest(
        _ partition: Int, upTo sequence: UInt64, countMax: Int, _ connection: Database
    ) throws -> [OldRecord] {
        let last = LogPlace(partition: partition, sequence: min(sequence, LogPlace.sequenceMax))
        return try Row.fetchAll(
            connection,
            sql: """
                SELECT place, received_ms, length(payload) FROM log_record WHERE place BETWEEN ? AND ?
                ORDER BY place LIMIT ?
                """,
            arguments: [LogPlace(partition: partition, sequence: 1).rawValue, last.rawValue, countMax]
        ).map { row in
            let place = LogPlace(rawValue: row[0])
            return OldRecord(
                partition: place.partition, sequence: place.sequence, received: Timestamp(unixMilliseconds: row[1]),
                bytes: row[2])
        }
    }

    private static func remove(_ removal: RecordRemoval, _ connection: Database) throws {
        try connection.execute(
            sql: "DELETE FROM log_record WHERE place BETWEEN ? AND ?",
            arguments: [
                LogPlace(partition: removal.partition, sequence: 1).rawValue,
                LogPlace(partition: removal.partition, sequence: removal.lastSequence).rawValue,
            ])
        try connection.execute(
            sql: """
                UPDATE log_head SET removed_sequence = ?, payload_bytes = max(0, payload_bytes - ?) WHERE partition = ?
                """,
            arguments: [Int64(removal.lastSequence), removal.bytes, removal.partition])
    }

    public func abandonSessions(silentSince limit: Timestamp, countMax: Int) async throws(EnergyError) -> Int {
        // Looked for by a reader, so that the writer is not held by a look at every session.
        let silent = try await database.read { connection in
            try Row.fetchAll(
                connection,
                sql: """
                    SELECT venue_id, id FROM session
                    WHERE is_ended = 0 AND is_abandoned = 0 AND last_ms < ? LIMIT ?
                    """,
                arguments: [limit.unixMilliseconds, countMax]
            ).map { row -> [Data] in [row[0], row[1]] }
        }
        guard !silent.isEmpty else { return 0 }
        return try await database.write { connection in
            let statement = try connection.cachedStatement(
                sql: """
                    UPDATE session SET is_abandoned = 1
                    WHERE venue_id = ? AND id = ? AND is_ended = 0 AND last_ms < ?
                    """)
            for key in silent { try statement.execute(arguments: [key[0], key[1], limit.unixMilliseconds]) }
            return silent.count
        }
    }

    public func backUp(to path: String) async throws(EnergyError) -> Int {
        try await database.backUp(to: path, finish: EventLogSchema.renewIdentity)
    }
}
