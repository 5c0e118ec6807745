import EnergyModel
import EnergyStore
import EnergyTransport
import EnergyWire
import Foundation
import PostgreSQLStore
import SQLiteStore
import Scheduling
import ServiceRuntime

let storeKey = StoreKeys.postgreSQL(replicas: .divide)

/// Where the scheduler stores what it plans.
enum OpenStore {
    case own(SQLiteScheduleStore)
    /// With replicas.
    case shared(PostgreSQLScheduleStore)

    var documents: any DocumentStore {
        switch self {
        case .own(let store): store
        case .shared(let store): store
        }
    }

    func partitions(_ partitions: Set<Int>) -> any ScheduleStore {
        switch self {
        case .own(let store): store
        case .shared(let store): store.partitions(partitions)
        }
    }
}

/// Opens the store that the settings name, and closes it with the service.
func openStore(_ host: ServiceHost) async throws -> OpenStore {
    if let connection = host.configuration[storeKey] {
        let store = try await PostgreSQLScheduleStore(
            connection, connectionsMax: host.configuration[StoreKeys.connections], waitsForServer: true
        ) { [weak host] in
            host?.noteStore(away: $0.reason, serves: true)
        }
        host.onClose("schedule store") { await store.close() }
        return .shared(store)
    }
    let store = try SQLiteScheduleStore(path: host.state.file(StoredService.scheduler.sqliteFile))
    host.onClose("schedule store") { try store.close() }
    return .own(store)
}

/// Each partition that a replica has is planned by itself.
private struct PartitionPlanner: PartitionOwner {
    let scheduler: DividedScheduler
    let publisher: any Publisher

    func begin(_ partition: Int) async throws(EnergyError) { try await scheduler.begin([partition]) }
    func run(_ partition: Int) async { await scheduler.run([partition]) }
    func end(_ partition: Int) async {
        await scheduler.end([partition])
        // What is published of it from now on, and erased, another does.
        publisher.forgetPublications { topic in
            Topics.venueID(of: topic).map(LogPartition.of(venueID:)) == partition
        }
    }
}

extension ServiceHost {
    /// Plans all venues, or those of a share of the partitions where replicas share a store.
    func plan(_ scheduler: DividedScheduler, in store: OpenStore) async throws {
        switch store {
        case .own:
            try await scheduler.begin(LogPartition.all)
            run("planning") { await scheduler.run(LogPartition.all) }
        case .shared(let store):
            try await divide(
                by: { store.leases(holder: $0) }, with: PartitionPlanner(scheduler: scheduler, publisher: publisher))
        }
    }
}
