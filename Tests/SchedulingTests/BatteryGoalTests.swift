import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
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
        #expect(
            schedule.explanation.hasSuffix(
                "4.0 kWh will be missing, because the time is too short; what helps: be ready 48 min later (05:48); or ask "
                    + "for 4 kWh less"), "\(schedule.explanation)")
        #expect(abs(state(schedule, world, from: 10, hours: 1) - 60) < 0.1)
    }

    @Test func `below its reserve it is charged at once`() async throws {
        let world = try await world([0.9, 0.1, 0.1, 0.1])
        let schedule = try await goal(world, battery(10, reserve: 40), .stateOfCharge(40), hours: 4)
        #expect(abs(state(schedule, world, from: 10, hours: 1) - 40) < 0.1)
    }

    @Test func `cost the same in a preview, however long others are planned`() async throws {
        let prices = [0.4, 0.2, 0.1, 0.3, 0.5, 0.1, 0.6, 0.2]
        var previews: [GoalPreview] = []
        for hours in [0, 3, 8] {
            let world = try await world(prices, prices: prices)
            // It is 5 °C outside and warm enough inside for as long as the battery has to be filled.
            if hours > 0 { _ = try await goal(world, heatPump(23), .reduce(maxMilliseconds: 1), hours: Double(hours)) }
            _ = try await world.scheduler.put(battery(50))
            let draft = GoalDraft(
                venueID: venueID, deviceID: "battery", readyBy: world.hours(3), target: .stateOfCharge(90))
            previews.append(try await world.scheduler.preview(draft))
            // What is told is what is done then.
            let schedule = try await world.scheduler.put(draft)
            #expect(schedule.plannedEnergy == previews.last?.planned.planned)
        }
        for preview in previews {
            let (best, planned, atOnce) = (
                preview.best.costMicros ?? .max, preview.planned.costMicros ?? .max, preview.atOnce.costMicros ?? 0
            )
            #expect(best <= planned && planned <= atOnce)
            #expect(planned == previews[0].planned.costMicros && atOnce == previews[0].atOnce.costMicros)
        }
        // 4 kWh, at 0.1 and at 0.4.
        #expect(previews[0].planned.costMicros == 400_000 && previews[0].atOnce.costMicros == 1_600_000)
    }

    @Test func `cost less in a preview where they serve the house, whatever becomes of it later`() async throws {
        let prices = [0.4, 0.1, 0.1, 0.3, 0.9, 0.9]
        var costs: [[Int64?]] = []
        for hours in [4.0, 6.0] {
            let world = try await world(prices, prices: prices)
            _ = try await world.scheduler.put(
                VenueLimits(venueID: venueID, importPower: power(8), baseLoad: [power(1), power(0), power(0)]))
            let target = Goal.Target.energy(Energy(milliwattHours: 6_000_000))
            _ = try await goal(world, SchedulerWorld.car, target, hours: hours)
            _ = try await world.scheduler.put(battery(50))
            let preview = try await world.scheduler.preview(
                GoalDraft(venueID: venueID, deviceID: "battery", readyBy: world.hours(4), target: .stateOfCharge(50)))
            costs.append([preview.best, preview.planned, preview.atOnce].map(\.costMicros))
        }
        // The house takes 1 kW: what it has at 0.4 and at 0.3 from the battery is charged again at 0.1.
        #expect(costs == [[-500_000, -500_000, 0], [-500_000, -500_000, 0]])
    }

    @Test func `that repeat hold at all their times, and others see what that takes`() async throws {
        // Cheap before the first and in the last hour before the second, with what the home may draw for one of both.
        let prices = (0..<26).map { [1, 25].contains($0) ? 0.1 : 0.5 }
        let world = try await world(prices, prices: prices)
        _ = try await world.scheduler.put(
            VenueLimits(
                venueID: venueID, importPower: power(7),
                baseLoad: [power(1), power(0), power(0)]))
        // 12:00 UTC is 04:00 at the venue.
        let daily = WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60)
        _ = try await goal(world, battery(10), .stateOfCharge(60), hours: 2, weekly: daily)
        let car = try await goal(world, SchedulerWorld.car, .energy(Energy(milliwattHours: 6_000_000)), hours: 26)
        let list = await world.scheduler.schedules(ScheduleFilter()).schedules
        let schedule = try #require(list.first { $0.deviceID == "battery" })
        #expect(schedule.blocks.last?.interval.end == world.hours(26))
        #expect(abs(state(schedule, world, from: 10, hours: 2) - 60) < 0.1)
        #expect(abs(state(schedule, world, from: 10, hours: 26) - 60) < 0.1)
        for hour in 0..<26 {
            let power = [schedule, car].reduce(1) { sum, schedule in
                let block = schedule.blocks.first { $0.interval.contains(world.hours(Double(hour) + 0.5)) }
                return sum + (block.map { ($0.isDischarging ? -1 : 1) * $0.power.kilowatts } ?? 0)
            }
            #expect(power <= 7 + 1e-3, "hour \(hour)")
        }
        // What has what it should have does not wait.
        let last = try #require(schedule.blocks.last { $0.power > .zero && !$0.isDischarging })
        #expect(
            !schedule.blocks.contains {
                $0.interval.start > last.interval.start && $0.reason == .waitingForCleanerEnergy
            })
    }

    @Test func `count from the reserve while nobody has told its charge, and say so`() async throws {
        let unknown = device(
            "battery", .homeBattery,
            .battery(
                BatteryTraits(
                    capacity: Energy(kilowattHours: 10), chargeMax: power(5), dischargeMax: power(5),
                    chargeEfficiency: 1, dischargeEfficiency: 1, reservePercent: 20)))
        let world = try await world([0.5, 0.1])
        let schedule = try await goal(world, unknown, .stateOfCharge(50), hours: 2)
        #expect(schedule.explanation.hasPrefix("Nobody has told what it holds: counts as 20 %"))
        #expect(schedule.explanation.hasSuffix("until 06:00, and holds 50 % then"), "\(schedule.explanation)")
        #expect(schedule.required == Energy(kilowattHours: 3))
        let again = try await SchedulerWorld(store: world.store)
        guard case .battery(let stored)? = await again.scheduler.devices(VenueFilter()).devices.first?.load else {
            Issue.record("no battery")
            return
        }
        #expect(stored.stateOfCharge == nil)
        let told = try await goal(world, battery(40, reserve: 20), .stateOfCharge(50), hours: 2)
        #expect(told.explanation.hasPrefix("Holds 40 %"))
        // What is not said again is as it was.
        let kept = try await goal(world, unknown, .stateOfCharge(50), hours: 2)
        #expect(kept.explanation.hasPrefix("Holds 40 %"))
    }

    @Test func `say how old is what was told of its charge, and when that is too old`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 60))
        let weekly = WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60)
        _ = try await goal(world, battery(40), .stateOfCharge(40), hours: 2, weekly: weekly)
        for (hours, words) in [
            (1.0, "Holds 40 % if it did as planned since it was told 1 h ago;"),
            (25, "Holds 40 % if it did as planned, but what was told is 25 h old: add it again with its"),
        ] {
            var record = try #require(try await world.store.load().records.first)
            // As replanning leaves it: what was expected by then, of what was told.
            record.progress.reading = .init(value: 40, at: world.hours(hours), told: world.now)
            record.schedule = nil
            _ = record.passDeadlines(world.hours(hours))
            let goal = try #require(record.goal)
            let replanner = Replanner.patient()
            let decisions = try replanner.decide([record], guidance: [:], now: world.hours(hours))
            guard goal.readyBy > world.hours(hours), case .plan(let plan)? = decisions.first else {
                Issue.record("no plan")
                return
            }
            #expect(plan.explanation.hasPrefix(words), "\(plan.explanation)")
        }
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
