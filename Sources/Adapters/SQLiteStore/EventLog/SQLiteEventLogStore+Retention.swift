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

    public func removeRecords(
        _ policy: RetentionPolicy, now: Timestamp, countMax: Int
    ) async throws(EnergyError) -> Int {
        try await database.write { connection in
            let readers = try Self.readers(connection)
            var excess = try policy.bytesMax.map { try Self.usedBytes(connection) - $0 } ?? 0
            let oldest = try (0..<LogPartition.count).flatMap {
                try Self.oldest($0, upTo: readers.handled(inPartition: $0), countMax: countMax, connection)
            }.sorted { ($0.received, $0.place.rawValue) < ($1.received, $1.place.rawValue) }
            var removed: [Int: UInt64] = [:]
            var count = 0
            for record in oldest.prefix(countMax) {
                let age = now.unixMilliseconds - record.received
                guard policy.ageMaxMilliseconds.map({ age > $0 }) ?? false || excess > 0 else { break }
                excess -= record.bytes
                count += 1
                removed[record.place.partition] = record.place.sequence
            }
            for (partition, sequence) in removed { try Self.remove(partition, upTo: sequence, connection) }
            return count
        }
    }

    private struct OldRecord {
        let place: LogPlace
        let received: Int64
        /// Whole pages, as SQLite gives them back.
        let bytes: Int64
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
            OldRecord(place: LogPlace(rawValue: row[0]), received: row[1], bytes: (row[2] as Int64) + 100)
        }
    }

    private static func remove(_ partition: Int, upTo sequence: UInt64, _ connection: Database) throws {
        try connection.execute(
            sql: "DELETE FROM log_record WHERE place BETWEEN ? AND ?",
            arguments: [
                LogPlace(partition: partition, sequence: 1).rawValue,
                LogPlace(partition: partition, sequence: sequence).rawValue,
            ])
        try connection.execute(
            sql: "UPDATE log_head SET removed_sequence = ? WHERE partition = ?",
            arguments: [Int64(sequence), partition])
    }

    /// Of the file, without the pages that are free.
    private static func usedBytes(_ connection: Database) throws -> Int64 {
        func pragma(_ name: String) throws -> Int64 { try Int64.fetchOne(connection, sql: "PRAGMA \(name)") ?? 0 }
        return (try pragma("page_count") - pragma("freelist_count")) * (try pragma("page_size"))
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
