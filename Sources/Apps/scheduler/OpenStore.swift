import EnergyModel
import EnergyStore
import Logging
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(replicas: .standBy)

/// Opens the store that the settings name, and closes it with the service. Of replicas that share one this returns for one at a
/// time.
func openStore(_ host: ServiceHost) async throws -> any ScheduleStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLScheduleStore(connection) { [weak host] in
            host?.noteStore(away: $0.reason, serves: true)
        }
        host.onClose("schedule store") { await store.close() }
        try await host.lead { store.lease(holder: $0) }
        return store
    }
    let store = try SQLiteScheduleStore(path: host.state.file(StoredService.scheduler.sqliteFile))
    host.onClose("schedule store") { try store.close() }
    return store
}
