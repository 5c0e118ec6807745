import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EnergyKit

struct GuidanceStreamTests {
    private let answer = Box<Result<Guidance, EnergyError>>(.failure(EnergyError(.unavailable, "no signal")))

    /// A guidance-publisher that says what `answer` holds.
    private var services: FakeServices {
        FakeServices { methods in
            methods.on(Methods.getGuidance) { [answer] (_, _) async throws(EnergyError) in try answer.value.get() }
            methods.on(Methods.checkHealth) { (_, _) async throws(EnergyError) in HealthCheckReply(status: .serving) }
        }
    }

    /// Guidance issued `issued` seconds after the start.
    private func guidance(_ issued: Int64) -> Guidance {
        let hour = Interval(start: EventSamples.now, milliseconds: .millisecondsPerHour)
        return Guidance(
            token: EventSamples.id(UInt64(issued)), venueID: EventSamples.venueID, action: .shift, interval: hour,
            values: [GuidanceValue(interval: hour, rating: 0.25)], locationHasRatePlan: true,
            incorporatesRatePlan: false, issued: EventSamples.now.advanced(byMilliseconds: issued * 1_000),
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private func publish(_ guidance: Guidance, _ services: FakeServices) {
        services.updates.send(
            .publication(
                Publication(
                    topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift), epoch: 1, sequence: 1,
                    body: guidance.encoded())))
    }

    private var stream: some AsyncSequence<ElectricityGuidance, any Error> {
        ElectricityGuidance.sharedService.guidance(
            using: ElectricityGuidance.Query(suggestedAction: .shift), at: EventSamples.venueID)
    }

    @Test func `the present guidance comes at once, then every new one`() async throws {
        let services = services
        answer.set(.success(guidance(1)))
        try await services.use {
            var updates = stream.makeAsyncIterator()
            await services.updates.waitForSubscriber()
            services.updates.send(.joined)
            let first = try #require(try await updates.next())
            #expect(first.guidanceToken == EventSamples.id(1))
            #expect(first.energyVenueID == EventSamples.venueID)
            #expect(first.interval.duration == 3_600)
            #expect(first.values.map(\.rating) == [0.25])
            #expect(first.options == [.locationHasRatePlan])
            #expect(first.suggestedAction == .shift)

            publish(guidance(2), services)
            #expect(try await updates.next()?.guidanceToken == EventSamples.id(2))
            // The publisher was away: what it says now is news.
            answer.set(.success(guidance(3)))
            services.updates.send(.joined)
            #expect(try await updates.next()?.guidanceToken == EventSamples.id(3))
        }
    }

    @Test func `who is slow gets the newest`() async throws {
        let services = services
        answer.set(.success(guidance(1)))
        try await services.use {
            var updates = stream.makeAsyncIterator()
            await services.updates.waitForSubscriber()
            services.updates.send(.joined)
            _ = try await updates.next()
            for issued in 2...50 { publish(guidance(Int64(issued)), services) }
            var last = EventSamples.id(1)
            while last != EventSamples.id(50) { last = try #require(try await updates.next()).guidanceToken }
        }
    }

    @Test(arguments: [
        (EnergyError.Code.notFound, EnergyKitError.venueUnavailable), (.denied, .permissionDenied),
        (.outOfRange, .unsupportedRegion), (.invalidInput, .guidanceUnavailable),
    ])
    func `what waiting cannot cure ends the stream`(code: EnergyError.Code, expected: EnergyKitError) async throws {
        let services = services
        answer.set(.failure(EnergyError(code, "no")))
        await services.use {
            var updates = stream.makeAsyncIterator()
            await services.updates.waitForSubscriber()
            services.updates.send(.joined)
            do {
                _ = try await updates.next()
                Issue.record("a value came")
            } catch { #expect(error as? EnergyKitError == expected) }
        }
    }

    @Test(arguments: [(false, EnergyKitError.guidanceUnavailable), (true, .serviceUnavailable)])
    func `without a first value it ends after a while, and says whether anybody is there`(
        isAway: Bool, expected: EnergyKitError
    ) async throws {
        let services = services
        services.table.isAway = isAway
        await services.use {
            var updates = stream.makeAsyncIterator()
            await services.clock.waitForSleepers()
            services.clock.advance(by: .seconds(10))
            do {
                _ = try await updates.next()
                Issue.record("a value came")
            } catch { #expect(error as? EnergyKitError == expected) }
        }
    }

    @Test func `after the first value it waits for an absent publisher for ever`() async throws {
        let services = services
        answer.set(.success(guidance(1)))
        try await services.use {
            var updates = stream.makeAsyncIterator()
            await services.updates.waitForSubscriber()
            services.updates.send(.joined)
            _ = try await updates.next()
            answer.set(.failure(EnergyError(.unavailable, "restarting")))
            services.updates.send(.joined)
            await services.clock.waitForSleepers(2)
            answer.set(.success(guidance(2)))
            services.clock.advance(by: .seconds(3_600))
            #expect(try await updates.next()?.guidanceToken == EventSamples.id(2))
        }
    }

    @Test func `cancelling the task ends the stream without an error`() async throws {
        let services = services
        try await services.use {
            let task = Task {
                for try await _ in stream { Issue.record("a value came") }
            }
            await services.updates.waitForSubscriber()
            task.cancel()
            try await task.value
        }
    }
}
