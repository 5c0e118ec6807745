import EnergyModel
import EnergyStore
import EnergyWire
import Testing

@testable import Scheduling

@Suite struct `The goals of a home battery`: HomeLoadWorld {
    private func add(
        _ world: SchedulerWorld, _ device: ManagedDevice, _ target: Goal.Target, hours: Double
    ) async throws -> Schedule {
        try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: device.device.id, readyBy: world.hours(hours), target: target,
                keepsOthers: true))
    }

    /// Percent after so many hours, of a battery of 10 kWh without losses.
    private func state(_ schedule: Schedule, _ world: SchedulerWorld, from percent: Double, hours: Double) -> Double {
        schedule.blocks.filter { $0.interval.end <= world.hours(hours) }.reduce(percent) { sum, block in
            sum + (block.isDischarging ? -10 : 10) * block.energy.kilowattHours
        }
    }

    @Test func `hold at their own times, however long others are planned`() async throws {
        let world = try await world([0.5, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
        _ = try await goal(world, SchedulerWorld.car, .energy(Energy(milliwattHours: 11_000_000)), hours: 8)
        let schedule = try await goal(world, battery(10), .stateOfCharge(60), hours: 2)
        #expect(abs(state(schedule, world, from: 10, hours: 2) - 60) < 0.1)
        #expect(schedule.missing == .zero)
    }

    @Test func `may be several`() async throws {
        let world = try await world([0.5, 0.5, 0.1, 0.5])
        _ = try await goal(world, battery(10), .stateOfCharge(40), hours: 1)
        let schedule = try await add(world, battery(10), .stateOfCharge(90), hours: 4)
        #expect(schedule.goals.count == 2)
        #expect(abs(state(schedule, world, from: 10, hours: 1) - 40) < 0.1)
        #expect(abs(state(schedule, world, from: 10, hours: 4) - 90) < 0.1)
    }

    @Test func `that cannot be had are followed as far as they can, and say what is missing`() async throws {
        let world = try await world([0.5, 0.5])
        let schedule = try await goal(world, battery(10), .stateOfCharge(100), hours: 1)
        #expect(schedule.missing == Energy(milliwattHours: 4_000_000))
        #expect(schedule.explanation.hasSuffix("4.0 kWh will be missing, because the time is too short"))
        #expect(abs(state(schedule, world, from: 10, hours: 1) - 60) < 0.1)
    }

    @Test func `below its reserve it is charged at once`() async throws {
        let world = try await world([0.9, 0.1, 0.1, 0.1])
        let schedule = try await goal(world, battery(10, reserve: 40), .stateOfCharge(40), hours: 4)
        #expect(abs(state(schedule, world, from: 10, hours: 1) - 40) < 0.1)
    }

    @Test func `have a priority, and no other rules`() async throws {
        let world = try await world([0.5])
        _ = try await world.scheduler.put(battery(10))
        let put = { (rules: ChargingRules) async throws in
            _ = try await world.scheduler.put(
                RulesDraft(venueID: self.venueID, deviceID: "battery", rules: rules))
        }
        try await put(ChargingRules(priority: 3))
        await #expect(throws: EnergyError.self) { try await put(ChargingRules(stateOfChargeMin: 30)) }
    }
}
