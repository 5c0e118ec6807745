internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// A file that is to take the place of a service's database. It stays as it is.
struct BackupFile {
    /// As it was called, for messages.
    private let name: String
    /// Where it lies: a copy of a link would be the same file, and beside a link is not what is beside the file.
    private let path: String

    /// - Throws: `.notFound` when there is no such file, or it is a folder.
    init(_ name: String) throws(EnergyError) {
        guard FileManager.default.fileExists(atPath: name) else {
            throw EnergyError(.notFound, "there is no file \(name)")
        }
        guard !DatabaseFiles.isFolder(name) else {
            throw EnergyError(.notFound, "\(name) is a folder: name the file of the backup, which may be in it")
        }
        (self.name, self.path) = (name, URL(filePath: name).resolvingSymlinksInPath().path)
    }

    /// Whose it is.
    func service() throws(EnergyError) -> StoredService {
        do {
            let reader = try QuietReader(path)
            defer { reader.close(isAlone: true) }
            guard let service = try reader.queue.read({ try StoredService.owner(of: $0) }) else {
                throw EnergyError(.invalidInput, "\(name) is no backup of what a service stores")
            }
            return service
        } catch { throw refusal(error) }
    }

    /// With what is in its write-ahead log, should it be a database that was not closed.
    func copy(to draft: String) throws(EnergyError) {
        do {
            for companion in ["", "-wal"] where FileManager.default.fileExists(atPath: path + companion) {
                try FileManager.default.copyItem(atPath: path + companion, toPath: draft + companion)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft + companion)
            }
            _ = try ForeignLog.setAside(beside: draft).map(FileManager.default.removeItem(atPath:))
        } catch { throw EnergyError(.unavailable, "\(name) cannot be copied to \(draft): \(Self.reason(error))") }
    }

    /// Checks a copy of it, and makes it what the service's own program would make of it at its start.
    ///
    /// - Returns: how many records a log has; `nil` of another store.
    func prepare(_ draft: String, for service: StoredService) throws(EnergyError) -> Int? {
        do {
            let database = try DatabaseQueue(path: draft)
            defer { try? database.close() }
            try database.inDatabase { try check($0, for: service) }
            try service.schema.migrate(database)
            let records = try service == .eventIngestor ? database.write(makeAnotherLog) : nil
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            return records
        } catch { throw refusal(error) }
    }

    private func check(_ connection: Database, for service: StoredService) throws {
        try connection.checkIntegrity(of: name)
        guard let owner = try StoredService.owner(of: connection) else {
            throw EnergyError(.invalidInput, "\(name) is no backup of what a service stores")
        }
        guard owner == service else {
            throw EnergyError(.invalidInput, "\(name) is a backup of \(owner.rawValue), not of \(service.rawValue)")
        }
        guard try !service.schema.hasBeenSuperseded(connection) else {
            throw EnergyError(.invalidInput, "\(name) was written by a newer version of this program")
        }
    }

    private func makeAnotherLog(_ connection: Database) throws -> Int {
        try EventLogSchema.renewIdentity(connection)
        do { return try SQLiteEventLogStore.verifyRecords(connection) } catch let error as EnergyError {
            throw EnergyError(error.code, "\(name) is damaged: \(error.message)")
        }
    }

    private func refusal(_ error: any Error) -> EnergyError {
        switch error {
        case let error as EnergyError: error
        case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
            EnergyError(.invalidInput, "\(name) is no SQLite database")
        case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
            EnergyError(.dataLoss, "\(name) is damaged: parts of it are missing or wrong")
        default: EnergyError(.unavailable, "\(name) cannot be checked: \(Self.reason(error))")
        }
    }

    /// What is wrong, in words for who restores.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as EnergyError: error.message
        case let error as DatabaseError: "SQLite says \(error.resultCode)"
        default: error.localizedDescription
        }
    }
}
