public import EnergyModel
internal import Foundation
public import GRDB

/// One SQLite file in WAL mode: one writer, several readers, each on a queue of its own and never on the caller's thread.
public final class SQLiteDatabase: Sendable {
    let pool: DatabasePool
    /// Where a write-ahead log was moved that lay beside the file and was not its own; `nil` when there was none.
    public let foreignLog: String?

    /// Opens or creates the file and brings its schema up to date.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be opened, was written by a newer version or was moved
    ///   elsewhere; `.dataLoss` when it is damaged or not a database.
    ///
    /// - Parameter checkpointsItself: whether a commit now and then moves the write-ahead log into the file before it
    ///   returns; if not, the caller sees to it.
    /// - Parameter pageBytes: of a new file.
    public init(
        path: String, migrator: DatabaseMigrator, checkpointsItself: Bool = true, pageBytes: Int = 4_096
    ) throws(EnergyError) {
        try MovedMark.refuse(path)
        foreignLog = try Self.translating(path) { try ForeignLog.setAside(beside: path) }
        pool = try Self.translating(path) {
            try? FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // Nobody else's: there may be keys in it. SQLite gives its other files the same permissions.
            let ownerOnly: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            if FileManager.default.fileExists(atPath: path) {
                try? FileManager.default.setAttributes(ownerOnly, ofItemAtPath: path)
            } else {
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: ownerOnly)
            }
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 2
            configuration.prepareDatabase { connection in
                try connection.execute(sql: "PRAGMA page_size = \(pageBytes)")
                // The default of 2 MB per connection, said aloud, because idle memory is promised.
                try connection.execute(sql: "PRAGMA cache_size = -2000")
                if !checkpointsItself { try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            // A commit is on disk when it returns. Said now, for opening the pool sets NORMAL, which loses the last commits
            // with the power.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
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
        do { return try await pool.read(body) } catch { throw Self.translate(error) }
    }

    /// Runs one transaction: all of it is on disk when this returns, or nothing of it when it throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        do { return try await pool.write(body) } catch { throw Self.translate(error) }
    }

    /// As ``write(_:)``, and calls `whenCommitted` on the writer's queue once the transaction is on disk, before the next
    /// begins.
    public func write<Value: Sendable>(
        whenCommitted: @escaping @Sendable () -> Void, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { connection in
                var value: Value?
                try connection.inTransaction(.immediate) {
                    value = try body(connection)
                    return .commit
                }
                guard let value else { throw EnergyError(.unavailable, "the transaction was not carried out") }
                whenCommitted()
                return value
            }
        } catch { throw Self.translate(error) }
    }

    /// Copies the whole database, as it is at one moment, into a new file: see ``DatabaseCopy``.
    ///
    /// - Parameter finish: changes the copy before it gets its name.
    /// - Returns: the file's size.
    /// - Throws: `.conflict` when there is a file already.
    @concurrent
    public func backUp(
        to target: String, finish: @Sendable (Database) throws -> Void = { _ in }
    ) async throws(EnergyError) -> Int {
        guard !FileManager.default.fileExists(atPath: target) else {
            throw EnergyError(.conflict, "there is a file \(target) already")
        }
        return try Self.translating(target) {
            try makeFolder(of: target)
            return try DatabaseCopy.make(of: pool, at: target, finish: finish)
        }
    }

    private func makeFolder(of file: String) throws {
        let folder = URL(filePath: file).deletingLastPathComponent()
        let made: Void? = try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard made == nil else { return }
        // Once more, as Foundation does not always say why not.
        let reason = mkdir(folder.path, 0o700) == 0 ? nil : String(cString: strerror(errno)).lowercased()
        guard let reason else { return }
        throw EnergyError(
            .unavailable, "the folder of the backups cannot be made: \(reason)", retryAfterMilliseconds: 1_000)
    }

    /// Moves what the write-ahead log holds into the file, so that the file alone is the whole database, and closes it.
    public func close() throws(EnergyError) {
        try Self.translating(pool.path) {
            // A disk that is full keeps it from moving; the write-ahead log then stays and is read at the next start.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    /// Runs `body`, and says what it throws as ``read(_:)`` would.
    func translating<Value>(_ body: () throws -> Value) throws(EnergyError) -> Value {
        try Self.translating(pool.path, body)
    }

    private static func translating<Value>(_ path: String, _ body: () throws -> Value) throws(EnergyError) -> Value {
        do { return try body() } catch { throw translate(error, path) }
    }

    /// SQL and values stay inside: the message has SQLite's reason only, and the file for who starts a service. Who sends
    /// requests is not told where things lie.
    static func translate(_ error: any Error, _ path: String? = nil) -> EnergyError {
        let name = path.map { "the database \($0)" } ?? "the database"
        switch error {
        case let error as EnergyError: return error
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CONSTRAINT: return EnergyError(.conflict, "\(name) refused contradicting data")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: return EnergyError(.dataLoss, "\(name) \(problem(error))")
            default:
                return EnergyError(.unavailable, "\(name) \(problem(error))", retryAfterMilliseconds: 1_000)
            }
        case is CancellationError: return EnergyError(.unavailable, "the request was cancelled")
        default: return EnergyError(.unavailable, "\(name) cannot be used")
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
            "cannot be opened: this user may not, the disk is full or read-only, or it is a directory"
        case .SQLITE_IOERR: "cannot be read or written: the disk reports an error, or is full"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "is in use by another process"
        default: "cannot be used now: SQLite says \(error.resultCode)"
        }
    }
}
