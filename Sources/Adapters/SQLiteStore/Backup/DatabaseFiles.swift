internal import EnergyModel
internal import Foundation

/// Databases as files: what lies beside one, and what makes a change of names last.
enum DatabaseFiles {
    /// What SQLite puts behind the name of a database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// With what lies beside it.
    static func remove(_ database: String) { for part in [""] + companions { unlink(database + part) } }

    /// Gives what is finished its name, at once. What had that name is gone.
    static func rename(_ draft: String, to target: String) throws(EnergyError) {
        let descriptor = open(draft, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(of: draft, errno) }
        let code = fsync(descriptor) == 0 ? 0 : errno
        close(descriptor)
        guard code == 0 else { throw refusal(of: draft, code) }
        guard Foundation.rename(draft, target) == 0 else { throw refusal(of: target, errno) }
    }

    /// Puts the names in a file's folder onto the disk, where the file system can.
    static func flushFolder(of file: String) {
        let folder = URL(filePath: file).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// 0 for one that is not there.
    static func size(_ path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// - Parameter code: the system's error number.
    static func refusal(of path: String, _ code: Int32) -> EnergyError {
        EnergyError(.unavailable, "\(path) cannot be written: \(reason(code))")
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
