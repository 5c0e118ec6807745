import EnergyModel
import EnergyStore
import EnergyWire
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(replicas: .follow)

/// What an insight-service answers of what another counts.
private let answeredWhileFollowing: Set<String> = [
    Methods.queryInsights.name, Methods.querySessions.name, Methods.sumSavings.name, Methods.queryActivity.name,
    Methods.listRepairs.name, Methods.exportData.name,
]

/// Opens the store that the settings name, and closes it with the service. Of replicas that share one, one counts and repairs; all
/// answer.
func openStore(_ host: ServiceHost) async throws -> any InsightStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLInsightStore(
            connection, connectionsMax: host.configuration[StoreKeys.connections], waitsForServer: true
        ) { [weak host] in
            host?.noteStore(away: $0.reason)
        }
        host.onClose("insight store") { await store.close() }
        try await host.follow(by: { store.lease(holder: $0) }, answering: answeredWhileFollowing)
        return store
    }
    let store = try SQLiteInsightStore(path: host.state.file(StoredService.insightService.sqliteFile))
    host.onClose("insight store") { try store.close() }
    return store
}
