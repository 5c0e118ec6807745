public import EnergyModel

/// Copies what services store into files from which it can be restored, while they go on.
public protocol StoreBackupMaker: Sendable {
    /// Those that have stored something, in the order in which they are declared.
    ///
    /// - Parameter state: the folder with the services' state directories, or the one of a single service.
    /// - Throws: ``EnergyError`` `.notFound` when there is no such folder; `.unavailable` when it cannot be read.
    func services(in state: String) throws(EnergyError) -> [StoredService]

    /// Looks whether copies may be put into a folder, which may be missing yet.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` for a service's state directory, where copies would be taken for what
    ///   the service stores, and be lost with it.
    func checkTarget(_ folder: String) throws(EnergyError)

    /// Copies a service's store, as it is at one moment, and checks the copy. The store stays as it is.
    ///
    /// - Parameters:
    ///   - state: as for ``services(in:)``.
    ///   - folder: gets the copy; it is made if only it is missing.
    ///   - now: names the copy.
    ///   - tell: hears which part of it is copied, 0 to 1.
    /// - Throws: ``EnergyError`` `.notFound` where the service has stored nothing, or `folder` cannot be; `.conflict`
    ///   when the store was moved elsewhere, or there is such a copy already; `.dataLoss` when the store is damaged;
    ///   `.invalidInput` when the file is no store of that service, and as ``checkTarget(_:)``; `.unavailable` when
    ///   something cannot be read or written.
    func backUp(
        _ service: StoredService, in state: String, to folder: String, now: Timestamp,
        tell: @escaping @Sendable (_ part: Double) -> Void
    ) async throws(EnergyError) -> StoreBackup
}

/// A copy of what a service stores.
public struct StoreBackup: Hashable, Sendable {
    public let service: StoredService
    public let file: String
    /// Of the file.
    public let bytes: Int

    public init(service: StoredService, file: String, bytes: Int) {
        (self.service, self.file, self.bytes) = (service, file, bytes)
    }
}
