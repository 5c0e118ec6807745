import EnergyModel
import EnergyStore
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(isShared: false)

/// Opens the store that the settings name, and closes it with the service.
func openStore(_ host: ServiceHost) async throws(EnergyError) -> any GuidanceStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLGuidanceStore(connection) { [logger = host.logger] in
            logger.noteStore(away: $0.reason)
        }
        host.onClose("guidance store") { await store.close() }
        return store
    }
    let store = try SQLiteGuidanceStore(path: host.state.file("guidance.sqlite"))
    host.onClose("guidance store") { try store.close() }
    return store
}
