import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization
import Testing

@testable import EventIngestion

struct EventIngestorTests {
    private let otherVenueID = EventSamples.id(11)
    private let otherToken = EventSamples.id(102)

    @Test func `an accepted batch is one record of its venue, as it was sent`() async throws {
        let setup = IngestorSetup()
        let charge = EventSamples.charge()
        let result = try await setup.running { try await setup.submit(charge) }
        #expect(result == SubmitResult(accepted: 4, duplicates: 0))
        let expected = LogRecord(
            partition: 1, sequence: 1, venueID: EventSamples.venueID, received: EventSamples.now, principal: "local",
            events: charge)
        #expect(try await setup.log() == [expected])
    }

    @Test func `a batch of several venues is divided, each part in its partition`() async throws {
        let setup = IngestorSetup()
        let (here, there) = (
            EventSamples.charge(), EventSamples.charge(venueID: otherVenueID, token: otherToken)
        )
        let mixed = zip(here, there).flatMap { [$0, $1] }
        let result = try await setup.running { try await setup.submit(mixed) }
        #expect(result.accepted == 8)
        #expect(try await setup.log().map(\.events) == [here])
        #expect(try await setup.log(otherVenueID).map(\.events) == [there])
        #expect(setup.store.transactions == 1)
    }

    @Test func `accepted events are published per device, in log order`() async throws {
        let setup = IngestorSetup()
        let heating = [EventSamples.hvac(.begin), EventSamples.hvac(.active, stage: 60)]
        let charge = EventSamples.charge()
        try await setup.running { () async throws in
            _ = try await setup.submit(heating + charge)
            _ = try await setup.submit([EventSamples.hvac(.end)])
        }
        let published = setup.publisher.publications
        let topics = ["heat-pump-1", "car-1", "heat-pump-1"].map {
            Topics.events(venueID: EventSamples.venueID, deviceID: $0)
        }
        #expect(published.map(\.topic) == topics)
        let records = try published.map { try LogRecord(decoding: $0.body) }
        #expect(records.map(\.sequence) == [1, 1, 2])
        #expect(records[0].events == heating)
        #expect(records[1].events == charge)
    }

    @Test func `events are acknowledged even if nobody can be told of them`() async throws {
        let setup = IngestorSetup()
        setup.publisher.isStopped.withLock { $0 = true }
        #expect(try await setup.running { try await setup.submit(EventSamples.charge()) }.accepted == 4)
    }

    @Test func `a batch is all or nothing, and the refusal says which event broke which rule`() async throws {
        let setup = IngestorSetup()
        let good = EventSamples.charge()
        let late = EventSamples.vehicle(session: good[0].session?.id ?? UUID(), .active, energy: 1_000_000)
        let error = try await setup.running { await setup.refusal(good + [late]) }
        #expect(error?.code == .invalidInput)
        #expect(
            error?.violations == [
                RuleViolation(
                    index: 4, field: "vehicle_load.session.state",
                    rule: "must not follow the session's end: a new session has a new id", value: "active")
            ])
        #expect(try await setup.log() == [])
        #expect(setup.publisher.publications.isEmpty)
    }

    @Test func `a refused event does not use up its id`() async throws {
        let setup = IngestorSetup()
        let begin = EventSamples.vehicle(.begin)
        try await setup.running { () async throws in
            #expect(await setup.refusal([begin, EventSamples.vehicle(.begin)]) != nil)
            #expect(try await setup.submit([begin]) == SubmitResult(accepted: 1, duplicates: 0))
        }
    }

    @Test func `a session may be split over batches`() async throws {
        let setup = IngestorSetup()
        try await setup.running { () async throws in
            for event in EventSamples.charge(actives: 5) { #expect(try await setup.submit([event]).accepted == 1) }
        }
        #expect(try await setup.log().map(\.sequence) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `the rules hold across batches`() async throws {
        let setup = IngestorSetup()
        let error = try await setup.running { () async throws in
            _ = try await setup.submit([EventSamples.vehicle(.begin), EventSamples.vehicle(.active, energy: 10)])
            return await setup.refusal([EventSamples.vehicle(.active, energy: 9)])
        }
        #expect(error?.violations.first?.rule.hasPrefix("must not fall within a session") == true)
    }

    @Test func `only the first refusal of a session is told, not what follows from it`() async throws {
        let setup = IngestorSetup()
        let orphans = EventSamples.charge(actives: 5).dropFirst()
        let other = EventSamples.hvac(.end)
        let error = try await setup.running { await setup.refusal(orphans + [other]) }
        #expect(error?.violations.map(\.index) == [0, 6])
    }

    @Test func `an event sent twice is stored once and acknowledged twice`() async throws {
        let setup = IngestorSetup()
        let charge = EventSamples.charge()
        try await setup.running { () async throws in
            #expect(try await setup.submit(charge) == SubmitResult(accepted: 4, duplicates: 0))
            #expect(try await setup.submit(charge) == SubmitResult(accepted: 0, duplicates: 4))
            let more = EventSamples.status()
            #expect(try await setup.submit(charge + [more, more]) == SubmitResult(accepted: 1, duplicates: 5))
        }
        #expect(try await setup.log().map(\.events.count) == [4, 1])
        #expect(setup.publisher.publications.count == 2)
    }

    @Test func `the same id with other content is a conflict, in one batch or in two`() async throws {
        let setup = IngestorSetup()
        let id = UUID()
        let (one, other) = (EventSamples.status(id: id, energy: 1), EventSamples.status(id: id, energy: 2))
        try await setup.running { () async throws in
            let inside = await setup.refusal([one, other])
            #expect(inside?.code == .conflict)
            #expect(inside?.violations.map(\.index) == [1])
            _ = try await setup.submit([one])
            let across = await setup.refusal([EventSamples.status(), other])
            #expect(across?.code == .conflict)
            #expect(across?.violations.first?.field == "id")
        }
        #expect(try await setup.log().count == 1)
    }

    @Test func `the same id at another venue is another event`() async throws {
        let setup = IngestorSetup()
        let id = UUID()
        let result = try await setup.running { () async throws in
            try await setup.submit([EventSamples.status(id: id), EventSamples.status(id: id, venueID: otherVenueID)])
        }
        #expect(result.accepted == 2)
    }

    @Test func `a device's name is stored repaired`() async throws {
        let setup = IngestorSetup()
        let sloppy = Device(id: "car-1", name: "My\u{0} car", kind: .electricVehicle)
        _ = try await setup.running { try await setup.submit([EventSamples.status(device: sloppy)]) }
        #expect(try await setup.log().first?.events.first?.device.name == "My car")
    }

    @Test(arguments: [0, EventBatch.eventsMax + 1])
    func `a batch has a size`(count: Int) async throws {
        let setup = IngestorSetup()
        let error = try await setup.running { await setup.refusal((0..<count).map { _ in EventSamples.status() }) }
        #expect(error?.violations == [RuleViolation(field: "events", rule: "must be 1 to 1000", value: "\(count)")])
    }

    @Test func `a refusal names at most twenty violations`() async throws {
        let setup = IngestorSetup()
        let error = try await setup.running { () async throws in
            await setup.refusal((0..<100).map { _ in EventSamples.status(stateOfCharge: 101) })
        }
        #expect(error?.violations.count == 20)
    }
}
