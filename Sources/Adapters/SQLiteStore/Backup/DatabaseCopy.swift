internal import EnergyModel
internal import Foundation
internal import GRDB

/// A copy of a database that is complete by itself.
///
/// It is left in another mode than a database in use has (`PRAGMA journal_mode = DELETE`), so that a start can tell
/// that a write-ahead log beside it is not its own: see ``ForeignLog``.
enum DatabaseCopy {
    /// 4 MB of a database with pages of the usual size.
    private static let pagesPerStep: CInt = 1_024

    /// Copies a database, as it is at one moment, into a new file that has its name when all of it is on the disk.
    ///
    /// - Parameters:
    ///   - finish: looks at the copy, or changes it, before it gets its name.
    ///   - tell: hears which part is copied, 0 to 1.
    /// - Returns: the file's size in bytes.
    static func make(
        of source: any DatabaseReader, at target: String, finish: (Database) throws -> Void,
        tell: @escaping (_ part: Double) -> Void = { _ in }
    ) throws -> Int {
        let unfinished = target + ".unfinished"
        DatabaseFiles.remove(unfinished)
        defer { DatabaseFiles.remove(unfinished) }
        _ = FileManager.default.createFile(
            atPath: unfinished, contents: nil, attributes: [.posixPermissions: 0o600])
        let copy = try DatabaseQueue(path: unfinished)
        defer { try? copy.close() }
        try copy.writeWithoutTransaction { try fill($0, from: source, tell) }
        try copy.write(finish)
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try copy.close()
        try DatabaseFiles.rename(unfinished, to: target)
        DatabaseFiles.flushFolder(of: target)
        return Int(DatabaseFiles.size(target))
    }

    private static func fill(
        _ copy: Database, from source: any DatabaseReader, _ tell: @escaping (_ part: Double) -> Void
    ) throws {
        try source.read { connection in
            // From its first look on the transaction sees one moment. Without, a commit between two steps would begin
            // the copy anew, again and again.
            _ = try Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_master")
            try connection.backup(to: copy, pagesPerStep: pagesPerStep) { progress in
                tell(Double(progress.completedPageCount) / Double(max(progress.totalPageCount, 1)))
            }
        }
    }
}

extension Database {
    /// - Parameter file: is named in what is thrown.
    /// - Throws: ``EnergyError`` `.dataLoss` when it is not whole.
    func checkIntegrity(of file: String) throws {
        guard try String.fetchOne(self, sql: "PRAGMA integrity_check(1)") == "ok" else {
            throw EnergyError(.dataLoss, "\(file) is damaged: SQLite's integrity_check finds faults in it")
        }
    }
}
