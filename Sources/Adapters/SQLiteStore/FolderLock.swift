internal import EnergyModel
internal import Foundation

/// The lock that a service holds on its state directory as long as it runs.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` while a service has it.
    static func take(_ folder: String) throws(EnergyError) -> FolderLock? {
        let descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EnergyError(.unavailable, "\(folder) cannot be written by this user") }
        // Also if nothing comes of it: the service must be able to take it.
        FileOwner.handOver("\(folder)/lock", toOwnerOf: folder)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FolderLock(descriptor: descriptor)
    }

    /// Whether no service has it now.
    static func isFree(_ folder: String) throws(EnergyError) -> Bool {
        guard let lock = try take(folder) else { return false }
        lock.release()
        return true
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Lets the service have it. Otherwise it is held as long as this is there.
    func release() { flock(descriptor, LOCK_UN) }
}

enum FileOwner {
    /// Who works on a service's files is often root, and the service is not.
    static func handOver(_ file: String, toOwnerOf folder: String) {
        var owner = stat()
        guard stat(folder, &owner) == 0 else { return }
        _ = chown(file, owner.st_uid, owner.st_gid)
    }
}
