import EnergyModel
import EnergyStore
import Foundation
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(allAnswer: false)

/// Opens the store that the settings name, and closes it with the service. Of replicas that share one this returns for one at a
/// time.
func openStore(_ host: ServiceHost) async throws -> any GuidanceStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        // What is wrong with the settings is told now, not when it takes over from another replica.
        let sources = try await SourceSettings.read(
            host.configuration, environment: ProcessInfo.processInfo.environment)
        _ = try await GuidanceSettings.read(host.configuration, sources: sources, now: host.clock.now)
        let store = try await PostgreSQLGuidanceStore(connection) { [logger = host.logger] in
            logger.noteStore(away: $0.reason)
        }
        host.onClose("guidance store") { await store.close() }
        try await host.lead { store.lease(holder: $0) }
        return store
    }
    let store = try SQLiteGuidanceStore(path: host.state.file(StoredService.guidancePublisher.sqliteFile))
    host.onClose("guidance store") { try store.close() }
    return store
}
