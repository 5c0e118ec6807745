import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

@Suite struct VenueRemovalTests {
    @Test func `a removed venue is listed no more and has no guidance, but its past is answered for`() async throws {
        let (store, home) = (InMemoryGuidanceStore(), UUID())
        let parts = VenueAndTokenTests.parts(store: store)
        try await parts.guidance.start()
        let venue = try await parts.guidance.put(try Parts.home("Cabin", homes: [home]))
        let token = try await parts.get().token
        parts.advance(minutes: 90)
        let removed = try await parts.guidance.remove(VenueRemoval(id: venue.id))
        #expect(removed.removed == parts.wallClock.now)
        _ = parts.published.take()
        for guidance in [parts.guidance, VenueAndTokenTests.parts(store: store, now: Parts.at(hours: 2)).guidance] {
            try await guidance.start()
            await guidance.refresh()
            #expect(try await guidance.listVenues().venues.isEmpty)
            #expect(try await guidance.venue(.id(venue.id)) == removed)
            #expect(try await guidance.resolve(TokenReference(token: token)).venueID == venue.id)
            let hour = Interval(start: Parts.start, milliseconds: .millisecondsPerHour)
            #expect(
                try await guidance.history(SignalHistoryRequest(venueID: venue.id, interval: hour)).intervals.count == 1
            )
            let error = await #expect(throws: EnergyError.self) {
                try await guidance.guidance(GuidanceRequest(venueID: venue.id, action: .shift), principal: "car")
            }
            #expect(error?.code == .notFound && error?.message.contains("was removed") == true)
            await #expect(throws: EnergyError.self) { try await guidance.venue(.homeID(home)) }
        }
        #expect(parts.published.take().isEmpty)
        // Again changes nothing; its home may stand for another; put again, it is back.
        #expect(try await parts.guidance.remove(VenueRemoval(id: venue.id)) == removed)
        _ = try await parts.guidance.put(try Parts.home("Other", homes: [home]))
        let back = try await parts.guidance.put(try Parts.home("Cabin", id: venue.id))
        #expect(back.removed == nil)
        #expect(try await parts.guidance.listVenues().venues.count == 2)
    }

    @Test func `a venue that never was, and one of the configuration, cannot be removed`() async throws {
        let parts = VenueAndTokenTests.parts([try Parts.home()])
        try await parts.guidance.start()
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.remove(VenueRemoval(id: UUID()))
        }
        #expect(unknown?.code == .notFound)
        let id = try await parts.onlyVenue().id
        let configured = await #expect(throws: EnergyError.self) {
            try await parts.guidance.remove(VenueRemoval(id: id))
        }
        #expect(configured?.code == .conflict && configured?.message.contains("'venues'") == true)
        #expect(try await parts.guidance.listVenues().venues.count == 1)
    }

    @Test func `an example is made where no venue ever was, and is removed for good`() async throws {
        let store = InMemoryGuidanceStore()
        func guidance() async throws -> GuidancePublisher {
            let parts = Parts(
                GuidanceConfiguration(
                    exampleVenues: [try Parts.home("Example")],
                    commonProviders: [FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)]),
                store: store)
            try await parts.guidance.start()
            return parts.guidance
        }
        let first = try await guidance()
        let example = try #require(try await first.listVenues().venues.first)
        #expect(example.name == "Example")
        #expect(try await guidance().listVenues().venues.map(\.id) == [example.id])
        let last = try await guidance()
        _ = try await last.remove(VenueRemoval(id: example.id))
        #expect(try await last.listVenues().venues.isEmpty)
        #expect(try await guidance().listVenues().venues.isEmpty)
    }

    @Test func `a region that no source knows is refused with those there are`() async throws {
        let parts = Parts(
            GuidanceConfiguration(
                providers: ["X": [FakeProvider("a", isTimeless: true, answer: Parts.byHour)]],
                commonProviders: [
                    FakeProvider("table", isTimeless: true) { _ throws(EnergyError) in
                        throw EnergyError(.notFound, "knows nothing")
                    }
                ]))
        try await parts.guidance.start()
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try Parts.home(region: "NOPE"))
        }
        #expect(error?.code == .invalidInput && error?.violations.map(\.field) == ["venue.region"])
        #expect(error?.message.contains("X; another gets one by the guidance-publisher's settings 'sources'") == true)
        #expect(try await parts.guidance.listVenues().venues.isEmpty)
    }

    @Test func `a source that is away may know the region`() async throws {
        let provider = FakeProvider("a") { _ throws(EnergyError) in throw EnergyError(.unavailable, "no route") }
        let parts = Parts(GuidanceConfiguration(commonProviders: [provider]))
        try await parts.guidance.start()
        #expect(try await parts.guidance.put(try Parts.home(region: "NEW")).region == "NEW")
    }
}
