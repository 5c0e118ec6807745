internal import EnergyModel
internal import EnergyStore

/// The place of a service's database, in which another one may be put: the service cannot start before it is released.
struct HeldStore {
    let service: StoredService
    /// The service's state directory.
    let folder: String
    private let lock: FolderLock

    /// - Parameter state: the state directory, or the folder that it is in.
    /// - Throws: as `StoreRestorer.check`.
    init(_ service: StoredService, in state: String) throws(EnergyError) {
        let folder = try StateFolder.ready(for: service, in: state)
        try Self.check("\(folder)/\(service.sqliteFile)", of: service)
        guard let lock = try FolderLock.take(folder) else {
            throw EnergyError(.conflict, "\(service.rawValue) uses \(folder); stop it first")
        }
        (self.service, self.folder, self.lock) = (service, folder, lock)
    }

    var database: String { "\(folder)/\(service.sqliteFile)" }

    /// Lets the service have it.
    func release() { lock.release() }

    private static func check(_ database: String, of service: StoredService) throws(EnergyError) {
        guard !DatabaseFiles.isFolder(database) else {
            throw EnergyError(
                .conflict, "\(database) is a folder, where \(service.rawValue) keeps its database: move it away first")
        }
        guard !MovedMark.isBeside(database) else {
            throw EnergyError(
                .conflict,
                "\(database) was moved to PostgreSQL, where \(service.rawValue) goes on: remove "
                    + "\(MovedMark.path(of: database)) to have it go on with a backup")
        }
    }
}
