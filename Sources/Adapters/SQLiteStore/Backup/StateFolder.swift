internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Where a service keeps its database: in the folder that was named, or in the one with the service's name in it.
enum StateFolder {
    /// A file that every service which stores something makes at its start, whatever it stores in.
    private static let ofAnyService = "publisher-id"

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
    /// - Throws: `.notFound` when there is none, with what would be one; `.unavailable` when this user cannot look.
    static func ready(for service: StoredService, in state: String) throws(EnergyError) -> String {
        let folders = folders(of: service, in: state)
        let folder = folders.first(where: DatabaseFiles.isFolder) ?? folders[1]
        guard let names = Self.names(in: folder) else {
            guard !DatabaseFiles.isFolder(folder) else { throw unreadable(folder) }
            throw EnergyError(
                .notFound, "there is no folder \(folder): name the one with the services' state directories")
        }
        if let other = StoredService.allCases.first(where: { $0 != service && names.contains($0.sqliteFile) }) {
            throw EnergyError(
                .notFound, "\(folder) is the state directory of \(other.rawValue), not of \(service.rawValue)")
        }
        if let foreign = names.filter({ $0.hasSuffix(".sqlite") && $0 != service.sqliteFile }).min() {
            throw EnergyError(.notFound, "\(folder) has \(foreign) in it, which is no database of \(service.rawValue)")
        }
        guard names.contains(service.sqliteFile) || names.contains(ofAnyService) || isNew(folder, names, for: service)
        else { throw refusal(of: folder, for: service, wanted: folders[0]) }
        return folder
    }

    /// Whether it is some service's state directory, by what is in it.
    static func isState(_ folder: String) -> Bool {
        let names = Self.names(in: folder) ?? []
        return names.contains(ofAnyService) || StoredService.allCases.contains { names.contains($0.sqliteFile) }
    }

    /// Whether a folder was made for a service that has stored nothing yet, as on a new disk: its name says so, and it
    /// is empty, or a service or a restore has had it before.
    private static func isNew(_ folder: String, _ names: Set<String>, for service: StoredService) -> Bool {
        guard isNamed(folder, for: service) else { return false }
        return names.contains("lock") || names.isSubset(of: ["lost+found"])
    }

    private static func isNamed(_ folder: String, for service: StoredService) -> Bool {
        URL(filePath: folder).lastPathComponent == service.rawValue
    }

    private static func refusal(of folder: String, for service: StoredService, wanted: String) -> EnergyError {
        let name = service.rawValue
        guard !isNamed(folder, for: service) else {
            return EnergyError(
                .notFound, "\(folder) is no state directory of \(name): what is in it is of something else")
        }
        return EnergyError(
            .notFound,
            "\(folder) is no state directory of \(name), and has none in it. Is it new? Start \(name) once and "
                + "stop it, or make the folder \(wanted) for its user")
    }

    /// `nil` when it cannot be read.
    private static func names(in folder: String) -> Set<String>? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)).map { Set($0) }
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
