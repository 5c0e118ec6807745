import EnergyModel
import EnergyStore
import Logging
import PostgreSQLStore
import SQLiteStore
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(replicas: .work)

/// Opens the log that the settings name, and closes it with the service.
func openLog(_ host: ServiceHost) async throws -> any EventLogStore & KnownTokenStore & DocumentStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLEventLogStore(
            connection, connectionsMax: host.configuration[StoreKeys.connections], waitsForServer: true
        ) { [weak host] in
            host?.noteStore(away: $0.reason)
        }
        // Whether it is there is known also while nobody sends.
        host.run("store") {
            while !Task.isCancelled {
                await store.lookForServer()
                try await ContinuousClock().sleep(for: .seconds(2))
            }
        }
        host.onClose("event log") { await store.close() }
        return store
    }
    let store = try SQLiteEventLogStore(path: host.state.file(StoredService.eventIngestor.sqliteFile))
    if let foreign = store.foreignLog {
        host.logger.warning(
            "a write-ahead log of another database lay beside the event log and was moved away",
            metadata: ["file": "\(foreign)"])
    }
    host.onClose("event log") { try store.close() }
    return store
}
