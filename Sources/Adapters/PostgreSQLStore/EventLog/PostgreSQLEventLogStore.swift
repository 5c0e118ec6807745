public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns
internal import Synchronization

/// The event log in a schema of a PostgreSQL database, which any number of ingestors share.
///
/// Who appends to a partition holds its head until the commit is visible: so its sequences have no gaps, and whoever sees a
/// record sees all before it.
public final class PostgreSQLEventLogStore: EventLogStore {
    let database: PostgreSQLDatabase

    /// - Parameters: as ``PostgreSQLDatabase`` takes them.
    /// - Throws: as ``PostgreSQLDatabase``.
    public init(
        _ connection: String, connectionsMax: Int = 8, timeout: Duration = .seconds(10), waitsForServer: Bool = false,
        tell: @escaping @Sendable (PostgreSQLNews) -> Void = { _ in }
    ) async throws(EnergyError) {
        database = try await PostgreSQLDatabase(
            connection, schema: PostgreSQLEventLogSchema.schema, connectionsMax: connectionsMax, timeout: timeout,
            waitsForServer: waitsForServer, tell: tell)
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        let former = FormerAttempt<Value>()
        return try await database.run(.readCommitted) { transaction in
            let log = PostgreSQLEventLogTransaction(transaction)
            if let value = try former.committed(log) { return value }
            let value = try body(log)
            former.keep(try log.finish(), value)
            return value
        }
    }

    /// Finds out whether the server is there, which is told to whom ``init(_:connectionsMax:timeout:waitsForServer:tell:)`` says.
    public func lookForServer() async { await database.lookForServer() }

    public func tryWriting() async throws(EnergyError) {
        try await database.run(.readCommitted) { try $0.send("UPDATE log_identity SET tried = tried + 1") }
    }

    public func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord] {
        guard 0..<LogPartition.count ~= partition, sequence < UInt64(Int64.max), countMax > 0 else { return [] }
        return try await database.read { transaction in
            let rows = try transaction.query(
                """
                SELECT * FROM (
                    SELECT page.*, sum(octet_length(payload)) OVER before AS bytes, row_number() OVER before AS number
                    FROM (
                        SELECT * FROM log_record WHERE partition = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                    ) AS page WINDOW before AS (ORDER BY sequence)
                ) AS sized WHERE bytes <= $4 OR number = 1 ORDER BY sequence
                """,
                [partition, Int64(sequence), countMax, bytesMax])
            var page: [StoredRecord] = []
            for row in rows {
                guard let record = try StoredRecord(row) else {
                    if page.isEmpty { throw EnergyError.damagedRecord(try row["sequence"], inPartition: partition) }
                    break
                }
                page.append(record)
            }
            return page
        }
    }

    public func logID() async throws(EnergyError) -> UUID {
        try await database.read { transaction in
            guard let row = try transaction.query("SELECT id FROM log_identity").first else {
                throw EnergyError(.dataLoss, "the log's identity is missing")
            }
            return try row["id"]
        }
    }

    public func checksum(
        ofRecord sequence: UInt64, inPartition partition: Int
    ) async throws(EnergyError) -> UInt32? {
        guard let sequence = Int64(exactly: sequence) else { return nil }
        return try await database.read { transaction in
            let row = try transaction.query(
                "SELECT checksum FROM log_record WHERE partition = $1 AND sequence = $2", [partition, sequence]
            ).first
            return try row.map { UInt32(truncatingIfNeeded: try $0["checksum"] as Int64) }
        }
    }

    public func heads() async throws(EnergyError) -> [LogHead] {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT partition, sequence, removed_sequence, checksum FROM log_head
                LEFT JOIN log_record USING (partition, sequence) ORDER BY partition
                """
            ).map { row in
                LogHead(
                    partition: try row["partition"], sequence: UInt64(clamping: try row["sequence"] as Int64),
                    removedSequence: UInt64(clamping: try row["removed_sequence"] as Int64),
                    checksum: try (row["checksum"] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
            }
        }
    }

    public func sessions(ofVenue venueID: UUID, countMax: Int) async throws(EnergyError) -> [SessionProgress] {
        try await database.read { transaction in
            try transaction.query(
                "SELECT * FROM session WHERE venue_id = $1 ORDER BY last_ms DESC, id LIMIT $2", [venueID, countMax]
            ).map { try SessionProgress($0) }
        }
    }

    public func backUp(to path: String) async throws(EnergyError) -> Int {
        throw EnergyError(.invalidInput, "the log is in PostgreSQL: back it up there, with pg_basebackup or pg_dump")
    }

    public func close() async { await database.close() }
}

/// What a transaction has come to whose commit was sent: nobody knows whether it happened when the answer is lost.
private final class FormerAttempt<Value: Sendable>: Sendable {
    private let attempt = Mutex<(receipt: LogReceipt, value: Value)?>(nil)

    func keep(_ receipt: LogReceipt?, _ value: Value) {
        attempt.withLock { $0 = receipt.map { ($0, value) } }
    }

    /// - Returns: its value, if it did happen.
    func committed(_ log: PostgreSQLEventLogTransaction) throws -> Value? {
        guard let (receipt, value) = attempt.withLock({ $0 }), try log.holds(receipt) else { return nil }
        return value
    }
}
