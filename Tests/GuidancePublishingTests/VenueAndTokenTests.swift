import EnergyModel
import EnergyStore
import EnergyTransport
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

@Suite struct VenueAndTokenTests {
    static func parts(
        _ venues: [VenueDraft] = [], plans: [RatePlan] = [], store: any GuidanceStore = InMemoryGuidanceStore(),
        now: Timestamp = Parts.start
    ) -> Parts {
        Parts(
            GuidanceConfiguration(
                ratePlans: plans, venues: venues,
                commonProviders: [FakeProvider("a", isTimeless: true, answer: Parts.byHour)]), store: store, now: now)
    }

    @Test func `a venue without an id gets one, and guidance at once`() async throws {
        let parts = Self.parts()
        try await parts.guidance.start()
        let venue = try await parts.guidance.put(try Parts.home("Cabin"))
        #expect(parts.published.take().map(\.topic).contains(Topics.guidance(venueID: venue.id, action: .shift)))
        #expect(try await parts.guidance.venue(.id(venue.id)) == venue)
        #expect(try await parts.store.venues() == [venue])
    }

    @Test func `a change re-rates at once, no change does not`() async throws {
        let parts = Self.parts([try Parts.home(plan: "A")], plans: [try Parts.plan()])
        try await parts.guidance.start()
        let (venue, first) = (try await parts.onlyVenue(), try await parts.get())
        _ = parts.published.take()
        var draft = try Parts.home(id: venue.id, plan: "A")
        #expect(try await parts.guidance.put(draft) == venue)
        #expect(try await parts.guidance.put(try Parts.plan()).zones.count == 2)
        #expect(parts.published.take().isEmpty)
        draft.ratePlanID = nil
        #expect(try await parts.guidance.put(draft).ratePlanID == nil)
        #expect(parts.published.take().count == 2)
        #expect(try await parts.get().locationHasRatePlan == false)
        draft.ratePlanID = "A"
        _ = try await parts.guidance.put(draft)
        _ = parts.published.take()
        _ = try await parts.guidance.put(try Parts.plan(onPeak: 100_000))
        #expect(parts.published.take().count == 2)
        #expect(try await parts.get().values.first?.price?.microsPerKilowattHour == 100_000)
        #expect(try await parts.get().token != first.token)
        // Three revisions of the venue, in order of time, though the clock stood still.
        #expect(try await parts.store.venueRevisions(venue.id).map(\.ratePlanID) == ["A", nil, "A"])
    }

    @Test func `a venue that moves to a region without a signal has no guidance of the old one`() async throws {
        let away = FakeProvider("b") { _ throws(EnergyError) in throw EnergyError(.unavailable, "down") }
        let parts = Parts(
            GuidanceConfiguration(
                venues: [try Parts.home()],
                providers: ["X": [FakeProvider("a", isTimeless: true, answer: Parts.byHour)], "Y": [away]]))
        try await parts.guidance.start()
        _ = try await parts.get()
        _ = try await parts.guidance.put(try Parts.home(id: try await parts.onlyVenue().id, region: "Y"))
        let error = await #expect(throws: EnergyError.self) { try await parts.get() }
        #expect(error?.message == "no source has a signal for the region Y: b: down")
    }

    @Test func `a home stands for one venue, and finds it`() async throws {
        let home = UUID()
        let parts = Self.parts([try Parts.home(homes: [home])])
        try await parts.guidance.start()
        #expect(try await parts.guidance.venue(.homeID(home)) == parts.onlyVenue())
        let conflict = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try Parts.home("Other", homes: [home]))
        }
        #expect(conflict?.code == .conflict)
        let unknown = await #expect(throws: EnergyError.self) { try await parts.guidance.venue(.homeID(UUID())) }
        #expect(unknown?.code == .notFound)
    }

    @Test func `bad venues and plans are refused and change nothing`() async throws {
        let parts = Self.parts()
        try await parts.guidance.start()
        let plan = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try Parts.home("", region: "", plan: "A"))
        }
        #expect(plan?.violations.map(\.field) == ["venue.name", "venue.region"])
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try Parts.home(plan: "A"))
        }
        #expect(unknown?.violations.map(\.field) == ["venue.rate_plan_id"])
        let zones = await #expect(throws: EnergyError.self) { try await parts.guidance.put(try Parts.plan(from: -1)) }
        #expect(zones?.violations.map(\.field) == ["rate_plan.zones[1].start_minute"])
        #expect(try await parts.guidance.listVenues().venues.isEmpty)
        #expect(try await parts.guidance.listRatePlans().ratePlans.isEmpty)
    }

    @Test func `a configuration that breaks a rule stops the start`() async throws {
        let parts = Self.parts([try Parts.home(plan: "missing")])
        let error = await #expect(throws: EnergyError.self) { try await parts.guidance.start() }
        #expect(error?.violations.first?.field == "venue.rate_plan_id")
    }

    @Test func `a venue named in the configuration keeps its id over restarts`() async throws {
        let store = InMemoryGuidanceStore()
        let first = Self.parts([try Parts.home()], store: store)
        try await first.guidance.start()
        let (venue, token) = (try await first.onlyVenue(), try await first.get().token)
        let second = Self.parts([try Parts.home()], store: store, now: Parts.at(hours: 1))
        try await second.guidance.start()
        #expect(try await second.onlyVenue() == venue)
        let resolved = try await second.guidance.resolve(TokenReference(token: token))
        #expect(resolved.principals == ["car"])
        #expect(try await store.venueRevisions(venue.id).count == 1)
    }

    @Test func `a token tells what it was for, and who asked at its venue`() async throws {
        let parts = Self.parts([try Parts.home()])
        try await parts.guidance.start()
        let guidance = try await parts.get(.reduce, as: "heat pump")
        _ = try await parts.get(.shift, as: "car")
        let resolved = try await parts.guidance.resolve(TokenReference(token: guidance.token))
        #expect(
            resolved
                == ResolvedToken(
                    token: guidance.token, venueID: guidance.venueID, action: .reduce, issued: Parts.start,
                    principals: ["car", "heat pump"]))
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.resolve(TokenReference(token: UUID()))
        }
        #expect(unknown?.code == .notFound)
        // Older ones resolve as well, for 400 days.
        for days in [1, 398] as [Int64] {
            parts.advance(minutes: days * 24 * 60)
            await parts.guidance.refresh()
            _ = try await parts.guidance.resolve(TokenReference(token: guidance.token))
        }
        parts.advance(minutes: 2 * 24 * 60)
        await parts.guidance.refresh()
        await #expect(throws: EnergyError.self) {
            try await parts.guidance.resolve(TokenReference(token: guidance.token))
        }
    }

    @Test func `a token that nobody sealed here resolves to nothing`() async throws {
        let parts = Self.parts([try Parts.home()])
        try await parts.guidance.start()
        let token = try await parts.get().token
        // One bit of it, whichever.
        for bit in 0..<128 {
            var bytes = withUnsafeBytes(of: token.uuid) { Array($0) }
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let forged = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            let error = await #expect(throws: EnergyError.self) {
                try await parts.guidance.resolve(TokenReference(token: forged))
            }
            #expect(error?.code == .notFound)
        }
        // Another installation has another key.
        let other = Self.parts([try Parts.home()])
        try await other.guidance.start()
        await #expect(throws: EnergyError.self) {
            try await other.guidance.resolve(TokenReference(token: token))
        }
    }

    @Test func `guidance made anew within a millisecond has another token`() async throws {
        let parts = Self.parts([try Parts.home(plan: "A")], plans: [try Parts.plan()])
        try await parts.guidance.start()
        var tokens: Set<UUID> = [try await parts.get().token]
        for price in 1...5 as ClosedRange<Int64> {
            _ = try await parts.guidance.put(try Parts.plan(onPeak: price * 100_000))
            tokens.insert(try await parts.get().token)
        }
        #expect(tokens.count == 6)
        for token in tokens { _ = try await parts.guidance.resolve(TokenReference(token: token)) }
    }

    @Test func `a venue weighs prices as it likes`() async throws {
        var draft = try Parts.home(plan: "A")
        draft.priceWeight = 1
        let parts = Self.parts([draft, try Parts.home("Barn", plan: "A")], plans: [try Parts.plan()])
        try await parts.guidance.start()
        let venues = try await parts.guidance.listVenues().venues
        #expect(venues.map(\.priceWeight) == [nil, 1])
        var weights: [Double] = []
        for venue in venues {
            let guidance = try await parts.guidance.guidance(
                GuidanceRequest(venueID: venue.id, action: .shift), principal: "car")
            weights.append(guidance.basis.priceWeight)
        }
        #expect(weights == [0.5, 1])
        draft.priceWeight = 1.5
        let wrong = draft
        let error = await #expect(throws: EnergyError.self) { try await parts.guidance.put(wrong) }
        #expect(error?.violations.map(\.field) == ["venue.price_weight"])
    }

    @Test func `before the start every answer is to try again`() async throws {
        let parts = Self.parts([try Parts.home()])
        let asking = await #expect(throws: EnergyError.self) {
            try await parts.guidance.guidance(GuidanceRequest(venueID: UUID(), action: .shift), principal: "car")
        }
        let listing = await #expect(throws: EnergyError.self) { try await parts.guidance.listVenues() }
        let putting = await #expect(throws: EnergyError.self) { try await parts.guidance.put(try Parts.home()) }
        for error in [asking, listing, putting] {
            #expect(error?.code == .unavailable && error?.retryAfterMilliseconds != nil)
        }
        #expect(await parts.guidance.problem == "starting")
    }

    @Test func `asking at an unknown venue is refused`() async throws {
        let parts = Self.parts()
        try await parts.guidance.start()
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.guidance(GuidanceRequest(venueID: UUID(), action: .shift), principal: "car")
        }
        #expect(error?.code == .notFound)
    }

    @Test func `every method of the service is registered`() {
        var methods = MethodTable()
        GuidanceHandler.register(Self.parts().guidance, on: &methods)
        #expect(
            Set(methods.entries.keys) == [
                "energy.v1.Venues/List", "energy.v1.Venues/Get", "energy.v1.Venues/Put", "energy.v1.Venues/Remove",
                "energy.v1.RatePlans/List", "energy.v1.RatePlans/Put", "energy.v1.RatePlans/Remove",
                "energy.v1.DemandResponse/Put",
                "energy.v1.DemandResponse/List", "energy.v1.DemandResponse/Cancel", "energy.v1.Guidance/Get",
                "energy.v1.Guidance/ResolveToken",
                "energy.v1.Signals/History", "energy.v1.Signals/Put", "energy.v1.Signals/Sources",
                "energy.v1.Signals/Test",
            ])
    }
}
