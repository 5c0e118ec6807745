import CBCSolver
import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What is asked of home batteries, appliances and buildings besides their goals, and what is told without storing it.
struct HomeLoadRulesTests: HomeLoadWorld {
    @Test func `an appliance comes before a car if its priority says so`() async throws {
        // Room for one of them in the only hours there are.
        let world = try await world([0.5, 0.5])
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: SchedulerWorld.power(6_000_000)))
        _ = try await goal(world, SchedulerWorld.car, .energy(Energy(milliwattHours: 12_000_000)), hours: 2)
        _ = try await goal(world, dishwasher, .run, hours: 2)
        func missing() async -> [String] {
            await world.scheduler.schedules(ScheduleFilter()).schedules.filter { $0.missing > .zero }.map(\.deviceID)
        }
        let rules = ChargingRules(priority: 5)
        let stored = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: "dishwasher", rules: rules))
        #expect(stored.rules == rules && stored.load == dishwasher.load)
        #expect(await missing() == [SchedulerWorld.car.device.id])
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: "dishwasher", rules: ChargingRules(priority: -5)))
        #expect(await missing() == ["dishwasher"])
    }

    @Test func `a preview of an appliance tells three courses, and stores nothing`() async throws {
        let world = try await world([0.9, 0.1, 0.1, 0.5], prices: [0.4, 0.1, 0.1, 0.2])
        for device in [dishwasher, SchedulerWorld.car] { _ = try await world.scheduler.put(device) }
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, exclusive: [["dishwasher", SchedulerWorld.car.device.id]]))
        let draft = GoalDraft(venueID: venueID, deviceID: "dishwasher", readyBy: world.hours(4), target: .run)
        let preview = try await world.scheduler.preview(draft)
        #expect(preview.planned.planned == Energy(milliwattHours: 2_000_000))
        #expect(preview.best.costMicros == 200_000 && preview.planned.costMicros == 200_000)
        // 2 kW and 1 kW for half an hour each at 0.4, then half an hour of 1 kW at 0.1.
        #expect(preview.atOnce.costMicros == 650_000 && preview.atOnce.ready == world.hours(1.5))
        #expect(preview.atOnce.missing == .zero)
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
    }

    @Test func `what cannot be previewed is said, with what can`() async throws {
        let world = try await world([0.5, 0.5])
        for device in [heatPump(21, setback: 2), SchedulerWorld.heatPump] {
            _ = try await world.scheduler.put(device)
            let error = await #expect(throws: EnergyError.self) {
                try await world.scheduler.preview(
                    GoalDraft(
                        venueID: venueID, deviceID: device.device.id, readyBy: world.hours(2),
                        target: .reduce(maxMilliseconds: .millisecondsPerHour)))
            }
            #expect(error?.code == .invalidInput && error?.message.contains("see the schedule") == true)
        }
    }

    @Test func `a preview of a home battery tells what it is to the home, and stores nothing`() async throws {
        let world = try await world([0.9, 0.1, 0.1, 0.5], prices: [0.4, 0.1, 0.1, 0.2])
        _ = try await world.scheduler.put(battery(50))
        let preview = try await world.scheduler.preview(
            GoalDraft(venueID: venueID, deviceID: "battery", readyBy: world.hours(4), target: .stateOfCharge(90)))
        // 4 kWh: at 0.1 if it may wait, at 0.4 if not. Nobody is there to give anything to.
        #expect(preview.planned.costMicros == 400_000 && preview.best.costMicros == 400_000)
        #expect(preview.atOnce.costMicros == 1_600_000 && preview.atOnce.ready == world.hours(0.8))
        #expect([preview.planned, preview.atOnce, preview.best].map(\.missing) == [.zero, .zero, .zero])
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
    }

    @Test func `a car costs what the home pays more for it, not what its own hours cost`() async throws {
        let world = try await world([0.1, 0.9, 0.9, 0.9], prices: [0.1, 0.4, 0.4, 0.4])
        // The house takes 2 kW in the three dear hours, and its battery has 6 kWh for them.
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: power(7), baseLoad: [power(1), power(0.5), power(0.5)]))
        _ = try await goal(world, battery(70, reserve: 10), .stateOfCharge(10), hours: 4)
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let preview = try await world.scheduler.preview(
            GoalDraft(
                venueID: venueID, deviceID: SchedulerWorld.car.device.id, readyBy: world.hours(4),
                target: .energy(Energy(milliwattHours: 6_000_000))))
        // 5 kWh fit under the limit at 0.1; the sixth is the battery's, and the house pays 0.4 for it later.
        #expect(preview.planned.missing == .zero && preview.planned.costMicros == 900_000)
        #expect(preview.atOnce.costMicros == 900_000)
        #expect(preview.best.costMicros == 600_000)
    }

    @Test func `what others lack for a goal has no price, and is told`() async throws {
        let world = try await world([0.9, 0.1], prices: [0.4, 0.1])
        _ = try await world.scheduler.put(VenueLimits(venueID: venueID, importPower: power(6)))
        _ = try await goal(world, battery(10), .stateOfCharge(10), hours: 2)
        let other = ManagedDevice(
            device: Device(id: "car-2", name: "Another", kind: SchedulerWorld.car.device.kind), venueID: venueID,
            vehicle: SchedulerWorld.car.vehicle)
        _ = try await goal(world, other, .energy(Energy(milliwattHours: 6_000_000)), hours: 1)
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let preview = try await world.scheduler.preview(
            GoalDraft(
                venueID: venueID, deviceID: SchedulerWorld.car.device.id, readyBy: world.hours(1),
                target: .energy(Energy(milliwattHours: 3_000_000))))
        // The home takes the 6 kWh that its limit leaves, with the goal and without.
        #expect(preview.atOnce.missing == .zero && preview.atOnce.costMicros == 1_200_000)
        #expect(preview.atOnce.explanation.hasSuffix("Others lack 3.0 kWh for it."))
        #expect(preview.best.missing == .zero && preview.best.costMicros == 1_200_000)
        #expect(!preview.best.explanation.contains("Others lack"))
    }

    @Test func `rules that a load does not know are refused`() async throws {
        let world = try await world([0.5, 0.5])
        for device in [dishwasher, heatPump(20), battery(50)] {
            _ = try await world.scheduler.put(device)
            let rules = ChargingRules(stateOfChargeMin: 20, priority: 5)
            await #expect(throws: EnergyError.self) {
                try await world.scheduler.put(
                    RulesDraft(venueID: venueID, deviceID: device.device.id, rules: rules))
            }
        }
    }

    @Test func `a heat pump starts less often if each start costs`() async throws {
        let ratings = [0.1, 0.6, 0.1, 0.6, 0.1, 0.6, 0.1, 0.6]
        var starts: [Int] = []
        for cost in [0.0, 1_000] {
            let world = try await world(ratings)
            var climate = ClimateTraits(
                resistance: 5, capacity: 4, performance: 3, comfortMin: 20, comfortMax: 23, powerMax: power(3),
                indoor: 20.5, outdoor: 5)
            climate.powerMin = power(0.8)
            let pump = device("heat-pump-1", .hvac, .climate(climate))
            _ = try await world.scheduler.put(pump)
            _ = try await world.scheduler.put(
                RulesDraft(
                    venueID: venueID, deviceID: pump.device.id,
                    rules: ChargingRules(shape: ChargingShape(startCost: cost))))
            let schedule = try await goal(world, pump, .reduce(maxMilliseconds: 1), hours: 8)
            let window = Interval(start: world.hours(0), milliseconds: 8 * .millisecondsPerHour)
            starts.append(Remainder(of: schedule, in: window).runs.count)
            #expect(schedule.explanation.hasPrefix("Keeps"))
        }
        #expect(starts[1] == 1 && starts[0] > 1)
    }
}
