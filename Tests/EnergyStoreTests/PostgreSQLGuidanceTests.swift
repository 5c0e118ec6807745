import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// What the guidance store in PostgreSQL promises to several publishers, and where a commit's answer is lost.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLGuidanceTests {
    private typealias Conformance = GuidanceStoreConformance

    private func withStores(_ body: ([PostgreSQLGuidanceStore]) async throws -> Void) async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let stores = [
            try await PostgreSQLGuidanceStore(connection, timeout: .seconds(60)),
            try await PostgreSQLGuidanceStore(connection, timeout: .seconds(60)),
        ]
        try await body(stores)
        for store in stores { await store.close() }
    }

    /// Everything at once, by turns from each of the stores.
    private func together<Value: Sendable>(
        _ stores: [PostgreSQLGuidanceStore], count: Int,
        _ body: @escaping @Sendable (PostgreSQLGuidanceStore, Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask { try await body(stores[number % stores.count], number) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `publishers that start at once have one token key`() async throws {
        try await withStores { stores in
            let keys = try await together(stores, count: 8) { store, number in
                try await store.tokenKey(orNew: [UInt8](repeating: UInt8(number), count: 32))
            }
            #expect(Set(keys).count == 1)
            #expect(try await stores[1].tokenKey(orNew: []) == keys.first)
        }
    }

    @Test func `each venue has one number, and no number is left out, whoever makes it`() async throws {
        try await withStores { stores in
            let venues = try (0..<10).map { try Conformance.venue("Home \($0)") }
            // Each by both: one of them comes too late.
            let numbers = try await together(stores, count: 20) { store, number -> VenueNumber? in
                do { return try await store.putVenue(venues[number / 2]) } catch let error as EnergyError {
                    #expect(error.code == .conflict)
                    return nil
                }
            }
            #expect(numbers.compactMap(\.self).sorted() == Array(1...10))
            #expect(Set(try await stores[0].venueNumbers().values) == Set(1...10))
            #expect(try await stores[1].venues().count == 10)
        }
    }

    @Test func `a home that two venues want at once stands for one`() async throws {
        try await withStores { stores in
            let home = UUID()
            let taken = try await together(stores, count: 8) { store, number in
                do {
                    try await store.putVenue(try Conformance.venue("Home \(number)", homes: [home]))
                    return true
                } catch let error as EnergyError {
                    #expect(error.code == .conflict)
                    return false
                }
            }
            #expect(taken.filter(\.self).count == 1)
            #expect(try await stores[0].venues().count == 1)
        }
    }

    @Test func `revisions that are made at once are in order, and one that is late is refused`() async throws {
        try await withStores { stores in
            let venue = try Conformance.venue("Home")
            let accepted = try await together(stores, count: 12) { store, hour -> Timestamp? in
                var revision = venue
                revision.changed = Conformance.at(Double(hour / 2))
                var plan = try Conformance.ratePlan("A", changed: revision.changed)
                plan.name = "From \(hour)"
                do {
                    try? await store.putRatePlan(plan)
                    try await store.putVenue(revision)
                    return revision.changed
                } catch let error as EnergyError {
                    #expect(error.code == .conflict)
                    return nil
                }
            }
            let stored = try await stores[0].venueRevisions(venue.id).map(\.changed)
            #expect(stored == accepted.compactMap(\.self).sorted())
            #expect(stored.contains(Conformance.at(5)))
            #expect(try await stores[1].ratePlans().map(\.changed) == [Conformance.at(5)])
        }
    }

    @Test func `what two publishers learn of a region at once is one timeline`() async throws {
        try await withStores { stores in
            let hours = (0..<24).map { Conformance.record(hour: $0, 100) }
            _ = try await together(stores, count: 8) { store, _ in
                try await store.recordSignals(hours, region: "CISO", learned: Conformance.start)
            }
            // Corrections that say the same are one revision.
            let corrected = (0..<24).map { Conformance.record(hour: $0, 90, source: "measured") }
            _ = try await together(stores, count: 8) { store, _ in
                try await store.recordSignals(corrected, region: "CISO", learned: Conformance.at(48))
            }
            let day = Conformance.day
            #expect(try await stores[0].signals(region: "CISO", in: day, revision: .newest) == corrected)
            #expect(try await stores[1].signals(region: "CISO", in: day, revision: .whenItHappened) == hours)
            let revisions = try await stores[0].database.read {
                try $0.query("SELECT DISTINCT revision FROM signals ORDER BY revision")
                    .map { try $0["revision"] as Int }
            }
            #expect(revisions == [0, 1])
        }
    }

    @Test func `a change whose commit is answered by nobody happens once, and is no conflict with itself`() async throws
    {
        let server = try await PostgreSQLServer.shared.value
        let connection = try await server.database()
        let name = try #require(connection.split(separator: "/").last)
        let proxy = try CuttingProxy(
            to: server.port, cutsAt: Data([UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT\0".utf8)))
        let store = try await PostgreSQLGuidanceStore(
            server.connection(String(name), hosts: "127.0.0.1:\(proxy.port)") + "?sslmode=disable",
            timeout: .seconds(60))
        let (venue, plan) = (try Conformance.venue("Home", homes: [UUID()]), try Conformance.ratePlan("A"))
        proxy.arm()
        let number = try await store.putVenue(venue)
        proxy.arm()
        try await store.putRatePlan(plan)
        var removed = venue
        removed.changed = Conformance.at(1)
        removed.removed = Conformance.at(1)
        proxy.arm()
        #expect(try await store.putVenue(removed) == number)
        #expect(proxy.cuts == 3)
        #expect(number == 1)
        #expect(try await store.venueRevisions(venue.id).count == 2)
        #expect(try await store.ratePlanRevisions("A") == [plan])
        await store.close()
    }
}
