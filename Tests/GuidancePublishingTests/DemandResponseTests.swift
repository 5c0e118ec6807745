import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GuidancePublishing
import Synchronization
import Testing

/// A source that says what the test says.
private final class FakeEvents: DemandResponseSource {
    let name: String
    private let answer = Mutex<Result<[DemandResponseEvent], EnergyError>>(.success([]))

    init(_ name: String = "file:events.json") { self.name = name }

    func say(_ answer: Result<[DemandResponseEvent], EnergyError>) { self.answer.withLock { $0 = answer } }

    func events(now: Timestamp) async throws(EnergyError) -> [DemandResponseEvent] {
        try answer.withLock { $0 }.get()
    }
}

@Suite struct DemandResponseTests {
    private static func parts(
        _ venues: [VenueDraft]? = nil, plans: [RatePlan] = [], store: any GuidanceStore = InMemoryGuidanceStore(),
        events: FakeEvents...
    ) async throws -> Parts {
        var configuration = GuidanceConfiguration(
            ratePlans: plans, venues: try venues ?? [Parts.home()],
            commonProviders: [FakeProvider("a", isTimeless: true, answer: Parts.byHour)])
        configuration.demandResponseSources = events
        let parts = Parts(configuration, store: store)
        try await parts.guidance.start()
        _ = parts.published.take()
        return parts
    }

    private static func event(
        _ from: Double, _ to: Double, id: UUID = UUID(), scope: DemandResponseEvent.Scope = .all,
        price: Int64? = nil
    ) throws -> DemandResponseEvent {
        DemandResponseEvent(
            id: id, kind: .criticalPeak, scope: scope,
            interval: try #require(Interval(start: Parts.at(hours: from), end: Parts.at(hours: to))), reason: "heat",
            price: price.map { Price(microsPerKilowattHour: $0) }, currency: price == nil ? nil : "USD")
    }

    private static func ratedOne(_ guidance: Guidance) -> [Int] {
        guidance.values.filter { $0.rating == 1 }.map {
            Int($0.interval.start.milliseconds(since: Parts.start) / .millisecondsPerHour)
        }
    }

    @Test func `an event of a source is not cancelled by request, and one of an unknown region not declared`()
        async throws
    {
        let file = FakeEvents()
        let event = try Self.event(2, 4)
        file.say(.success([event]))
        let parts = try await Self.parts(events: file)
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.cancel(DemandResponseReference(id: event.id))
        }
        #expect(error?.code == .conflict && error?.message.contains("file:events.json: take it out there") == true)
        #expect(try await Self.ratedOne(parts.get()) == [2, 3])
        let known = Parts(
            GuidanceConfiguration(
                venues: [try Parts.home()],
                providers: ["X": [FakeProvider("a", isTimeless: true, answer: Parts.byHour)]]))
        try await known.guidance.start()
        let elsewhere = try Self.event(2, 4, scope: .region("XX"))
        let unknown = await #expect(throws: EnergyError.self) {
            try await known.guidance.declare(elsewhere, source: "utility")
        }
        #expect(unknown?.violations.map(\.field) == ["event.region"])
        #expect(unknown?.message.contains("X; another gets one") == true, "\(unknown?.message ?? "")")
        _ = try await known.guidance.declare(try Self.event(2, 4, scope: .region("X")), source: "utility")
    }

    @Test func `guidance follows an event at once, and its end`() async throws {
        let parts = try await Self.parts()
        #expect(try await Self.ratedOne(parts.get()).isEmpty)
        let event = try Self.event(2, 4)
        let kept = try await parts.guidance.declare(event, source: "utility")
        #expect(kept.declared == parts.wallClock.now && kept.source == "utility" && kept.cancelled == nil)
        #expect(parts.published.take().count == 2, "both actions")
        #expect(try await Self.ratedOne(parts.get()) == [2, 3])
        #expect(try await Self.ratedOne(parts.get(.reduce)) == [2, 3])
        // Declared again, it is the same one, and nothing is published.
        #expect(try await parts.guidance.declare(event, source: "another") == kept)
        #expect(parts.published.take().isEmpty)
        parts.advance(minutes: 150)
        let cancelled = try await parts.guidance.cancel(DemandResponseReference(id: event.id))
        #expect(cancelled.cancelled == parts.wallClock.now)
        #expect(try await Self.ratedOne(parts.get()).isEmpty)
        #expect(try await parts.guidance.cancel(DemandResponseReference(id: event.id)) == cancelled)
    }

    @Test func `an event is for a venue, a region or all`() async throws {
        let (near, far) = (UUID(), UUID())
        let parts = try await Self.parts([
            Parts.home("Near", id: near, region: "X"), Parts.home("Far", id: far, region: "Y"),
        ])
        func rated(_ venue: UUID) async throws -> [Int] {
            let request = GuidanceRequest(venueID: venue, action: .shift)
            return Self.ratedOne(try await parts.guidance.guidance(request, principal: "car"))
        }
        _ = try await parts.guidance.declare(try Self.event(2, 3, scope: .region("X")), source: "u")
        #expect(parts.published.take().count == 2, "only the venue of the region")
        _ = try await parts.guidance.declare(try Self.event(5, 6, scope: .venue(far)), source: "u")
        _ = try await parts.guidance.declare(try Self.event(8, 9), source: "u")
        #expect(try await rated(near) == [2, 8])
        #expect(try await rated(far) == [5, 8])
        let listed = try await parts.guidance.listDemandResponse(DemandResponseFilter(venueID: far)).events
        #expect(listed.map(\.scope) == [.venue(far), .all])
    }

    @Test func `its price replaces the contract's, in the contract's currency`() async throws {
        let parts = try await Self.parts([Parts.home(plan: "A")], plans: [try Parts.plan()])
        _ = try await parts.guidance.declare(try Self.event(2, 3, price: 2_000_000), source: "u")
        let values = try await parts.get().values
        #expect(values.filter { $0.price?.microsPerKilowattHour == 2_000_000 }.count == 1)
        #expect(values.allSatisfy { $0.price != nil })
    }

    @Test func `history keeps what applied when it happened`() async throws {
        let parts = try await Self.parts()
        let (id, venue) = (UUID(), try await parts.onlyVenue().id)
        _ = try await parts.guidance.declare(try Self.event(1, 5, id: id), source: "u")
        parts.advance(minutes: 120)
        // At two it is moved to the evening; at three another is declared that should have begun at one.
        _ = try await parts.guidance.declare(try Self.event(18, 20, id: id), source: "u")
        parts.advance(minutes: 60)
        _ = try await parts.guidance.declare(try Self.event(1, 4), source: "u")
        parts.advance(minutes: 21 * 60)
        let day = Interval(start: Parts.start, milliseconds: .millisecondsPerDay)
        let history = try await parts.guidance.history(SignalHistoryRequest(venueID: venue, interval: day))
        let avoided = history.intervals.filter { $0.cleanliness == .avoid && $0.peak == .criticalPeak }
        #expect(avoided.first?.interval.start == Parts.at(hours: 1))
        let hours = avoided.map { $0.interval.start.milliseconds(since: Parts.start) / .millisecondsPerHour }
        #expect(Set(hours) == [1, 3, 18, 19])
        #expect(try await parts.guidance.listDemandResponse(DemandResponseFilter()).events.isEmpty)
        let past = try await parts.guidance.listDemandResponse(DemandResponseFilter(includesPast: true)).events
        #expect(past.count == 3)
    }

    @Test func `events survive a restart`() async throws {
        let store = InMemoryGuidanceStore()
        let first = try await Self.parts(store: store)
        _ = try await first.guidance.declare(try Self.event(2, 4), source: "u")
        let second = try await Self.parts(store: store)
        #expect(try await Self.ratedOne(second.get()) == [2, 3])
    }

    @Test func `what breaks a rule is refused by name`() async throws {
        let parts = try await Self.parts()
        var long = try Self.event(1, 1 + 7 * 24 + 1, scope: .region("a b"))
        long.price = Price(microsPerKilowattHour: .max)
        let refusals = try [
            (long, ["event.interval", "event.region", "event.price_micros_per_kwh", "event.currency"]),
            (Self.event(-2, -1), ["event.interval"]), (Self.event(1, 2, scope: .venue(UUID())), ["event.venue_id"]),
        ]
        for (event, fields) in refusals {
            let error = await #expect(throws: EnergyError.self) {
                try await parts.guidance.declare(event, source: "u")
            }
            #expect(error?.code == .invalidInput)
            #expect(error?.violations.map(\.field) == fields)
        }
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.cancel(DemandResponseReference(id: UUID()))
        }
        #expect(unknown?.code == .notFound)
        for _ in 0..<GuidanceLimits.demandResponseMax {
            _ = try await parts.store.putDemandResponse([try Self.event(2, 4)])
        }
        let full = try await Self.parts(store: parts.store)
        let many = await #expect(throws: EnergyError.self) {
            try await full.guidance.declare(try Self.event(1, 2), source: "u")
        }
        #expect(many?.code == .rateLimited)
    }

    @Test func `a file's events come, change and go with it, and stay while it cannot be read`() async throws {
        let events = FakeEvents()
        let parts = try await Self.parts(events: events)
        let mine = try await parts.guidance.declare(try Self.event(20, 21), source: "u")
        let id = UUID()
        events.say(.success([try Self.event(2, 4, id: id), try Self.event(-3, -1)]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [2, 3, 20])
        events.say(.failure(EnergyError(.unavailable, "cannot be read")))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [2, 3, 20])
        events.say(.success([try Self.event(5, 6, id: id)]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [5, 20])
        events.say(.success([]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [20])
        #expect(try await parts.guidance.listDemandResponse(DemandResponseFilter()).events == [mine])
    }

    @Test func `one source withdraws nothing of another, and one wrong event keeps none from being withdrawn`()
        async throws
    {
        let (first, second) = (FakeEvents("cec-midas:A@X"), FakeEvents("cec-midas:A@Y"))
        let parts = try await Self.parts([Parts.home(region: "X")], events: first, second)
        let alert = try Self.event(2, 4, scope: .region("X"))
        first.say(.success([alert]))
        second.say(.success([try Self.event(5, 6, scope: .region("Y"))]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [2, 3])
        #expect(try await parts.get().basis.events.map(\.source) == [first.name])
        second.say(.success([]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [2, 3])
        first.say(.success([try Self.event(1, 1 + 8 * 24), try Self.event(7, 8)]))
        await parts.guidance.refresh()
        #expect(try await Self.ratedOne(parts.get()) == [7])
    }
}
