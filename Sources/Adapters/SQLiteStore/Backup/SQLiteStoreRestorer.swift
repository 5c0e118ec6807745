public import EnergyModel
public import EnergyStore

/// Restores what services store with ``SQLiteDatabase``, each in its state directory.
public struct SQLiteStoreRestorer: StoreRestorer {
    public init() {}

    @concurrent
    public func service(of backup: String) async throws(EnergyError) -> StoredService {
        try BackupFile(backup).service()
    }

    @concurrent
    public func check(_ service: StoredService, in state: String) async throws(EnergyError) {
        try HeldStore(service, in: state).release()
    }

    @concurrent
    public func prepare(
        _ backup: String, of service: StoredService, into state: String
    ) async throws(EnergyError) -> any PreparedRestore {
        let backup = try BackupFile(backup)
        return try SQLitePreparedRestore(backup, of: HeldStore(service, in: state))
    }
}
