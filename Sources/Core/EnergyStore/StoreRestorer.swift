public import EnergyModel

/// Puts backups in the place of what services store, while these are stopped.
public protocol StoreRestorer: Sendable {
    /// Whose store a file is a backup of: what is in it says so, whatever the file is called.
    ///
    /// - Throws: ``EnergyError`` `.notFound` when there is no such file, or it is a folder; `.invalidInput` for a file
    ///   of something else; `.dataLoss` when it is damaged; `.unavailable` when it cannot be read.
    func service(of backup: String) async throws(EnergyError) -> StoredService

    /// Looks whether a backup could take the place of a service's store now. The store stays as it is.
    ///
    /// - Parameter state: the service's state directory, or the folder that it is in under the service's name.
    /// - Throws: ``EnergyError`` `.conflict` while the service runs, when its store was moved elsewhere, or a folder
    ///   stands in its place; `.notFound` where there is no state directory of the service; `.unavailable` when it
    ///   cannot be read or written.
    func check(_ service: StoredService, in state: String) async throws(EnergyError)

    /// Checks the backup, and copies it next to the store, which stays as it is. A log becomes another log to who
    /// followed it.
    ///
    /// - Parameters:
    ///   - backup: the file; it stays as it is.
    ///   - service: whose store it is to be a backup of.
    ///   - state: as for ``check(_:in:)``.
    /// - Returns: what is to be ended. Until then the service cannot start.
    /// - Throws: as ``service(of:)`` and ``check(_:in:)``; `.invalidInput` also when it is no backup of that service,
    ///   or of a newer version; `.unavailable` also when the copy cannot be written.
    func prepare(
        _ backup: String, of service: StoredService, into state: String
    ) async throws(EnergyError) -> any PreparedRestore
}

/// A copy of a backup that is ready to take the place of a service's store.
public protocol PreparedRestore: Sendable {
    /// The service's state directory.
    var folder: String { get }

    /// Keeps the store that is there under another name, and puts the copy in its place: both, or nothing. Only once.
    ///
    /// - Parameter now: names what is kept.
    /// - Throws: ``EnergyError`` `.unavailable` when a file cannot be written. The store is as it was then.
    func putInPlace(now: Timestamp) throws(EnergyError) -> RestoredStore

    /// Removes a copy that was not put in place, and lets the service have its folder.
    func end()
}

/// What was put in place of a service's store.
public struct RestoredStore: Hashable, Sendable {
    public let service: StoredService
    /// The database that the service will open.
    public let file: String
    /// How many records a log holds; `nil` of another store.
    public let records: Int?
    /// Where the database that was there is kept; `nil` when there was none.
    public let replaced: String?

    public init(service: StoredService, file: String, records: Int? = nil, replaced: String?) {
        (self.service, self.file, self.records, self.replaced) = (service, file, records, replaced)
    }
}
