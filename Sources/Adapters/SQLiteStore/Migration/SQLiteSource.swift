public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB
internal import LZ4
public import SQLColumns

/// The file of a service, read table by table by who moves it elsewhere, also while the service runs.
public final class SQLiteSource: Sendable {
    public let path: String
    /// Of this file on this host alone.
    public let id: String
    public let host: SourceHost
    /// Whether the service is stopped, and stays so as long as this is there.
    public let isStopped: Bool
    private let service: StoredService
    private let lock: FolderLock?
    private let database: DatabaseQueue

    /// - Parameters:
    ///   - state: the state directory, or the folder that it is in.
    ///   - host: this one.
    /// - Throws: ``EnergyError`` `.notFound` where there is no such file; `.invalidInput` when it was written by another version;
    ///   `.dataLoss` when it is damaged; `.unavailable` when it cannot be opened, or nothing be written beside it.
    public init(_ service: StoredService, in state: String, on host: SourceHost) throws(EnergyError) {
        guard let folder = try StateFolder.holding(service, in: state) else {
            throw EnergyError(
                .notFound, "there is no \(service.sqliteFile) in \(state), nor in a folder \(service.rawValue) there")
        }
        let path = "\(folder)/\(service.sqliteFile)"
        lock = try FolderLock.take(folder)
        isStopped = lock != nil
        (self.service, self.path, self.host) = (service, path, host)
        do {
            if isStopped { _ = try ForeignLog.setAside(beside: path) }
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { connection in
                connection.add(function: PlainPayload.function)
                try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            }
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { connection in
                // Opens the files beside it, which are to be the service's.
                _ = try Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_master")
                for file in ["-wal", "-shm"] { FileOwner.handOver(path + file, toOwnerOf: folder) }
            }
            try database.read { try Self.check($0, service, path) }
            id = try SourceIdentity.of(path, on: host)
        } catch { throw SQLiteDatabase.translate(error, path) }
    }

    /// Rows that there are now.
    public func count(of table: StoredTable) async throws(EnergyError) -> Int {
        try await reading { [query = service.sourceQuery(of: table)] connection in
            for statement in query.preparation { try connection.execute(sql: statement) }
            return try Int.fetchOne(connection, sql: query.countSQL(table)) ?? 0
        }
    }

    /// Records that retention has removed from a log; 0 of what is no log.
    public func removedRecords() async throws(EnergyError) -> Int {
        guard service == .eventIngestor else { return 0 }
        return try await reading { try Int.fetchOne($0, sql: "SELECT sum(removed_sequence) FROM log_head") ?? 0 }
    }

    /// - Parameter key: of the last row before; `nil` for the first page.
    /// - Returns: in the order of the key; fewer than a page at the end only.
    public func rows(
        of table: StoredTable, after key: ArraySlice<ColumnValue>?
    ) async throws(EnergyError) -> [StoredRow] {
        try await reading { [query = service.sourceQuery(of: table)] connection in
            if key == nil { for statement in query.preparation { try connection.execute(sql: statement) } }
            let arguments = (key ?? []).map(\.databaseValue) + [table.rowsPerPage.databaseValue]
            let rows = try Row.fetchCursor(
                connection.cachedStatement(sql: query.sql(table, isFirst: key == nil)),
                arguments: StatementArguments(arguments))
            var page: [StoredRow] = []
            while let row = try rows.next() {
                page.append(
                    try table.columns.enumerated().map { index, column in
                        try column.value(of: ColumnValue(row[index] as DatabaseValue), table)
                    })
            }
            return page
        }
    }

    /// Keeps the service from starting on the file again, which would go on without what it stores elsewhere from now on.
    public func noteMoved() throws(EnergyError) {
        let mark = MovedMark.path(of: path)
        do {
            try Data("to PostgreSQL, by energyctl store migrate\n".utf8).write(to: URL(filePath: mark))
            FileOwner.handOver(mark, toOwnerOf: URL(filePath: path).deletingLastPathComponent().path)
        } catch { throw EnergyError(.unavailable, "\(mark) cannot be written: \(error.localizedDescription)") }
    }

    public func close() throws(EnergyError) {
        do { try database.close() } catch { throw SQLiteDatabase.translate(error, path) }
        lock?.release()
    }

    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        do { return try await database.writeWithoutTransaction(body) } catch {
            throw SQLiteDatabase.translate(error, path)
        }
    }

    private static func check(_ connection: Database, _ service: StoredService, _ path: String) throws {
        let migrator = service.schema
        if try migrator.hasBeenSuperseded(connection) {
            throw EnergyError(.invalidInput, "\(path) was written by a newer version of this program")
        }
        guard try migrator.hasCompletedMigrations(connection) else {
            throw EnergyError(
                .invalidInput,
                "\(path) was written by an older version of this program: start \(service.rawValue) of this version once"
            )
        }
    }
}

extension StoredTable.Column {
    /// SQLite has no type for UUIDs, and keeps whole numbers of a real column as such.
    fileprivate func value(of stored: ColumnValue, _ table: StoredTable) throws(EnergyError) -> ColumnValue {
        switch (kind, stored) {
        case (_, .null): return .null
        case (.integer, .integer(let number)): return .integer(number)
        case (.real, .real(let number)): return .real(number)
        case (.real, .integer(let number)): return .real(Double(number))
        case (.text, .bytes(let bytes)):
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                throw EnergyError(
                    .dataLoss,
                    "a \(name) in the table \(table.name) is no text that PostgreSQL can hold: it has a NUL in it, or bytes that "
                        + "are no UTF-8")
            }
            return .text(text)
        case (.bytes, .bytes(let data)): return .bytes(data)
        case (.uuid, let value):
            guard let id = UUID(value) else { throw .damaged(name) }
            return .uuid(id)
        default: throw .damaged(name)
        }
    }
}

/// SQL's word for ``StoredPayload``.
enum PlainPayload {
    static let name = "plain_payload"

    static let function = DatabaseFunction(name, argumentCount: 2, pure: true) { values in
        let stored = Data.fromDatabaseValue(values[0]) ?? Data()
        guard let count = Int.fromDatabaseValue(values[1]) else { return stored }
        // NULL for one that is damaged.
        return stored.withUnsafeBytes { LZ4Block.decompressed($0, count: count) }.map { Data($0) }
    }
}
