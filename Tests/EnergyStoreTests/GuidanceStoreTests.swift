import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import PostgreSQLStore
import SQLiteStore
import Testing

@Suite struct GuidanceStoreTests {
    @Test(arguments: GuidanceStoreConformance.checks)
    func `the store in memory conforms`(check: GuidanceStoreConformance.Check) async throws {
        try await check.run(InMemoryGuidanceStore())
    }

    @Test(arguments: GuidanceStoreConformance.checks)
    func `the store on SQLite conforms`(check: GuidanceStoreConformance.Check) async throws {
        try await withFile { path in
            let store = try SQLiteGuidanceStore(path: path)
            try await check.run(store)
            try store.close()
        }
    }

    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"),
        arguments: GuidanceStoreConformance.checks)
    func `the store on PostgreSQL conforms`(check: GuidanceStoreConformance.Check) async throws {
        let store = try await PostgreSQLGuidanceStore(PostgreSQLServer.shared.value.database())
        try await check.run(store)
        await store.close()
    }

    @Test func `everything survives a restart`() async throws {
        try await withFile { path in
            let (venue, plan) = (
                try GuidanceStoreConformance.venue("Home", homes: [UUID()]), try GuidanceStoreConformance.ratePlan("A")
            )
            let key = [UInt8](repeating: 7, count: 32)
            let first = try SQLiteGuidanceStore(path: path)
            try await first.putVenue(venue)
            try await first.putRatePlan(plan)
            _ = try await first.tokenKey(orNew: key)
            let number = try await first.venueNumbers()[venue.id]
            try await first.addAsker("car", venueID: venue.id, at: GuidanceStoreConformance.start)
            let record = GuidanceStoreConformance.record(hour: 0, 123.456)
            try await first.recordSignals([record], region: "CISO", learned: GuidanceStoreConformance.start)
            let progress = SourceProgress(reached: GuidanceStoreConformance.start, missing: record.interval)
            try await first.putSourceProgress(progress, source: "web:a")
            try first.close()

            let second = try SQLiteGuidanceStore(path: path)
            #expect(try await second.venues() == [venue])
            #expect(try await second.ratePlans() == [plan])
            #expect(try await second.tokenKey(orNew: []) == key)
            #expect(try await second.venueNumbers() == [venue.id: number])
            #expect(try await second.askers(venueID: venue.id) == ["car"])
            #expect(
                try await second.signals(region: "CISO", in: record.interval, revision: .whenItHappened) == [record])
            #expect(try await second.sourceProgress("web:a") == progress)
            try second.close()
            // It holds a key.
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
        }
    }

    private func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guidance-store-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "guidance.sqlite").path)
    }
}
