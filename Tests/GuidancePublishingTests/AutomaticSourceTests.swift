import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Synchronization
import Testing

/// Sources that regions have by themselves: who needs them, and what stands in for them.
@Suite struct AutomaticSourceTests {
    private let carbon = FakeProvider("grid", answer: Parts.byHour)
    private let market = PriceSourceTests.market(PriceSourceTests.cents)

    private func parts(
        _ providers: [String: [any SignalProvider]] = [:], store: any GuidanceStore = InMemoryGuidanceStore(),
        onNeed: @escaping @Sendable (Set<String>) -> Void
    ) async throws -> Parts {
        var configuration = GuidanceConfiguration(
            providers: providers,
            commonProviders: [
                FakeProvider("usual") { _ throws(EnergyError) in throw EnergyError(.notFound, "not here") }
            ])
        configuration.automaticProviders = ["X": [carbon, market], "Y": [carbon, market]]
        configuration.onNeed = onNeed
        let parts = Parts(configuration, store: store)
        try await parts.guidance.start()
        return parts
    }

    private final class Needs: Sendable {
        private let sets = Mutex<[Set<String>]>([])
        func add(_ names: Set<String>) { sets.withLock { $0.append(names) } }
        var last: Set<String>? { sets.withLock { $0.last } }
    }

    @Test func `sources are needed from the first venue of their region to the last, also after a restart`()
        async throws
    {
        let (store, needs) = (InMemoryGuidanceStore(), Needs())
        let first = try await parts(store: store, onNeed: needs.add)
        #expect(needs.last == [])
        let home = try await first.guidance.put(try Parts.home(region: "X"))
        let barn = try await first.guidance.put(try Parts.home("Barn", region: "X"))
        #expect(needs.last == ["grid", "market"])
        let guidance = try await first.guidance.guidance(
            GuidanceRequest(venueID: home.id, action: .shift), principal: "car")
        #expect(guidance.basis.source == "grid")
        _ = try await first.guidance.remove(VenueRemoval(id: barn.id))
        #expect(needs.last == ["grid", "market"])
        let later = Needs()
        let second = try await parts(store: store, onNeed: later.add)
        #expect(later.last == ["grid", "market"])
        _ = try await second.guidance.remove(VenueRemoval(id: home.id))
        #expect(later.last == [])
    }

    @Test func `a source of the settings stands in for the automatic ones of what it is of`() async throws {
        let (own, needs) = (FakeProvider("own", answer: Parts.byHour), Needs())
        let parts = try await parts(["X": [own]], onNeed: needs.add)
        _ = try await parts.guidance.put(try Parts.home(region: "X"))
        #expect(needs.last == ["own", "market"])
        let listed = try await parts.guidance.listSources().sources
        #expect(listed.map(\.status.name) == ["own", "market", "usual"])
        #expect(listed.map(\.isAutomatic) == [false, true, false])
    }

    @Test func `a contract may pass on an automatic source's prices, and needs it wherever its venue is`() async throws
    {
        let needs = Needs()
        let parts = try await parts(["Z": [FakeProvider("own", answer: Parts.byHour)]], onNeed: needs.add)
        _ = try await parts.guidance.put(try PriceSourceTests.plan())
        #expect(needs.last == [])
        _ = try await parts.guidance.put(try Parts.home(region: "Z", plan: "D"))
        #expect(needs.last == ["own", "market"])
        #expect(try await parts.get().incorporatesRatePlan)
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try PriceSourceTests.plan("E", source: "nobody"))
        }
        // Two regions have it, but it is one source.
        #expect(error?.violations.first?.rule.hasSuffix("market (EUR)") == true, "\(error?.message ?? "")")
    }

    @Test func `what a region would have is told before a venue is there`() async throws {
        let parts = try await parts { _ in }
        _ = try await parts.guidance.put(try Parts.home(region: "X"))
        let list = try await parts.guidance.listSources()
        #expect(list.regions == ["X", "Y"])
        #expect(Set(list.sources.map(\.region)) == ["X"])
        #expect(list.offered.map(\.region) == ["Y", "Y", "Y"] && list.offered.prefix(2).allSatisfy(\.isAutomatic))
        #expect(list.offered[1].status.currency == "EUR")
    }
}
