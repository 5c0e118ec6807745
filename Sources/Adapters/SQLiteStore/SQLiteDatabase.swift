public import EnergyModel
internal import Foundation
public import GRDB

/// One SQLite file in WAL mode: one writer, several readers, each on a queue of its own and never on the caller's thread.
public final class SQLiteDatabase: Sendable {
    private let pool: DatabasePool

    /// Opens or creates the file and brings its schema up to date.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be opened, is not a database, or was written by a
    ///   newer version.
    public init(path: String, migrator: DatabaseMigrator) throws(EnergyError) {
        pool = try Self.translating(path) {
            try? FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 2
            configuration.prepareDatabase { connection in
                // A commit is on disk when it returns: WAL with NORMAL would lose the last commits with the power.
                try connection.execute(sql: "PRAGMA synchronous = FULL")
                // The default of 2 MB per connection, said aloud, because idle memory is promised.
                try connection.execute(sql: "PRAGMA cache_size = -2000")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            if try pool.read(migrator.hasBeenSuperseded) {
                throw EnergyError(.unavailable, "\(path) was written by a newer version of this program")
            }
            try migrator.migrate(pool)
            return pool
        }
    }

    /// Reads from one consistent snapshot.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        do { return try await pool.read(body) } catch { throw Self.translate(error, pool.path) }
    }

    /// Runs one transaction: all of it is on disk when this returns, or nothing of it when it throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        do { return try await pool.write(body) } catch { throw Self.translate(error, pool.path) }
    }

    /// Moves what the write-ahead log holds into the file, so that the file alone is the whole database, and closes it.
    public func close() throws(EnergyError) {
        try Self.translating(pool.path) {
            // A disk that is full keeps it from moving; the write-ahead log then stays and is read at the next start.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    private static func translating<Value>(_ path: String, _ body: () throws -> Value) throws(EnergyError) -> Value {
        do { return try body() } catch { throw translate(error, path) }
    }

    /// SQL and values stay inside: the message names the file and SQLite's reason only.
    private static func translate(_ error: any Error, _ path: String) -> EnergyError {
        switch error {
        case let error as EnergyError: error
        case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
            EnergyError(.conflict, "the database \(path) refused contradicting data")
        case let error as DatabaseError:
            EnergyError(.unavailable, "the database \(path) \(problem(error))", retryAfterMilliseconds: 1_000)
        case is CancellationError: EnergyError(.unavailable, "the request was cancelled")
        default: EnergyError(.unavailable, "the database \(path) cannot be used")
        }
    }

    /// What is wrong, and what to do where something can be done.
    private static func problem(_ error: DatabaseError) -> String {
        switch error.resultCode {
        case .SQLITE_NOTADB:
            "is not an SQLite database: its first bytes are of something else. Put a backup in its place, or move it "
                + "away to start with an empty one"
        case .SQLITE_CORRUPT:
            "is damaged: parts of it are missing or wrong. Put a backup in its place, save what is left with "
                + "'sqlite3 FILE .recover', or move it away to start with an empty one"
        case .SQLITE_FULL: "cannot grow: the disk is full. Make room"
        case .SQLITE_READONLY: "cannot be written: this user may not, or the file system is read-only"
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            "cannot be opened: this user may not, or the disk is full, or it is a directory"
        case .SQLITE_IOERR: "cannot be read or written: the disk reports an error, or is full"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "is in use by another process"
        default: "cannot be used now: SQLite says \(error.resultCode)"
        }
    }
}
