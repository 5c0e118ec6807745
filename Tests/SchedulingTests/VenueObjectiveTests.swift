import CBCSolver
import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What a venue's plans make small, as others set it.
struct VenueObjectiveTests {
    private let venueID = EventSamples.venueID

    /// An hour of a car: the second is rated best, the third is cheapest, the fourth is cleanest.
    private func world(_ store: any ScheduleStore = InMemoryScheduleStore()) async throws -> SchedulerWorld {
        let world = try await SchedulerWorld(store: store)
        let told = world.guidance([0.9, 0.1, 0.5, 0.8], prices: [0.4, 0.3, 0.1, 0.2])
        let carbon = [400.0, 300, 200, 50]
        let values = zip(told.values, carbon).map {
            GuidanceValue(interval: $0.interval, rating: $0.rating, carbonIntensity: $1, price: $0.price)
        }
        world.setGuidance(
            Guidance(
                token: told.token, venueID: venueID, action: .shift, interval: told.interval, values: values,
                locationHasRatePlan: true, incorporatesRatePlan: true, issued: told.issued, basis: told.basis))
        return world
    }

    private func ask(_ world: SchedulerWorld, _ objective: VenueObjective?) async throws -> VenueLimits {
        try await world.scheduler.put(VenueLimits(venueID: venueID, isDefault: true, objective: objective))
    }

    private func start(_ world: SchedulerWorld) async -> Timestamp? {
        await world.scheduler.schedules(ScheduleFilter()).schedules.first?.blocks.first { $0.power > .zero }?
            .interval.start
    }

    @Test func `an objective that is set is planned by at once, remembered, and can be taken back`() async throws {
        let world = try await world()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: EventSamples.car.id, readyBy: world.hours(4),
                target: .energy(Energy(milliwattHours: 6_000_000))))
        #expect(await start(world) == world.hours(1))
        #expect(try await ask(world, .money).objective == .money)
        #expect(await start(world) == world.hours(2))
        _ = try await ask(world, .carbon)
        #expect(await start(world) == world.hours(3))
        // 0.1 dearer, but 0.15 kg cleaner.
        _ = try await ask(world, VenueObjective(money: 1, carbon: 0.5))
        #expect(await start(world) == world.hours(2))
        let mix = VenueObjective(money: 1, carbon: 1)
        _ = try await ask(world, mix)
        #expect(await start(world) == world.hours(3))
        // Other limits leave it as it is.
        let limited = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: SchedulerWorld.power(9_000_000)))
        #expect(limited.objective == mix && !limited.isDefault)
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.limits(of: PlannedVenue(venueID: venueID)) == limited)
        #expect(try await ask(world, VenueObjective.none).objective == .rating)
        #expect(await start(world) == world.hours(1))
        #expect(try await world.store.load().venues.isEmpty)
    }

    @Test func `an objective that is set alone leaves the limits that somebody else sets meanwhile`() async throws {
        let world = try await world()
        let limits = VenueLimits(venueID: venueID, importPower: SchedulerWorld.power(9_000_000))
        async let first = world.scheduler.put(limits)
        async let second = world.scheduler.put(ObjectiveDraft(venueID: venueID, objective: .money))
        _ = try await (first, second)
        let both = await world.scheduler.limits(of: PlannedVenue(venueID: venueID))
        #expect(both.importPower == limits.importPower && both.objective == .money && !both.isDefault)
        let back = try await world.scheduler.put(ObjectiveDraft(venueID: venueID, objective: .none))
        #expect(back.importPower == limits.importPower && back.objective == .rating)
        await #expect(throws: EnergyError.self) {
            try await world.scheduler.put(ObjectiveDraft(venueID: venueID, objective: VenueObjective(money: .nan)))
        }
    }

    @Test(arguments: [-0.5, .nan, 2_000_000])
    func `a weight out of range is refused`(weight: Double) async throws {
        let world = try await world()
        await #expect(throws: EnergyError.self) { try await ask(world, VenueObjective(carbon: weight)) }
    }
}
