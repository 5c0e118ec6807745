public import EnergyModel
public import EnergyStore
internal import Foundation

/// Restores what services store with ``SQLiteDatabase``, each in its state directory.
public struct SQLiteStoreRestorer: StoreRestorer {
    public init() {}

    @concurrent
    public func service(of backup: String) async throws(EnergyError) -> StoredService {
        try BackupFile(backup).service()
    }

    @concurrent
    public func restore(
        _ backup: String, of service: StoredService, into state: String, now: Timestamp,
        writingDown:
            @Sendable (
                _ folder: String, _ act: () throws(EnergyError) -> RestoredStore
            ) throws(EnergyError) -> RestoredStore
    ) async throws(EnergyError) -> RestoredStore {
        let folder = try StateFolder.ready(for: service, in: state)
        let backup = try BackupFile(backup)
        let target = "\(folder)/\(service.sqliteFile)"
        guard !MovedMark.isBeside(target) else {
            throw EnergyError(
                .conflict,
                "\(target) was moved to PostgreSQL, where \(service.rawValue) goes on: remove "
                    + "\(MovedMark.path(of: target)) to have it go on with a backup")
        }
        guard let lock = try FolderLock.take(folder) else {
            throw EnergyError(.conflict, "\(service.rawValue) uses \(folder); stop it first")
        }
        defer { lock.release() }
        return try writingDown(folder) { () throws(EnergyError) in
            try Self.replace(target, of: service, by: backup, now: now)
        }
    }

    private static func replace(
        _ target: String, of service: StoredService, by backup: BackupFile, now: Timestamp
    ) throws(EnergyError) -> RestoredStore {
        let draft = target + ".restoring"
        defer { DatabaseFiles.remove(draft) }
        DatabaseFiles.remove(draft)
        try backup.copy(to: draft)
        let records = try backup.prepare(draft, for: service)
        do {
            let replaced = try keep(target, now: now)
            FileOwner.handOver(draft, toOwnerOf: URL(filePath: target).deletingLastPathComponent().path)
            // The one moment that counts. What is left of the old store after a crash here is told by its header to be
            // no part of the new one: see ForeignLog.
            try DatabaseFiles.rename(draft, to: target)
            for companion in DatabaseFiles.companions { unlink(target + companion) }
            DatabaseFiles.flushFolder(of: target)
            return RestoredStore(service: service, file: target, records: records, replaced: replaced)
        } catch { throw EnergyError(.unavailable, "\(target) cannot be replaced: \(BackupFile.reason(error))") }
    }

    /// Gives the files of the store another name besides their own: until the backup takes their place, they are in
    /// theirs.
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
}
