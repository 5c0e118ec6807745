public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB

/// Restores the log of an ingestor that keeps it with ``SQLiteEventLogStore`` in `events.sqlite`.
public struct SQLiteLogRestorer: LogRestorer {
    private static let companions = ["-wal", "-shm", "-journal"]

    public init() {}

    @concurrent
    public func restore(
        _ backup: String, into folder: String, now: Timestamp,
        writingDown: @Sendable (() throws(EnergyError) -> RestoredLog) throws(EnergyError) -> RestoredLog
    ) async throws(EnergyError) -> RestoredLog {
        try Self.check(folder)
        guard let lock = try FolderLock.take(folder) else {
            throw EnergyError(.conflict, "an event-ingestor uses \(folder); stop it first")
        }
        defer { lock.release() }
        return try writingDown { () throws(EnergyError) in try Self.replace(in: folder, by: backup, now: now) }
    }

    private static func replace(
        in folder: String, by backup: String, now: Timestamp
    ) throws(EnergyError) -> RestoredLog {
        let target = "\(folder)/events.sqlite"
        guard FileManager.default.fileExists(atPath: backup) else {
            throw EnergyError(.notFound, "there is no file \(backup)")
        }
        let draft = target + ".restoring"
        defer { remove(draft) }
        remove(draft)
        try copy(backup, to: draft)
        let records = try prepare(draft, from: backup)
        do {
            let replaced = try keep(target, now: now)
            FileOwner.handOver(draft, toOwnerOf: folder)
            // The one moment that counts. What is left of the old log after a crash here is told by its header to be no
            // part of the new one: see ForeignLog.
            try rename(draft, to: target)
            for companion in companions { unlink(target + companion) }
            flush(folder)
            return RestoredLog(file: target, records: records, replaced: replaced)
        } catch { throw EnergyError(.unavailable, "\(target) cannot be replaced: \(reason(error))") }
    }

    /// A slip must not make a log somewhere.
    private static func check(_ folder: String) throws(EnergyError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw EnergyError(.notFound, "there is no folder \(folder)")
        }
        let isOthers = names.contains { $0.hasSuffix(".sqlite") && $0 != "events.sqlite" }
        let isOurs = names.isEmpty || names.contains("events.sqlite") || names.contains("publisher-id")
        guard isOurs && !isOthers else {
            throw EnergyError(.notFound, "\(folder) is no state directory of an event-ingestor")
        }
    }

    /// - Returns: how many records it has.
    private static func prepare(_ draft: String, from backup: String) throws(EnergyError) -> Int {
        do {
            let database = try DatabaseQueue(path: draft)
            defer { try? database.close() }
            let migrator = EventLogSchema.migrator
            let records = try database.inDatabase { connection in
                guard try String.fetchOne(connection, sql: "PRAGMA integrity_check(1)") == "ok" else {
                    throw EnergyError(.dataLoss, "\(backup) is damaged: SQLite's integrity_check finds faults in it")
                }
                guard try connection.tableExists("log_record"), try connection.tableExists("log_head") else {
                    throw EnergyError(.invalidInput, "\(backup) is no backup of an event log")
                }
                guard try !migrator.hasBeenSuperseded(connection) else {
                    throw EnergyError(.invalidInput, "\(backup) was written by a newer version of this program")
                }
                return try Int.fetchOne(connection, sql: "SELECT count(*) FROM log_record") ?? 0
            }
            try migrator.migrate(database)
            try database.write(EventLogSchema.renewIdentity)
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            return records
        } catch let error as EnergyError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw EnergyError(.invalidInput, "\(backup) is no SQLite database")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw EnergyError(.dataLoss, "\(backup) is damaged: parts of it are missing or wrong")
        } catch { throw EnergyError(.unavailable, "\(backup) cannot be checked: \(reason(error))") }
    }

    /// With what is in its write-ahead log, should it be a database that was not closed.
    private static func copy(_ backup: String, to draft: String) throws(EnergyError) {
        do {
            for companion in ["", "-wal"] where FileManager.default.fileExists(atPath: backup + companion) {
                try FileManager.default.copyItem(atPath: backup + companion, toPath: draft + companion)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft + companion)
            }
            _ = try ForeignLog.setAside(beside: draft).map(FileManager.default.removeItem(atPath:))
        } catch { throw EnergyError(.unavailable, "\(backup) cannot be copied to \(draft): \(reason(error))") }
    }

    /// Gives the files of the log another name besides their own: until the backup takes their place, they are in theirs.
    private static func keep(_ target: String, now: Timestamp) throws -> String? {
        guard FileManager.default.fileExists(atPath: target) else { return nil }
        let kept = (now.unixMilliseconds...).lazy.map { "\(target).replaced-\($0)" }
            .first { !FileManager.default.fileExists(atPath: $0) }
        guard let kept else { throw CocoaError(.fileWriteFileExists) }
        for companion in ["", "-wal"] where FileManager.default.fileExists(atPath: target + companion) {
            // Not every file system has hard links.
            if link(target + companion, kept + companion) != 0 {
                try FileManager.default.copyItem(atPath: target + companion, toPath: kept + companion)
            }
        }
        return kept
    }

    private static func rename(_ draft: String, to target: String) throws {
        flush(draft)
        guard Foundation.rename(draft, target) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func remove(_ draft: String) { for part in [""] + companions { unlink(draft + part) } }

    /// Onto the disk, a file or the names in a folder.
    private static func flush(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DatabaseError).map { "SQLite says \($0.resultCode)" } ?? error.localizedDescription
    }
}
