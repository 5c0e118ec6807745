internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Where a service keeps its database: in the folder that was named, or in the one with the service's name in it.
enum StateFolder {
    /// - Returns: the same from wherever it is looked at; `nil` where there is no database of the service.
    /// - Throws: `.unavailable` when this user cannot look.
    static func holding(_ service: StoredService, in state: String) throws(EnergyError) -> String? {
        let folders = folders(of: service, in: state)
        for folder in folders where FileManager.default.fileExists(atPath: folder) {
            guard FileManager.default.isExecutableFile(atPath: folder) else { throw unreadable(folder) }
        }
        return folders.first { FileManager.default.fileExists(atPath: "\($0)/\(service.sqliteFile)") }
    }

    /// The service's state directory, whether there is a database in it or not. A slip must not make a store somewhere.
    ///
    /// - Throws: `.notFound` when there is none; `.unavailable` when this user cannot look.
    static func ready(for service: StoredService, in state: String) throws(EnergyError) -> String {
        let folders = folders(of: service, in: state)
        let folder = folders.first(where: DatabaseFiles.isFolder) ?? state
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            guard DatabaseFiles.isFolder(folder) else { throw EnergyError(.notFound, "there is no folder \(folder)") }
            throw unreadable(folder)
        }
        let isNamed = folder == folders.first
        let isOthers = names.contains { $0.hasSuffix(".sqlite") && $0 != service.sqliteFile }
        let isOurs =
            isNamed || names.isEmpty || names.contains(service.sqliteFile) || names.contains("publisher-id")
        guard isOurs && !isOthers else {
            throw EnergyError(.notFound, "\(folder) is no state directory of \(service.rawValue), and has none in it")
        }
        return folder
    }

    /// The one with the service's name first.
    private static func folders(of service: StoredService, in state: String) -> [String] {
        let state = URL(filePath: state).standardizedFileURL.path
        return ["\(state)/\(service.rawValue)", state]
    }

    private static func unreadable(_ folder: String) -> EnergyError {
        EnergyError(.unavailable, "\(folder) cannot be read by this user")
    }
}
