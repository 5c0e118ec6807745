import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

struct SchedulerTests {
    private func goal(_ world: SchedulerWorld, _ target: Goal.Target, hours: Double = 8) -> GoalDraft {
        GoalDraft(
            venueID: EventSamples.venueID, deviceID: EventSamples.car.id, readyBy: world.hours(hours), target: target)
    }

    private let sixKilowattHours = Goal.Target.energy(Energy(milliwattHours: 6_000_000))

    private func starts(_ schedule: Schedule?) -> [Timestamp] {
        schedule?.blocks.filter { $0.power > .zero }.map(\.interval.start) ?? []
    }

    /// Runs the scheduler while `body` runs.
    private func running(_ world: SchedulerWorld, _ body: () async throws -> Void) async throws {
        let task = Task { await world.scheduler.run() }
        await world.eventUpdates.waitForSubscriber()
        do { try await body() } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        await task.value
    }

    @Test func `a goal is answered with its schedule, which is published, listed and stored`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.5, 0.1, 0.7, 0.9, 0.9, 0.9, 0.9]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let schedule = try await world.scheduler.put(goal(world, sixKilowattHours))
        #expect(starts(schedule) == [world.hours(2)])
        #expect(schedule.revision == 1)
        // 12:00 UTC is 04:00 in the venue's zone.
        #expect(
            schedule.explanation
                == "Waits for cleaner energy: starts 06:00, ready by 07:00 (needs 1 h at 6.0 kW)")
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules == [schedule])
        #expect(try await world.store.load().records.map(\.schedule) == [schedule])
        let published = world.publisher.publications
        let publication = try #require(await published.next())
        #expect(publication.topic == Topics.schedule(venueID: schedule.venueID, deviceID: schedule.deviceID))
        #expect(try Schedule(decoding: publication.body) == schedule)
    }

    @Test func `without guidance it charges at once, and plans again when guidance comes`() async throws {
        let world = try await SchedulerWorld()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let published = world.publisher.publications
        try await running(world) {
            let first = try await world.scheduler.put(goal(world, sixKilowattHours))
            #expect(first.blocks.first?.reason == .noGuidance)
            _ = await published.next()
            await world.guidanceUpdates.waitForSubscriber()
            let guidance = world.guidance([0.9, 0.5, 0.1, 0.7])
            world.guidanceUpdates.send(
                .publication(
                    Publication(
                        topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift), epoch: 1, sequence: 1,
                        body: guidance.encoded())))
            let second = try Schedule(decoding: try #require(await published.next()).body)
            #expect(starts(second) == [world.hours(2)])
            #expect(second.guidanceToken == guidance.token)
            #expect(second.revision == 2)
        }
    }

    @Test func `a slightly better guidance does not throw a schedule over, a clearly better one does`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.5, 0.1, 0.7]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let published = world.publisher.publications
        try await running(world) {
            let first = try await world.scheduler.put(goal(world, sixKilowattHours))
            _ = await published.next()
            await world.guidanceUpdates.waitForSubscriber()
            for (issued, ratings) in [(1.0, [0.9, 0.09, 0.1, 0.7]), (2.0, [0.9, 0.5, 0.3, 0.1])] {
                world.guidanceUpdates.send(
                    .publication(
                        Publication(
                            topic: Topics.guidance(venueID: EventSamples.venueID, action: .shift), epoch: 1,
                            sequence: UInt64(issued), body: world.guidance(ratings, issued: issued).encoded())))
            }
            let second = try Schedule(decoding: try #require(await published.next()).body)
            #expect(starts(first) == [world.hours(2)])
            #expect(starts(second) == [world.hours(3)])
            #expect(second.revision == 2)
        }
    }

    @Test func `a plan that is kept shows the ratings of the guidance now valid`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.5, 0.1, 0.7, 0.3]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        try await running(world) {
            let first = try await world.scheduler.put(goal(world, sixKilowattHours, hours: 6))
            await world.guidanceUpdates.waitForSubscriber()
            await world.scheduler.receive(
                world.guidance([1, 1, 0.2, 0.7, 0.3], issued: 1),
                .init(venueID: EventSamples.venueID, action: .shift))
            let kept = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
            #expect(kept.id == first.id && kept.explanation == first.explanation)
            #expect(kept.blocks.map(\.interval) == first.blocks.map(\.interval))
            #expect(first.blocks.map(\.rating).prefix(2) == [0.7, 0.1])
            #expect(kept.blocks.map(\.rating).prefix(2) == [1, 0.2])
            // The last hour is not rated: its block stays as it was.
            #expect(kept.blocks.last == first.blocks.last)
        }
    }

    @Test func `what a session brought counts toward the goal, until the target is reached`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance(Array(repeating: 0.5, count: 8)))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let published = world.publisher.publications
        try await running(world) {
            _ = try await world.scheduler.put(goal(world, sixKilowattHours))
            _ = await published.next()
            world.append([
                EventSamples.vehicle(at: world.hours(0), .begin),
                EventSamples.vehicle(at: world.hours(0.5), .active, power: 6_000_000, energy: 3_000_000),
            ])
            world.append([EventSamples.vehicle(at: world.hours(1), .end, energy: 6_000_000)])
            world.eventUpdates.send(.joined)
            let last = try Schedule(decoding: try #require(await published.next()).body)
            #expect(last.blocks.map(\.reason) == [.targetReached])
            #expect(last.required == .zero)
            #expect(last.explanation == "The target is reached")
        }
        let content = try await world.store.load()
        #expect(content.positions.map(\.sequence) == [2])
        #expect(content.records.first?.progress.sinceGoal == Energy(milliwattHours: 6_000_000))
    }

    @Test func `a log that was restored is read from its beginning, and what a session brought counts once`()
        async throws
    {
        let store = ObservedStore()
        let world = try await SchedulerWorld(store: store)
        _ = try await world.scheduler.put(SchedulerWorld.car)
        /// The first that is more than `energy`: plans are saved besides.
        func brought(moreThan energy: Int64) async -> Int64? {
            for await records in store.saves {
                if let now = records.first?.progress.sinceGoal.milliwattHours, now > energy { return now }
            }
            return nil
        }
        let before = [
            EventSamples.vehicle(at: world.hours(0), .begin),
            EventSamples.vehicle(at: world.hours(0.5), .active, power: 6_000_000, energy: 3_000_000),
        ]
        try await running(world) {
            _ = try await world.scheduler.put(goal(world, .energy(Energy(milliwattHours: 60_000_000)), hours: 20))
            world.append(before)
            world.eventUpdates.send(.joined)
            #expect(await brought(moreThan: 0) == 3_000_000)
            world.replaceLog()
            world.append(before)
            world.append([EventSamples.vehicle(at: world.hours(0.75), .active, power: 6_000_000, energy: 4_500_000)])
            world.eventUpdates.send(.joined)
            #expect(await brought(moreThan: 3_000_000) == 4_500_000)
        }
    }

    @Test func `a vehicle that is unplugged while it charges is told at once, and that it is plugged in again`()
        async throws
    {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance(Array(repeating: 0.5, count: 8)))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let published = world.publisher.publications
        try await running(world) {
            _ = try await world.scheduler.put(goal(world, sixKilowattHours))
            _ = try await world.scheduler.override(
                OverrideRequest(
                    venueID: EventSamples.venueID, deviceID: SchedulerWorld.car.device.id, action: .chargeNow))
            _ = await published.next()
            _ = await published.next()
            let told: [(Event, Bool)] = [
                (EventSamples.vehicle(at: world.hours(0), .begin), false),
                (EventSamples.status(at: world.hours(0.02), .unplugged), true),
                (EventSamples.status(at: world.hours(0.03)), false),
            ]
            for (event, isUnplugged) in told {
                world.append([event])
                world.eventUpdates.send(.joined)
                guard event != told[0].0 else { continue }
                let schedule = try Schedule(decoding: try #require(await published.next()).body)
                #expect(schedule.explanation.contains("Not plugged in") == isUnplugged)
                #expect((schedule.blocks.first?.power == SchedulerWorld.power(6_000_000)) == !isUnplugged)
            }
        }
    }

    @Test func `the first state of charge it hears replaces the guess`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance(Array(repeating: 0.5, count: 24)))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let published = world.publisher.publications
        try await running(world) {
            let first = try await world.scheduler.put(goal(world, .stateOfCharge(80), hours: 20))
            #expect(first.required == Energy(milliwattHours: 48_000_000))
            #expect(first.explanation.contains("not known yet"))
            _ = await published.next()
            world.append([EventSamples.status(stateOfCharge: 50)])
            world.eventUpdates.send(.joined)
            let second = try Schedule(decoding: try #require(await published.next()).body)
            #expect(second.required == Energy(milliwattHours: 18_000_000))
        }
    }

    @Test func `at the deadline the goal is over`() async throws {
        let world = try await SchedulerWorld()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(goal(world, sixKilowattHours, hours: 0.5))
        world.clock.advance(by: .seconds(1_799))
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.count == 1)
        world.clock.advance(by: .seconds(1))
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
    }

    @Test func `a goal whose deadline has passed is removed from the store too`() async throws {
        let store = ObservedStore()
        let world = try await SchedulerWorld(store: store)
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(goal(world, sixKilowattHours, hours: 0.5))
        try await running(world) {
            world.clock.advance(by: .seconds(1_800))
            while let saved = await store.saves.next(), saved.contains(where: { $0.goal != nil || $0.revision == 0 }) {}
        }
        let content = try await store.load()
        #expect(content.records.map(\.goal) == [nil])
        #expect(content.records.map(\.revision) == [1])
    }

    @Test func `after a restart it knows its devices, goals and schedules`() async throws {
        let first = try await SchedulerWorld()
        _ = try await first.scheduler.put(SchedulerWorld.car)
        let schedule = try await first.scheduler.put(goal(first, sixKilowattHours))
        let second = try await SchedulerWorld(store: first.store)
        #expect(await second.scheduler.devices(VenueFilter()).devices == [SchedulerWorld.car])
        #expect(await second.scheduler.schedules(ScheduleFilter()).schedules == [schedule])
        let next = try await second.scheduler.put(goal(second, sixKilowattHours))
        #expect(next.revision == 2)
    }

    @Test func `a removed goal leaves no schedule, and its followers are told`() async throws {
        let world = try await SchedulerWorld()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(goal(world, sixKilowattHours))
        let reference = DeviceReference(venueID: EventSamples.venueID, deviceID: EventSamples.car.id)
        try await world.scheduler.deleteGoal(of: reference)
        try await world.scheduler.deleteGoal(of: reference)
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
        let published = world.publisher.publications
        _ = await published.next()
        let last = try Schedule(decoding: try #require(await published.next()).body)
        #expect(last.blocks.isEmpty)
        #expect(last.revision == 2)
    }

    @Test func `a removed device is forgotten with its goal, and its followers are told`() async throws {
        let world = try await SchedulerWorld()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(SchedulerWorld.heatPump)
        _ = try await world.scheduler.put(goal(world, sixKilowattHours))
        let removal = DeviceRemoval(venueID: EventSamples.venueID, deviceID: EventSamples.car.id)
        try await world.scheduler.remove(removal)
        #expect(await world.scheduler.devices(VenueFilter()).devices == [SchedulerWorld.heatPump])
        #expect(try await world.store.load().records.map(\.device) == [SchedulerWorld.heatPump])
        let published = world.publisher.publications
        _ = await published.next()
        #expect(try Schedule(decoding: try #require(await published.next()).body).blocks.isEmpty)
        let error = await #expect(throws: EnergyError.self) { try await world.scheduler.remove(removal) }
        #expect(error?.code == .notFound)
    }

    @Test func `heating runs reduced in the worst hours`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.1, 0.9, 0.2, 0.3], action: .reduce))
        _ = try await world.scheduler.put(SchedulerWorld.heatPump)
        let schedule = try await world.scheduler.put(
            GoalDraft(
                venueID: EventSamples.venueID, deviceID: EventSamples.heatPump.id, readyBy: world.hours(4),
                target: .reduce(maxMilliseconds: .millisecondsPerHour)))
        #expect(schedule.blocks.map(\.reason) == [.normal, .reduced, .normal])
        #expect(schedule.blocks[1].interval.start == world.hours(1))
    }
}
