import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyKit

struct OutboxTests {
    /// A service that stores each event once, and fails as it is told; also after it stored.
    private final class Ingestor: Sendable {
        struct State {
            var stored: [UUID] = []
            var failures: [EnergyKitError] = []
            var lostAnswers = 0
            var refused: Set<UUID> = []
            var calls = 0
        }
        let state = Box(State())
        let changes: AsyncStream<Void>
        private let change: AsyncStream<Void>.Continuation

        init() { (changes, change) = AsyncStream.makeStream() }

        func submit(_ events: [any ElectricalLoadEventProtocol]) throws {
            let ids = events.compactMap { StoredEvent($0)?.id }
            let failure = state.update { state -> EnergyKitError? in
                state.calls += 1
                if let failure = state.failures.popLast() { return failure }
                if !state.refused.isDisjoint(with: ids) { return .invalidLoadEvent }
                state.stored += ids.filter { !state.stored.contains($0) }
                guard state.lostAnswers > 0 else { return nil }
                state.lostAnswers -= 1
                return .serviceUnavailable
            }
            change.yield()
            if let failure { throw failure }
        }

        func waitForStored(_ count: Int) async {
            while state.value.stored.count < count { await changes.next() }
        }
    }

    private let folder: TemporaryFolder
    private let ingestor = Ingestor()
    private let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    private func outbox(eventsMax: Int = 10_000) throws -> LoadEventOutbox {
        try LoadEventOutbox(directory: folder.url, eventsMax: eventsMax, clock: clock) { [ingestor] _, events in
            try ingestor.submit(events)
        }
    }

    private func events(_ count: Int) -> [ElectricVehicleLoadEvent] { (0..<count).map { _ in Made.vehicle() } }

    @Test func `events wait on disk until somebody sends them, over restarts, in order`() async throws {
        let events = events(30)
        for event in events {
            // As a program that ends after each event.
            let outbox = try outbox()
            try await outbox.add([event], toVenue: EventSamples.venueID)
        }
        let outbox = try outbox()
        #expect(await outbox.pendingCount == 30)
        let sending = Task { try await outbox.run() }
        await ingestor.waitForStored(30)
        #expect(ingestor.state.value.stored == events.map(\.id))
        sending.cancel()
        try await sending.value
        #expect(await outbox.pendingCount == 0)
    }

    @Test func `an event survives being written down, to the last bit`() async throws {
        let metrics = ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics(
            estimatedRange: Measurement(value: 0.1 + 0.2, unit: .miles))
        let event = Made.vehicle(
            at: Date(timeIntervalSince1970: 1_772_366_400.123), energy: Measurement(value: 1 / 3, unit: .kilowattHours),
            metrics: metrics)
        let first = try outbox()
        try await first.add([event, Made.hvac(), Made.status()], toVenue: EventSamples.venueID)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first { $0.hasSuffix(".json") })
        let data = try Data(contentsOf: folder.url.appending(path: file))
        let batch = try JSONDecoder().decode(StoredBatch.self, from: data)
        guard case .vehicle(let copy) = batch.events[0] else { throw EnergyKitError.invalidLoadEvent }
        #expect(try copy.model(venueID: EventSamples.venueID) == event.model(venueID: EventSamples.venueID))
        #expect(batch.events.count == 3)
    }

    @Test func `failures that may pass are tried again, with waits that double`() async throws {
        ingestor.state.update { $0.failures = [.permissionDenied, .rateLimitExceeded, .serviceUnavailable] }
        let outbox = try outbox()
        let events = events(3)
        try await outbox.add(events, toVenue: EventSamples.venueID)
        let sending = Task { try await outbox.run() }
        // Half a step to a step: 0.5...1 s, 1...2 s, 2...4 s.
        for wait in [Duration.seconds(1), .seconds(2), .seconds(4)] {
            await clock.waitForSleepers()
            #expect(ingestor.state.value.stored.isEmpty)
            clock.advance(by: wait)
        }
        await ingestor.waitForStored(3)
        #expect(ingestor.state.value.stored == events.map(\.id))
        sending.cancel()
        try await sending.value
    }

    @Test func `an answer that is lost loses nothing and repeats nothing`() async throws {
        ingestor.state.update { $0.lostAnswers = 2 }
        let outbox = try outbox()
        let events = events(5)
        try await outbox.add(events, toVenue: EventSamples.venueID)
        let sending = Task { try await outbox.run() }
        for _ in 0..<2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        let more = Made.vehicle()
        try await outbox.add([more], toVenue: EventSamples.venueID)
        await ingestor.waitForStored(6)
        #expect(ingestor.state.value.stored == events.map(\.id) + [more.id])
        sending.cancel()
        try await sending.value
        #expect(await outbox.pendingCount == 0)
    }

    @Test func `a refused event is set aside, the others go on`() async throws {
        let events = events(5)
        ingestor.state.update { $0.refused = [events[2].id] }
        let outbox = try outbox()
        for event in events { try await outbox.add([event], toVenue: EventSamples.venueID) }
        let (refusals, refuse) = AsyncStream<LoadEventOutbox.Refusal>.makeStream()
        await outbox.setRefusalHandler { refuse.yield($0) }
        let sending = Task { try await outbox.run() }
        let refusal = try #require(await refusals.next())
        #expect(refusal.eventIDs == [events[2].id])
        #expect(refusal.error == .invalidLoadEvent)
        await ingestor.waitForStored(4)
        #expect(ingestor.state.value.stored == events.map(\.id).filter { $0 != events[2].id })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("refused")).count == 1)
        sending.cancel()
        try await sending.value
    }

    @Test func `a damaged file does not stop the others`() async throws {
        let events = events(2)
        let first = try outbox()
        for event in events { try await first.add([event], toVenue: EventSamples.venueID) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            $0.hasSuffix(".json")
        }
        try Data("{".utf8).write(to: folder.url.appending(path: try #require(files.min())))
        try Data("half".utf8).write(to: folder.url.appending(path: "00000000000000000009-1.json.new"))
        let sending = Task { try await first.run() }
        await ingestor.waitForStored(1)
        #expect(ingestor.state.value.stored == [events[1].id])
        sending.cancel()
        try await sending.value
    }

    @Test func `what does not fit is refused, and nothing of it is kept`() async throws {
        struct Own: ElectricalLoadEventProtocol { var id = UUID() }
        let outbox = try outbox(eventsMax: 3)
        try await outbox.add(events(2), toVenue: EventSamples.venueID)
        await #expect(throws: LoadEventOutboxError.full) {
            try await outbox.add(events(2), toVenue: EventSamples.venueID)
        }
        await #expect(throws: LoadEventOutboxError.unknownEvent) {
            try await outbox.add([Own()], toVenue: EventSamples.venueID)
        }
        #expect(await outbox.pendingCount == 2)
    }

    @Test func `a folder has one outbox, and an outbox one sender`() async throws {
        let outbox = try outbox()
        #expect(throws: LoadEventOutboxError.inUse) { try self.outbox() }
        ingestor.state.update { $0.failures = [.serviceUnavailable] }
        try await outbox.add(events(1), toVenue: EventSamples.venueID)
        let sending = Task { try await outbox.run() }
        await clock.waitForSleepers()
        await #expect(throws: LoadEventOutboxError.running) { try await outbox.run() }
        sending.cancel()
        try await sending.value
    }

    @Test func `an outbox that is refused closes its own file once, and nobody else's`() async throws {
        let outbox = try outbox()
        let isOver = Box(false)
        // Closed a second time, the number is by then the file of somebody else now and then: it is closed on him.
        async let stolen = onThread {
            var stolen = 0
            while !isOver.value {
                let files = (0..<8).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
                for file in files where close(file) != 0 { stolen += 1 }
            }
            return stolen
        }
        for _ in 0..<5_000 { #expect(throws: LoadEventOutboxError.inUse) { try self.outbox() } }
        isOver.set(true)
        #expect(try await stolen == 0)
        #expect(await outbox.pendingCount == 0)
    }
}
