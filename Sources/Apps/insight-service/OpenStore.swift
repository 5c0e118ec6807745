import EnergyModel
import EnergyStore
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(allAnswer: false)

/// Opens the store that the settings name, and closes it with the service. Of replicas that share one this returns for one at a
/// time.
func openStore(_ host: ServiceHost) async throws -> any InsightStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLInsightStore(connection) { [logger = host.logger] in
            logger.noteStore(away: $0.reason)
        }
        host.onClose("insight store") { await store.close() }
        try await host.lead { store.lease(holder: $0) }
        return store
    }
    let store = try SQLiteInsightStore(path: host.state.file(StoredService.insightService.sqliteFile))
    host.onClose("insight store") { try store.close() }
    return store
}
