public import EnergyModel

/// Puts backups in the place of what services store, while these are stopped.
public protocol StoreRestorer: Sendable {
    /// Whose store a file is a backup of: what is in it says so, whatever the file is called.
    ///
    /// - Throws: ``EnergyError`` `.notFound`; `.invalidInput` for a file of something else; `.dataLoss` when it is
    ///   damaged; `.unavailable` when it cannot be read.
    func service(of backup: String) async throws(EnergyError) -> StoredService

    /// Checks the backup, keeps the store that is there under another name, and puts the backup in its place: all of
    /// that, or nothing. A log becomes another log to who followed it.
    ///
    /// - Parameters:
    ///   - backup: the file; it stays as it is.
    ///   - service: whose store it is to be a backup of.
    ///   - state: the service's state directory, or the folder that it is in under the service's name.
    ///   - now: names what is kept.
    ///   - writingDown: carries out what it is given, while the service cannot use the folder that it is told, and
    ///     writes down before and after that it did. What it throws before is the restorer's failure, and nothing is done.
    /// - Throws: ``EnergyError`` `.conflict` while the service runs, or when its store was moved elsewhere; `.dataLoss`
    ///   when the backup is damaged; `.invalidInput` when it is no backup of that service, or of a newer version;
    ///   `.notFound`; `.unavailable` when a file cannot be written. The store is as it was then.
    func restore(
        _ backup: String, of service: StoredService, into state: String, now: Timestamp,
        writingDown:
            @Sendable (
                _ folder: String, _ act: () throws(EnergyError) -> RestoredStore
            ) throws(EnergyError) -> RestoredStore
    ) async throws(EnergyError) -> RestoredStore
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
