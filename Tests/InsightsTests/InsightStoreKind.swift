import EnergyStore
import EnergyTestSupport
import PostgreSQLStore
import SQLiteStore

/// The stores that insights are counted into.
enum InsightStoreKind: CaseIterable {
    case inMemory, sqlite, postgreSQL

    static var allCases: [InsightStoreKind] {
        [.inMemory, .sqlite] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])
    }

    func run(_ body: (any InsightStore) async throws -> Void) async throws {
        switch self {
        case .inMemory: try await body(InMemoryInsightStore())
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
            try await body(store)
            try store.close()
        case .postgreSQL:
            try await PostgreSQLServer.withDatabase { connection in
                let store = try await PostgreSQLInsightStore(connection, timeout: .seconds(60))
                try await body(store)
                await store.close()
            }
        }
    }
}

func withStore(_ kind: InsightStoreKind, _ body: (any InsightStore) async throws -> Void) async throws {
    try await kind.run(body)
}
