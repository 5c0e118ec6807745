public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB

/// Backs up the databases of services that store with ``SQLiteDatabase``, whether they run or not.
public struct SQLiteBackupMaker: StoreBackupMaker {
    public init() {}

    public func services(in state: String) throws(EnergyError) -> [StoredService] {
        guard DatabaseFiles.isFolder(state) else { throw EnergyError(.notFound, "there is no folder \(state)") }
        var found: [StoredService] = []
        for service in StoredService.allCases {
            if try StateFolder.holding(service, in: state) != nil { found.append(service) }
        }
        return found
    }

    public func checkTarget(_ folder: String) throws(EnergyError) { try Self.refuseState(Self.path(folder)) }

    @concurrent
    public func backUp(
        _ service: StoredService, in state: String, to folder: String, now: Timestamp,
        tell: @escaping @Sendable (_ part: Double) -> Void
    ) async throws(EnergyError) -> StoreBackup {
        guard let home = try StateFolder.holding(service, in: state) else {
            throw EnergyError(.notFound, "there is no \(service.sqliteFile) of it in \(state)")
        }
        let source = "\(home)/\(service.sqliteFile)"
        try Self.check(source, in: home)
        let folder = try Self.made(folder)
        let target = "\(folder)/\(service.rawValue)-\(now.unixMilliseconds).sqlite"
        guard !FileManager.default.fileExists(atPath: target) else {
            throw EnergyError(.conflict, "there is a file \(target) already")
        }
        let bytes = try Self.copy(source, in: home, of: service, to: target, tell)
        return StoreBackup(service: service, file: target, bytes: bytes)
    }

    /// - Throws: when what the file holds is not what the service would go on with.
    private static func check(_ source: String, in home: String) throws(EnergyError) {
        guard !MovedMark.isBeside(source) else {
            throw EnergyError(
                .conflict,
                "\(source) was moved to PostgreSQL: back it up there, with pg_dump; the file holds what was before")
        }
        // A service that runs has seen to it at its start.
        guard try FolderLock.isFree(home) else { return }
        do {
            guard try ForeignLog.lies(beside: source) else { return }
        } catch { throw SQLiteDatabase.translate(error, source) }
        throw EnergyError(
            .conflict, "\(source)-wal is of another database: start the service once, which moves it away, or do so")
    }

    /// How a folder is called from wherever it is looked at.
    private static func path(_ folder: String) -> String { URL(filePath: folder).standardizedFileURL.path }

    private static func refuseState(_ folder: String) throws(EnergyError) {
        guard !StateFolder.isState(folder) else {
            throw EnergyError(
                .invalidInput, "\(folder) is the state directory of a service: name another folder for the copies")
        }
    }

    /// Makes the folder for the copies where only it is missing: who mistypes it is told.
    ///
    /// - Returns: ``path(_:)``.
    private static func made(_ folder: String) throws(EnergyError) -> String {
        let folder = path(folder)
        try refuseState(folder)
        if !DatabaseFiles.isFolder(folder), mkdir(folder, 0o700) != 0 {
            let code = errno
            let isMisnamed = [ENOENT, ENOTDIR, EEXIST].contains(code)
            throw EnergyError(
                isMisnamed ? .notFound : .unavailable,
                "the folder \(folder) cannot be made: \(DatabaseFiles.reason(code))")
        }
        guard access(folder, W_OK | X_OK) == 0 else { throw DatabaseFiles.refusal(of: folder, errno) }
        return folder
    }

    /// - Returns: the size of the copy.
    private static func copy(
        _ source: String, in home: String, of service: StoredService, to target: String,
        _ tell: @escaping (_ part: Double) -> Void
    ) throws(EnergyError) -> Int {
        let reader: QuietReader
        do { reader = try QuietReader(source) } catch { throw SQLiteDatabase.translate(error, source) }
        defer {
            let lock = try? FolderLock.take(home)
            reader.close(isAlone: lock != nil)
            lock?.release()
        }
        do {
            return try DatabaseCopy.make(
                of: reader.queue, at: target, finish: { try finish($0, of: service, source) }, tell: tell)
        } catch { throw SQLiteDatabase.translate(error, isDamage(error) ? source : target) }
    }

    /// What is damaged came from the source; everything else is of the copy.
    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    private static func finish(_ copy: Database, of service: StoredService, _ source: String) throws {
        try copy.checkIntegrity(of: source)
        guard try StoredService.owner(of: copy) == service else {
            throw EnergyError(.invalidInput, "\(source) holds nothing that \(service.rawValue) has stored")
        }
        // As the ingestor's own backups: put in the log's place by hand, it is another log all the same. One of an
        // older version has no identity yet.
        if service == .eventIngestor, try copy.tableExists("log_identity") { try EventLogSchema.renewIdentity(copy) }
    }
}
