public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB
internal import SQLColumns

/// The event log in one SQLite file.
public final class SQLiteEventLogStore: EventLogStore {
    let database: SQLiteDatabase
    /// Where a write-ahead log was moved that was not this log's, as when a backup was put in the place of a database
    /// that had not been closed; `nil` when there was none.
    public var foreignLog: String? { database.foreignLog }
    let index: EventIndex
    private let checkpointer: LogCheckpointer

    /// Opens or creates the log.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be opened, is not a log, or is of a newer version.
    public convenience init(path: String) throws(EnergyError) { try self.init(path: path, index: EventIndex()) }

    init(path: String, index: EventIndex) throws(EnergyError) {
        database = try SQLiteDatabase(path: path, migrator: EventLogSchema.migrator, checkpointsItself: false)
        checkpointer = try database.translating { try LogCheckpointer(path: path) }
        self.index = index
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        let (value, bytes) = try await database.write(whenCommitted: index.committed) { [index] connection in
            try index.begin(connection)
            let transaction = SQLiteEventLogTransaction(connection: connection, index: index)
            let value = try body(transaction)
            try index.finish(connection)
            return (value, index.takeWrittenBytes())
        }
        checkpointer.committed(bytes: bytes)
        return value
    }

    public func tryWriting() async throws(EnergyError) {
        try await database.write { try $0.execute(sql: "UPDATE log_identity SET tried = tried + 1") }
    }

    public func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord] {
        guard 0..<LogPartition.count ~= partition, sequence < LogPlace.sequenceMax, countMax > 0 else { return [] }
        let (first, last) = (
            LogPlace(partition: partition, sequence: sequence + 1),
            LogPlace(partition: partition, sequence: LogPlace.sequenceMax)
        )
        return try await database.read { connection in
            let statement = try connection.cachedStatement(
                sql: "\(Self.selectRecords) WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?")
            let rows = try Row.fetchCursor(
                statement, arguments: [first.rawValue, last.rawValue, countMax], adapter: nil)
            var (page, bytes) = ([StoredRecord](), 0)
            while let row = try rows.next() {
                guard let record = try Self.record(of: row) else {
                    if !page.isEmpty { break }
                    throw Self.damage(row)
                }
                bytes += record.payload.count
                if bytes > bytesMax && !page.isEmpty { break }
                page.append(record)
            }
            return page
        }
    }

    public func logID() async throws(EnergyError) -> UUID {
        try await database.read { connection in
            guard let id = try UUID.fetchOne(connection, sql: "SELECT id FROM log_identity") else {
                throw EnergyError(.dataLoss, "the log's identity is missing")
            }
            return id
        }
    }

    public func checksum(
        ofRecord sequence: UInt64, inPartition partition: Int
    ) async throws(EnergyError) -> UInt32? {
        guard 0..<LogPartition.count ~= partition, 1...LogPlace.sequenceMax ~= sequence else { return nil }
        let place = LogPlace(partition: partition, sequence: sequence).rawValue
        return try await database.read { connection in
            try Int64.fetchOne(
                connection.cachedStatement(sql: "SELECT checksum FROM log_record WHERE place = ?"), arguments: [place]
            ).map(UInt32.init(truncatingIfNeeded:))
        }
    }

    public func heads() async throws(EnergyError) -> [LogHead] {
        let stored = try await database.read { connection in
            var stored: [Int: LogHead] = [:]
            let rows = try Row.fetchCursor(
                connection,
                sql: """
                    SELECT partition, sequence, removed_sequence, checksum FROM log_head
                    LEFT JOIN log_record ON place = partition << 48 | sequence
                    """)
            while let row = try rows.next() {
                stored[row[0]] = LogHead(
                    partition: row[0], sequence: UInt64(clamping: row[1] as Int64),
                    removedSequence: UInt64(clamping: row[2] as Int64),
                    checksum: (row[3] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
            }
            return stored
        }
        return (0..<LogPartition.count).map { stored[$0] ?? LogHead(partition: $0, sequence: 0) }
    }

    /// The file grows no further than this; afterwards writing throws `.unavailable` until there is room again. Reading
    /// goes on. The write-ahead log beside the file, up to about 4 MB, is not counted.
    ///
    /// - Parameter bytes: `nil` for no limit but the disk's. A limit below the present size stops growth.
    public func limitFileSize(bytes: Int64?) async throws(EnergyError) {
        try await database.write { connection in
            let pageBytes = try Int64.fetchOne(connection, sql: "PRAGMA page_size") ?? 4096
            let pages = bytes.map { min(max(1, $0 / pageBytes), 4_294_967_294) } ?? 4_294_967_294
            try connection.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    public func close() throws(EnergyError) {
        try database.translating { try checkpointer.close() }
        try database.close()
    }

    /// Reads all records of a file.
    ///
    /// - Returns: how many there are.
    /// - Throws: ``EnergyError`` `.dataLoss` when one is not as it was written, which SQLite does not notice.
    static func verifyRecords(_ connection: Database) throws -> Int {
        let rows = try Row.fetchCursor(connection, sql: "\(selectRecords) ORDER BY place")
        var count = 0
        while let row = try rows.next() {
            guard try record(of: row) != nil else { throw damage(row) }
            count += 1
        }
        return count
    }

    private static let selectRecords =
        "SELECT place, venue_id, received_ms, principal, checksum, payload, plain_bytes, erasure FROM log_record"

    private static func damage(_ row: Row) -> EnergyError {
        let place = LogPlace(rawValue: row[0])
        return .damagedRecord(Int64(place.sequence), inPartition: place.partition)
    }

    /// - Returns: `nil` for a record that is not as it was written.
    private static func record(of row: Row) throws -> StoredRecord? {
        let place = LogPlace(rawValue: row[0])
        let erasure = (row[7] as Data?).map { Erasure(column: $0) }
        // A column that says something, and nothing that is an erasure.
        if case .some(.none) = erasure { return nil }
        guard let payload = try StoredPayload.payload(of: row, bytesAt: 5, plainCountAt: 6) else { return nil }
        let record = StoredRecord(
            partition: place.partition, sequence: place.sequence, venueID: row[1],
            received: Timestamp(unixMilliseconds: row[2]), principal: row[3], payload: payload,
            erasure: erasure ?? nil)
        return record.checksum == UInt32(truncatingIfNeeded: row[4] as Int64) ? record : nil
    }
}

/// Where a record lies: the partition in the upper 16 bits, the sequence in the lower 48. One integer, so that it can be
/// SQLite's own row key, and a partition's records lie side by side.
struct LogPlace {
    static let sequenceMax: UInt64 = (1 << 48) - 1

    let rawValue: Int64

    init(rawValue: Int64) { self.rawValue = rawValue }

    /// - Precondition: both are in range.
    init(partition: Int, sequence: UInt64) { rawValue = Int64(partition) << 48 | Int64(sequence) }

    var partition: Int { Int(rawValue >> 48) }
    var sequence: UInt64 { UInt64(rawValue) & Self.sequenceMax }
}
