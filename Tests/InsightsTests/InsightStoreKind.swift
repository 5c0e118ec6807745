import EnergyStore
import EnergyTestSupport
import SQLiteStore

/// The stores that insights are counted into.
enum InsightStoreKind: CaseIterable { case inMemory, sqlite }

func withStore(_ kind: InsightStoreKind, _ body: (any InsightStore) async throws -> Void) async throws {
    guard kind == .sqlite else { return try await body(InMemoryInsightStore()) }
    let folder = try TemporaryFolder()
    let store = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
    try await body(store)
    try store.close()
}
