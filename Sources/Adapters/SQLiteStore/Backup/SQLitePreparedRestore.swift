internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// A backup's copy beside the database whose place it is to take, checked and of this version.
struct SQLitePreparedRestore: PreparedRestore {
    private let store: HeldStore
    /// The copy.
    private let draft: String
    /// How many a log has; `nil` of another store.
    private let records: Int?

    var folder: String { store.folder }

    /// - Parameter store: is released when this throws.
    init(_ backup: BackupFile, of store: HeldStore) throws(EnergyError) {
        let draft = store.database + ".restoring"
        do throws(EnergyError) {
            // Of a restore that was killed.
            DatabaseFiles.remove(draft)
            try backup.copy(to: draft)
            records = try backup.prepare(draft, for: store.service)
        } catch {
            DatabaseFiles.remove(draft)
            store.release()
            throw error
        }
        (self.store, self.draft) = (store, draft)
    }

    func putInPlace(now: Timestamp) throws(EnergyError) -> RestoredStore {
        let target = store.database
        var kept: String?
        do {
            kept = try Self.nameOfKept(target, now: now)
            if let kept { try Self.keep(target, as: kept) }
            FileOwner.handOver(draft, toOwnerOf: folder)
            // The one moment that counts. What is left of the old store after a crash here is told by its header to be
            // no part of the new one: see ForeignLog.
            try DatabaseFiles.rename(draft, to: target)
        } catch {
            // The store has its own name still: another one says that it was replaced.
            if let kept { DatabaseFiles.remove(kept) }
            throw EnergyError(.unavailable, "\(target) cannot be replaced: \(BackupFile.reason(error))")
        }
        for companion in DatabaseFiles.companions { unlink(target + companion) }
        DatabaseFiles.flushFolder(of: target)
        return RestoredStore(service: store.service, file: target, records: records, replaced: kept)
    }

    func end() {
        DatabaseFiles.remove(draft)
        store.release()
    }

    /// - Returns: `nil` where there is nothing to keep.
    private static func nameOfKept(_ target: String, now: Timestamp) throws -> String? {
        guard FileManager.default.fileExists(atPath: target) else { return nil }
        let free = (now.unixMilliseconds...).lazy.map { "\(target).replaced-\($0)" }
            .first { !FileManager.default.fileExists(atPath: $0) }
        guard let free else { throw CocoaError(.fileWriteFileExists) }
        return free
    }

    /// Gives the files of the store another name besides their own: until the backup takes their place, they are in
    /// theirs.
    private static func keep(_ target: String, as kept: String) throws {
        for companion in ["", "-wal"] where FileManager.default.fileExists(atPath: target + companion) {
            // Not every file system has hard links.
            if link(target + companion, kept + companion) != 0 {
                try FileManager.default.copyItem(atPath: target + companion, toPath: kept + companion)
            }
        }
    }
}
