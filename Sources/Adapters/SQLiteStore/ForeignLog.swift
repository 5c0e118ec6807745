internal import Foundation

/// A write-ahead log that belongs to another database than the one it lies beside.
///
/// Who puts a backup in a database's place and leaves the old `-wal` file there has SQLite replay it onto the backup,
/// which is damaged by it. SQLite cannot tell. We can: a backup of ours is in another mode than a database that has a
/// write-ahead log, which says so in the header of its file.
enum ForeignLog {
    /// Whether there is one.
    static func lies(beside path: String) throws -> Bool {
        guard DatabaseFiles.size(path + "-wal") > 0, let handle = FileHandle(forReadingAtPath: path) else {
            return false
        }
        defer { try? handle.close() }
        // https://www.sqlite.org/fileformat.html#the_database_header: bytes 18 and 19 are 2 with a write-ahead log.
        guard let header = try handle.read(upToCount: 100), header.count == 100 else { return false }
        return header.starts(with: Array("SQLite format 3\0".utf8)) && header[18] == 1 && header[19] == 1
    }

    /// Moves such a file away.
    ///
    /// - Returns: where it is now; `nil` when there is none.
    static func setAside(beside path: String) throws -> String? {
        guard try lies(beside: path) else { return nil }
        let log = path + "-wal"
        let free = (1...).lazy.map { "\(log).foreign-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) }
        guard let free else { return nil }
        try FileManager.default.moveItem(atPath: log, toPath: free)
        try? FileManager.default.removeItem(atPath: path + "-shm")
        return free
    }
}
