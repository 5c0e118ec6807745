import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import PostgreSQLStore
import Testing

@Suite struct GuidanceJournalTests {
    @Test(arguments: GuidanceJournalConformance.checks)
    func `the journal in memory conforms`(check: GuidanceJournalConformance.Check) async throws {
        try await check.run(InMemoryGuidanceJournal())
    }

    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"),
        arguments: GuidanceJournalConformance.checks)
    func `the journal on PostgreSQL conforms`(check: GuidanceJournalConformance.Check) async throws {
        let store = try await PostgreSQLGuidanceStore(PostgreSQLServer.shared.value.database())
        try await check.run(store)
        await store.close()
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `who does not lead cannot write, but notes who asked, and reads the key`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let stores = [try await PostgreSQLGuidanceStore(connection), try await PostgreSQLGuidanceStore(connection)]
        let leases = stores.map { $0.lease(holder: UUID()) }
        #expect(try await leases[0].take())
        #expect(try await !leases[1].take())
        let now = Timestamp(unixMilliseconds: 1_790_000_000_000)
        let epoch = try await stores[0].begin(now: now)
        await #expect(throws: EnergyError.self) { _ = try await stores[1].begin(now: now) }
        let entry = NumberedEntry(number: 1, entry: .demandResponse)
        await #expect(throws: EnergyError.self) { try await stores[1].append([entry], at: now) }
        let venue = try GuidanceStoreConformance.venue("Home")
        await #expect(throws: EnergyError.self) { try await stores[1].putVenue(venue) }
        #expect(try await stores[1].entries(after: nil) == JournalPage(epoch: epoch, entries: []))
        let key = try await stores[0].tokenKey(orNew: [UInt8](repeating: 7, count: 32))
        #expect(try await stores[1].tokenKey(orNew: []) == key)
        try await stores[1].addAsker("car", venueID: venue.id, at: now)
        #expect(try await stores[0].askers(venueID: venue.id) == ["car"])
        for store in stores { await store.close() }
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `of an erased venue the journal keeps nothing`() async throws {
        let store = try await PostgreSQLGuidanceStore(PostgreSQLServer.shared.value.database())
        let venue = try GuidanceStoreConformance.venue("Home")
        try await store.putVenue(venue)
        _ = try await store.begin(now: GuidanceStoreConformance.start)
        let published = PublishedGuidance(document: [1], venues: [PublishedVenue(id: venue.id, sequence: 1)])
        try await store.append(
            [NumberedEntry(number: 1, entry: .guidance(published))], at: GuidanceStoreConformance.start)
        _ = try await store.eraseVenue(venue.id)
        #expect(try await store.entries(after: nil)?.entries == [])
        await store.close()
    }
}
