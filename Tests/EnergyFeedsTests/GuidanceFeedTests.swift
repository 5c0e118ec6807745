import EnergyFeeds
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

struct GuidanceFeedTests {
    /// Who answers and publishes, played by the test.
    private final class World: Sendable {
        let clock = ManualClock()
        let updates = HandSubscriber()
        let answer = Box<Result<Guidance, EnergyError>>(.failure(EnergyError(.unavailable, "not yet")))
        let received: AsyncStream<Guidance>
        let failures: AsyncStream<EnergyError>
        private let sink: AsyncStream<Guidance>.Continuation
        private let failed: AsyncStream<EnergyError>.Continuation

        init() {
            (received, sink) = AsyncStream.makeStream()
            (failures, failed) = AsyncStream.makeStream()
        }

        func run() async throws(EnergyError) {
            var table = MethodTable()
            table.on(Methods.getGuidance) { [answer] (_, _) async throws(EnergyError) in try answer.value.get() }
            let feed = GuidanceFeed(
                venueID: EventSamples.venueID, action: .shift, client: TableClient(table), subscriber: updates,
                clock: clock, onFailure: { [failed] error, _ in failed.yield(error) })
            try await feed.run { sink.yield($0) }
        }

        func publish(_ guidance: Guidance) {
            updates.send(
                .publication(
                    Publication(
                        topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift), epoch: 1, sequence: 1,
                        body: guidance.encoded())))
        }
    }

    /// Guidance issued `issued` seconds after the start.
    private func guidance(_ issued: Int64) -> Guidance {
        let day = Interval(start: EventSamples.now, milliseconds: .millisecondsPerDay)
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift, interval: day,
            values: [GuidanceValue(interval: day, rating: 0.5)], locationHasRatePlan: false,
            incorporatesRatePlan: false, issued: EventSamples.now.advanced(byMilliseconds: issued * 1_000),
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private func running(_ body: (World) async throws -> Void) async throws {
        let world = World()
        let task = Task { try await world.run() }
        await world.updates.waitForSubscriber()
        do { try await body(world) } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        _ = await task.result
    }

    @Test func `the present guidance comes when the subscription is joined, then each new one`() async throws {
        try await running { world in
            let (first, second) = (guidance(1), guidance(2))
            world.answer.set(.success(first))
            world.updates.send(.joined)
            #expect(await world.received.next() == first)
            world.publish(second)
            #expect(await world.received.next() == second)
        }
    }

    @Test func `an older guidance and one that is known are dropped`() async throws {
        try await running { world in
            let (old, new, newest) = (guidance(1), guidance(2), guidance(3))
            world.publish(new)
            #expect(await world.received.next() == new)
            world.publish(new)
            world.publish(old)
            world.answer.set(.success(old))
            world.updates.send(.joined)
            world.publish(newest)
            #expect(await world.received.next() == newest)
        }
    }

    @Test func `what was missed is asked for`() async throws {
        try await running { world in
            world.answer.set(.success(guidance(1)))
            world.updates.send(.joined)
            _ = await world.received.next()
            let missed = guidance(2)
            world.answer.set(.success(missed))
            world.updates.send(.missed(topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift)))
            #expect(await world.received.next() == missed)
        }
    }

    @Test func `a publisher that cannot answer is asked again after a wait`() async throws {
        try await running { world in
            world.updates.send(.joined)
            #expect(await world.failures.next()?.code == .unavailable)
            await world.clock.waitForSleepers()
            let first = guidance(1)
            world.answer.set(.success(first))
            world.clock.advance(by: .seconds(1))
            #expect(await world.received.next() == first)
        }
    }

    @Test func `publications arrive while a snapshot waits to be asked for again`() async throws {
        try await running { world in
            world.updates.send(.joined)
            _ = await world.failures.next()
            let first = guidance(1)
            world.publish(first)
            #expect(await world.received.next() == first)
        }
    }

    @Test(arguments: [EnergyError.Code.notFound, .denied, .invalidInput])
    func `a refusal that asking again cannot cure ends the feed`(code: EnergyError.Code) async throws {
        let world = World()
        world.answer.set(.failure(EnergyError(code, "no")))
        let task = Task { try await world.run() }
        await world.updates.waitForSubscriber()
        world.updates.send(.joined)
        await #expect(throws: EnergyError.self) { try await task.value }
    }

    @Test func `bytes that are no guidance are told and skipped`() async throws {
        try await running { world in
            world.updates.send(
                .publication(
                    Publication(
                        topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift), epoch: 1, sequence: 1,
                        body: [0xFF, 0xFF])))
            #expect(await world.failures.next()?.code == .invalidInput)
            let first = guidance(1)
            world.publish(first)
            #expect(await world.received.next() == first)
        }
    }
}

struct AlarmTests {
    @Test func `a ring before the wait counts for it`() async {
        let alarm = Alarm(clock: ManualClock())
        alarm.ring()
        await alarm.wait(for: .seconds(3_600))
    }

    @Test func `it waits for the time, or for a ring`() async {
        let clock = ManualClock()
        let alarm = Alarm(clock: clock)
        let byTime = Task { await alarm.wait(for: .seconds(5)) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        await byTime.value
        let byRing = Task { await alarm.wait(for: .seconds(5)) }
        await clock.waitForSleepers()
        alarm.ring()
        await byRing.value
    }

    @Test func `cancelling the task ends the wait`() async {
        let clock = ManualClock()
        let alarm = Alarm(clock: clock)
        let task = Task { await alarm.wait(for: .seconds(5)) }
        await clock.waitForSleepers()
        task.cancel()
        await task.value
    }
}
