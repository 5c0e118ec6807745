public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

/// A ``ScheduleStore`` in a schema of a PostgreSQL database.
///
/// Each of its partitions may be another process's, which has the lease of it.
public struct PostgreSQLScheduleStore: ScheduleStore, DocumentStore {
    private static let tables =
        (["device"] + DeviceRecord.partTables).map { PersonalTable($0) } + [
            PersonalTable("venue_setup", ofDevices: false)
        ]

    private let database: PostgreSQLDatabase
    /// `nil`: all of them.
    private var partitions: Set<Int>?
    /// Where there are leases.
    private var lease: WriteLease?

    /// - Parameters: as ``PostgreSQLDatabase`` takes them.
    /// - Throws: as ``PostgreSQLDatabase``.
    public init(
        _ connection: String, connectionsMax: Int = 8, timeout: Duration = .seconds(10), waitsForServer: Bool = false,
        tell: @escaping @Sendable (PostgreSQLNews) -> Void = { _ in }
    ) async throws(EnergyError) {
        database = try await PostgreSQLDatabase(
            connection, schema: PostgreSQLScheduleSchema.schema, connectionsMax: connectionsMax, timeout: timeout,
            waitsForServer: waitsForServer, tell: tell)
    }

    public func close() async { await database.close() }

    /// For processes that are to divide its partitions among them.
    ///
    /// - Parameter holder: of this process, also when it is started again.
    public func leases(holder: UUID) -> any PartitionLeases { PostgreSQLPartitionLeases(database, holder: holder) }

    /// The venues of some partitions and nothing else. Only a single one is written to, under the lease that this process has
    /// of it now: not under one that it takes later, when another process may have written it.
    public func partitions(_ partitions: Set<Int>) -> PostgreSQLScheduleStore {
        var store = self
        store.partitions = partitions
        store.lease = partitions.first.flatMap { database.fence(of: .partition($0)) }.map(WriteLease.taken)
        return store
    }

    public func load() async throws(EnergyError) -> ScheduleStoreContent {
        let partitions = partitions ?? LogPartition.all
        // Without it where it is all of them: each row would be looked at for nothing.
        let isOurs = partitions == LogPartition.all ? "" : "WHERE \(PostgreSQLScheduleSchema.venueEnding) = ANY($1)"
        let endings: [(any PostgreSQLParameter)?] = isOurs.isEmpty ? [] : [LogPartition.endings(of: partitions)]
        return try await database.read { transaction in
            try transaction.send("SELECT * FROM device \(isOurs) ORDER BY venue_id, device_id", endings)
            for table in DeviceRecord.partTables {
                try transaction.send("SELECT * FROM \(table) \(isOurs) ORDER BY venue_id, device_id, position", endings)
            }
            try transaction.send("SELECT * FROM venue_setup \(isOurs) ORDER BY venue_id", endings)
            try transaction.send(
                "SELECT * FROM log_position WHERE partition = ANY($1) ORDER BY partition", [partitions.sorted()])
            try transaction.send("SELECT id FROM followed_log")
            let answers = try transaction.answers()
            let parts = try answers[1...3].map { try Dictionary(grouping: $0) { try DeviceKey($0) } }
            return ScheduleStoreContent(
                records: try answers[0].map { row in
                    let key = try DeviceKey(row)
                    return try DeviceRecord(
                        row, goals: parts[0][key] ?? [], absences: parts[1][key] ?? [], blocks: parts[2][key] ?? [])
                },
                venues: try answers[4].map { try VenueSetup($0) }, positions: try answers[5].map { try LogHead($0) },
                logID: try answers[6].first.map { try $0["id"] })
        }
    }

    public func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        // Each row has one writer: there is nothing that READ COMMITTED would not show.
        try await database.run(.readCommitted, under: lease) { transaction in
            for record in records { try Self.save(record, transaction) }
            for head in positions {
                try transaction.send(
                    """
                    INSERT INTO log_position (partition, sequence, checksum) VALUES ($1, $2, $3)
                    ON CONFLICT (partition) DO UPDATE SET sequence = excluded.sequence, checksum = excluded.checksum
                    WHERE excluded.sequence >= log_position.sequence
                    """,
                    [head.partition, Int64(bitPattern: head.sequence), head.checksum.map { Int64($0) }])
            }
        }
    }

    private static func save(_ record: DeviceRecord, _ transaction: PostgreSQLTransaction) throws {
        for table in ["device"] + DeviceRecord.partTables {
            try transaction.send(
                "DELETE FROM \(table) WHERE venue_id = $1 AND device_id = $2",
                [record.device.venueID, record.device.device.id])
        }
        try transaction.sendInsert(record.columns, into: "device")
        for table in DeviceRecord.partTables {
            for part in record.parts(of: table) { try transaction.sendInsert(part, into: table) }
        }
    }

    public func save(_ setup: VenueSetup) async throws(EnergyError) {
        try await database.write(under: lease) { transaction in
            try transaction.send("DELETE FROM venue_setup WHERE venue_id = $1", [setup.venueID])
            if !setup.isEmpty { try transaction.sendInsert(setup.columns(), into: "venue_setup") }
        }
    }

    public func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] {
        try await database.erase(subject, from: Self.tables, under: lease)
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        try await database.write(under: lease) { transaction in
            try transaction.send("DELETE FROM followed_log")
            if anew { try transaction.send("DELETE FROM log_position") }
            if let id { try transaction.send("INSERT INTO followed_log (id) VALUES ($1)", [id]) }
        }
    }
}

/// Whose row it is.
private struct DeviceKey: Hashable {
    let venueID: UUID
    let deviceID: String

    init(_ row: PostgreSQLRow) throws(EnergyError) {
        (venueID, deviceID) = (try row["venue_id"], try row["device_id"])
    }
}

extension LogHead {
    fileprivate init(_ row: PostgreSQLRow) throws(EnergyError) {
        let checksum: Int64? = try row["checksum"]
        self.init(
            partition: try row["partition"], sequence: UInt64(bitPattern: try row["sequence"] as Int64),
            checksum: checksum.map(UInt32.init(truncatingIfNeeded:)))
    }
}
