import EnergyStore
import EnergyTestSupport
import PostgreSQLStore
import SQLiteStore

/// The stores that a promise of the log is tried on.
enum LogKind: CaseIterable {
    case memory, sqlite, postgreSQL

    static var allCases: [LogKind] {
        [.memory, .sqlite] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])
    }

    func run(_ body: (any EventLogStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(InMemoryEventLogStore())
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
            try await body(store)
            try store.close()
        case .postgreSQL:
            let store = try await PostgreSQLEventLogStore(
                PostgreSQLServer.shared.value.database(), timeout: .seconds(60))
            try await body(store)
            await store.close()
        }
    }
}
