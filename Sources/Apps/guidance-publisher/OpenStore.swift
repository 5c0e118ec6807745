import EnergyModel
import EnergyStore
import EnergyWire
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(replicas: .follow)

/// What a publisher answers of what another makes.
private let answeredWhileFollowing: Set<String> = [
    Methods.getGuidance.name, Methods.resolveToken.name, Methods.listVenues.name, Methods.getVenue.name,
    Methods.listRatePlans.name, Methods.listDemandResponse.name, Methods.signalHistory.name, Methods.exportData.name,
]

struct OpenedStore: Sendable {
    let store: any GuidanceStore & DocumentStore
    /// `nil` where there is one publisher.
    var journal: (any GuidanceJournal)?
}

/// Opens the store that the settings name, and closes it with the service. Of replicas that share one, one makes guidance; all
/// publish it and answer for it.
func openStore(_ host: ServiceHost) async throws -> OpenedStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLGuidanceStore(
            connection, connectionsMax: host.configuration[StoreKeys.connections], waitsForServer: true
        ) { [weak host] in
            host?.noteStore(away: $0.reason, serves: true)
        }
        host.onClose("guidance store") { await store.close() }
        try await host.follow(by: { store.lease(holder: $0) }, answering: answeredWhileFollowing)
        return OpenedStore(store: store, journal: store)
    }
    let store = try SQLiteGuidanceStore(path: host.state.file(StoredService.guidancePublisher.sqliteFile))
    host.onClose("guidance store") { try store.close() }
    return OpenedStore(store: store)
}
