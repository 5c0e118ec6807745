import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import EventIngestion
import Foundation
import Testing

struct EventAdmissionTests {
    private let token = "vehicle_load.session.guidance_token"

    private func refusal(_ events: [Event], as principal: String = "local", _ guidance: KnownGuidance) async throws
        -> EnergyError?
    {
        let setup = IngestorSetup(guidance: guidance)
        return try await setup.running { await setup.refusal(events, as: principal) }
    }

    @Test func `a token that was never issued is refused`() async throws {
        let error = try await refusal(
            [EventSamples.status()] + EventSamples.charge(token: EventSamples.id(66)), KnownGuidance())
        #expect(error?.code == .invalidInput)
        #expect(
            error?.violations == [
                RuleViolation(
                    index: 1, field: token, rule: "must be of guidance issued here",
                    value: "e0000000-...")
            ])
    }

    @Test func `an event for a venue that does not exist is refused for that, whatever its token`() async throws {
        let unknown = EventSamples.id(404)
        for token in [EventSamples.token, EventSamples.id(66)] {
            let error = try await refusal(
                [EventSamples.vehicle(venueID: unknown, .begin, token: token)], KnownGuidance())
            #expect(
                error?.violations == [
                    RuleViolation(
                        index: 0, field: "venue_id", rule: "must be of a venue that exists",
                        value: unknown.uuidString.lowercased())
                ])
        }
    }

    @Test func `a token for another venue is refused`() async throws {
        let guidance = KnownGuidance(tokens: [.sample(venueID: EventSamples.id(11))])
        let error = try await refusal(EventSamples.charge(), guidance)
        #expect(error?.violations.first?.rule == "must be of guidance for the event's venue")
        #expect(error?.violations.first?.field == token)
    }

    @Test func `a sender who never asked for guidance at the venue is refused`() async throws {
        let guidance = KnownGuidance(tokens: [.sample(principals: ["someone"])])
        let error = try await refusal([EventSamples.hvac(.begin)], as: "other", guidance)
        #expect(error?.violations.first?.rule == "must be for a venue whose guidance the sender asked for")
        #expect(error?.violations.first?.field == "hvac_load.session.guidance_token")
        #expect(guidance.timesAskedAgain == 1)
    }

    /// Who asked, and the venue of the token that the gateway uses for its event at the car's venue.
    @Test(arguments: [
        (asked: ["car", "gateway"], isOfVenue: true, isTaken: true),
        (asked: ["car"], isOfVenue: true, isTaken: false),
        (asked: ["car", "gateway"], isOfVenue: false, isTaken: false),
    ])
    func `a token is shared by those who asked at its venue, and by nobody else`(
        asked: [String], isOfVenue: Bool, isTaken: Bool
    ) async throws {
        let guidance = KnownGuidance(tokens: [
            .sample(venueID: isOfVenue ? EventSamples.venueID : EventSamples.id(11), principals: asked)
        ])
        #expect(try await refusal([EventSamples.vehicle(.begin)], as: "car", guidance) == nil || !isOfVenue)
        let error = try await refusal([EventSamples.vehicle(.begin)], as: "gateway", guidance)
        #expect((error == nil) == isTaken)
        #expect(isTaken || error?.code == .invalidInput)
    }

    @Test func `a status event needs a venue that exists, and no token`() async throws {
        #expect(try await refusal([EventSamples.status()], as: "anybody", KnownGuidance()) == nil)
        let error = try await refusal([EventSamples.status(venueID: EventSamples.id(404))], KnownGuidance())
        #expect(error?.violations.first?.field == "venue_id")
        #expect(error?.violations.first?.rule == "must be of a venue that exists")
    }

    @Test func `a batch of invented tokens costs two questions`() async throws {
        let client = ScriptedGuidanceClient(tokens: [])
        let directory = GuidanceDirectory(client: client)
        let ingestor = EventIngestor(
            store: ScriptedStore(), tokens: directory, venues: directory, publisher: RecordingPublisher(),
            clock: FixedWallClock())
        let events = (0..<100).map { EventSamples.vehicle(.begin, token: EventSamples.id($0 + 1_000)) }
        await #expect(throws: EnergyError.self) {
            try await ingestor.submit(.init(events: events), principal: "local")
        }
        #expect(client.calls == 2)
    }

    @Test func `rules are checked before anybody is asked`() async throws {
        let client = ScriptedGuidanceClient()
        let directory = GuidanceDirectory(client: client)
        let ingestor = EventIngestor(
            store: ScriptedStore(), tokens: directory, venues: directory, publisher: RecordingPublisher(),
            clock: FixedWallClock())
        await #expect(throws: EnergyError.self) {
            try await ingestor.submit(.init(events: [EventSamples.vehicle(.begin, energy: 1)]), principal: "local")
        }
        #expect(client.calls == 0)
    }
}
