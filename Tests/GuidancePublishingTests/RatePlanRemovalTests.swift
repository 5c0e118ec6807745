import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

@Suite struct RatePlanRemovalTests {
    @Test func `a removed plan is listed no more and no venue can have it, but what was paid by it is known`()
        async throws
    {
        let store = InMemoryGuidanceStore()
        let parts = VenueAndTokenTests.parts([try Parts.home("Other")], store: store)
        try await parts.guidance.start()
        _ = try await parts.guidance.put(try Parts.plan())
        let cabin = try await parts.guidance.put(try Parts.home("Cabin", plan: "A"))
        parts.advance(minutes: 90)
        let taken = await #expect(throws: EnergyError.self) {
            try await parts.guidance.remove(RatePlanRemoval(id: "A"))
        }
        #expect(taken?.code == .conflict && taken?.message.contains("is that of Cabin: give it another") == true)
        _ = try await parts.guidance.remove(VenueRemoval(id: cabin.id))
        let removed = try await parts.guidance.remove(RatePlanRemoval(id: "A"))
        #expect(removed.removed == removed.changed && removed.changed >= parts.wallClock.now)
        let again = VenueAndTokenTests.parts(store: store, now: Parts.at(hours: 2)).guidance
        try await again.start()
        for guidance in [parts.guidance, again] {
            #expect(try await guidance.listRatePlans().ratePlans.isEmpty)
            #expect(try await guidance.remove(RatePlanRemoval(id: "A")) == removed)
            let draft = try Parts.home("New", plan: "A")
            let refusal = await #expect(throws: EnergyError.self) { try await guidance.put(draft) }
            #expect(refusal?.violations.map(\.field) == ["venue.rate_plan_id"])
            let hour = Interval(start: Parts.start, milliseconds: .millisecondsPerHour)
            let past = try await guidance.history(SignalHistoryRequest(venueID: cabin.id, interval: hour))
            #expect(past.intervals.first?.price?.microsPerKilowattHour == 600_000)
        }
        // Put again, it is back; whoever sends what the service said before takes nothing away by it.
        let back = try await parts.guidance.put(removed)
        #expect(back.removed == nil && back.changed > removed.changed)
        #expect(try await parts.guidance.listRatePlans().ratePlans == [back])
    }

    @Test func `a plan that never was, and one of the configuration, cannot be removed`() async throws {
        let parts = VenueAndTokenTests.parts(plans: [try Parts.plan()])
        try await parts.guidance.start()
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.remove(RatePlanRemoval(id: "B"))
        }
        #expect(unknown?.code == .notFound)
        let configured = await #expect(throws: EnergyError.self) {
            try await parts.guidance.remove(RatePlanRemoval(id: "A"))
        }
        #expect(configured?.code == .conflict && configured?.message.contains("'rate-plans'") == true)
        #expect(try await parts.guidance.listRatePlans().ratePlans.count == 1)
    }
}
