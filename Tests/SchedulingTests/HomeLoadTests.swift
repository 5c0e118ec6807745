import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Home batteries, appliances and buildings as loads of the service.
struct HomeLoadTests: HomeLoadWorld {
    private func runs(_ schedule: Schedule) -> [ScheduleBlock] { schedule.blocks.filter { $0.power > .zero } }

    private func isWhole(_ schedule: Schedule, _ world: SchedulerWorld, until end: Double) -> Bool {
        schedule.blocks.first?.interval.start == world.hours(0)
            && schedule.blocks.last?.interval.end == world.hours(end)
            && zip(schedule.blocks, schedule.blocks.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start }
    }

    @Test func `what was planned without guidance is planned anew when there is some`() async throws {
        let world = try await SchedulerWorld()
        let before = try await goal(world, dishwasher, .run, hours: 4)
        #expect(before.guidanceToken == nil)
        // Worth no change by itself.
        let guidance = world.guidance([0.5, 0.5, 0.5, 0.49])
        await world.scheduler.receive(guidance, Scheduler.FeedKey(venueID: venueID, action: .shift))
        let after = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
        #expect(after.guidanceToken == guidance.token && after.blocks.allSatisfy { $0.reason != .noGuidance })
    }

    @Test func `an appliance runs once, as a whole, when that is best, at any start`() async throws {
        let world = try await world([0.9, 0.5, 0.1, 0.2, 0.9])
        let schedule = try await goal(world, dishwasher, .run, hours: 5)
        // The half hour of 2 kW and half of the rest in the best hour, the other half in the next.
        #expect(runs(schedule).first?.interval.start == world.hours(2))
        #expect(runs(schedule).map(\.power.milliwatts) == [2_000_000, 1_000_000])
        #expect(runs(schedule).last?.interval.end == world.hours(3.5))
        #expect(schedule.required == Energy(milliwattHours: 2_000_000) && schedule.missing == .zero)
        #expect(isWhole(schedule, world, until: 5))
        #expect(schedule.explanation.hasPrefix("Runs from "))
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.devices(VenueFilter()).devices == [dishwasher])
        #expect(await again.scheduler.schedules(ScheduleFilter()).schedules == [schedule])
    }

    @Test func `an appliance that began is not broken off, and one that has run waits for its next day`() throws {
        let replanner = Replanner.patient()
        let now = EventSamples.now
        func hours(_ hours: Double) -> Timestamp { now.advanced(byMilliseconds: Int64(hours * 3_600_000)) }
        func guidance(_ ratings: [Double]) -> [SuggestedAction: Guidance] {
            let values = ratings.enumerated().map { hour, rating in
                GuidanceValue(
                    interval: Interval(start: hours(Double(hour)), milliseconds: .millisecondsPerHour), rating: rating)
            }
            return [
                .shift: Guidance(
                    token: UUID(), venueID: venueID, action: .shift,
                    interval: Interval(start: now, milliseconds: .millisecondsPerDay), values: values,
                    locationHasRatePlan: false, incorporatesRatePlan: false, issued: now,
                    basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
            ]
        }
        var record = DeviceRecord(device: dishwasher, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: venueID, deviceID: "dishwasher", readyBy: hours(6), target: .run, created: now,
                weekly: WeeklyTime(weekdays: .every, minuteOfDay: 18 * 60))
        ]
        guard
            case .plan(let plan) = try replanner.decide(
                [record], guidance: guidance([0.1, 0.2, 0.5, 0.5, 0.5, 0.5]), now: now)[0]
        else {
            Issue.record("no plan")
            return
        }
        record.adopt(plan, now: now)
        #expect(record.scheduledRun(now)?.start == now)
        // Far better hours come up while it runs.
        let better = guidance([1, 1, 1, 0, 0, 0])
        #expect(try replanner.decide([record], guidance: better, now: hours(0.75)) == [.keep])
        let notices = [hours(1.25), hours(1.5), hours(2)].map { record.noticeRun($0) }
        #expect(notices == [false, true, false])
        #expect(try replanner.decide([record], guidance: better, now: hours(2)) == [.keep])
        let isOver = record.passDeadlines(hours(6))
        #expect(isOver && record.goal?.readyBy == hours(30))
        guard case .plan(let next) = try replanner.decide([record], guidance: [:], now: hours(6))[0] else {
            Issue.record("kept")
            return
        }
        #expect(next.blocks.contains { $0.power > .zero })
    }

    @Test(arguments: [true, false])
    func `skipping leaves out the next run of an appliance, not the one that is over`(hasRun: Bool) throws {
        let now = EventSamples.now
        func hours(_ hours: Double) -> Timestamp { now.advanced(byMilliseconds: Int64(hours * 3_600_000)) }
        var record = DeviceRecord(device: dishwasher, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: venueID, deviceID: "dishwasher", readyBy: hours(6), target: .run, created: now,
                weekly: WeeklyTime(weekdays: .every, minuteOfDay: 18 * 60))
        ]
        if hasRun, case .appliance(let appliance) = dishwasher.load {
            let window = Interval(start: now, milliseconds: 6 * .millisecondsPerHour)
            record.adopt(.running(appliance, atOnceIn: window), now: now)
        }
        for day in 1...2 {
            record.skipNext(now: hours(2))
            let goal = try #require(record.goal)
            #expect(goal.readyBy == hours(6 + 24 * Double(day)))
            #expect(record.hasRun(for: goal) == hasRun)
        }
        let isOver = record.passDeadlines(hours(54))
        #expect(isOver)
        #expect(record.goal.map(record.hasRun) == false)
    }

    @Test func `why an appliance cannot run is a sentence, with what helps`() async throws {
        let world = try await world([0.9, 0.1, 0.5, 0.8])
        let short = try await goal(world, dishwasher, .run, hours: 1)
        #expect(short.explanation.contains(", because there is too little time; what helps: be ready 30 min later"))
        #expect(short.blocks.map(\.reason) == [.tooLittleTime])
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: SchedulerWorld.power(1_500_000)))
        let weak = try await goal(world, dishwasher, .run, hours: 4)
        #expect(weak.explanation.contains(", because import limit leaves too little room; what helps: raise"))
    }

    @Test func `an appliance and a car share what the connection carries`() async throws {
        let world = try await world([0.9, 0.1, 0.5, 0.8])
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: SchedulerWorld.power(6_500_000)))
        _ = try await goal(world, SchedulerWorld.car, .energy(Energy(milliwattHours: 6_000_000)), hours: 4)
        _ = try await goal(world, dishwasher, .run, hours: 4)
        let schedules = await world.scheduler.schedules(ScheduleFilter()).schedules
        #expect(schedules.count == 2 && schedules.allSatisfy { $0.missing == .zero })
        for minute in stride(from: 1.0, to: 240, by: 10) {
            let sum = schedules.reduce(Int64(0)) { sum, schedule in
                sum + (schedule.blocks.first { $0.interval.contains(world.hours(minute / 60)) }?.power.milliwatts ?? 0)
            }
            #expect(sum <= 6_500_000)
        }
    }

    @Test func `a home battery is charged when power is cheap and gives when it is dear, above its reserve`()
        async throws
    {
        let world = try await world([0.5, 0.5, 0.5, 0.5], prices: [0.1, 0.1, 0.5, 0.5])
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, baseLoad: [1, 1, 1].map { power($0) }))
        let schedule = try await goal(world, battery(50, reserve: 20), .stateOfCharge(20), hours: 4)
        let taken = schedule.blocks.filter { !$0.isDischarging }.reduce(Energy.zero) { $0 + $1.energy }
        let given = schedule.blocks.filter(\.isDischarging).reduce(Energy.zero) { $0 + $1.energy }
        // The home takes 6 kWh in the dear hours; 5 kWh are there, 2 stay.
        #expect(given == Energy(milliwattHours: 6_000_000))
        #expect(taken == Energy(milliwattHours: 3_000_000))
        #expect(schedule.blocks.filter(\.isDischarging).allSatisfy { $0.interval.start >= world.hours(2) })
        #expect(schedule.blocks.contains { $0.reason == .supplying })
        #expect(isWhole(schedule, world, until: 4))
        #expect(schedule.explanation.hasPrefix("Holds 50 %"))
    }

    @Test func `a home battery takes what the roof gives, and keeps what is asked for`() async throws {
        let world = try await world([0.1, 0.5, 0.5, 0.9])
        let sun = VenueForecast.Value(
            interval: Interval(start: world.hours(1), milliseconds: .millisecondsPerHour), power: power(4))
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID, photovoltaics: [sun]))
        let schedule = try await goal(world, battery(10), .stateOfCharge(50), hours: 4)
        #expect(runs(schedule).map(\.interval) == [sun.interval])
        #expect(runs(schedule).first?.energy == Energy(milliwattHours: 4_000_000))
        #expect(schedule.explanation.contains("takes 4.0 kWh"))
    }

    @Test func `what a battery holds is followed by its plan until it is read again`() async throws {
        let world = try await world([0.1, 0.9, 0.9, 0.9])
        _ = try await goal(world, battery(10), .stateOfCharge(50), hours: 4)
        var record = try #require(try await world.store.load().records.first)
        let state = try #require(record.state(at: world.hours(1), outdoor: { _ in nil }))
        #expect(abs(state - 50) < 0.01)
        record.read(30, now: world.hours(1))
        #expect(record.state(at: world.hours(1), outdoor: { _ in nil }) == 30)
    }

    @Test func `a building is heated ahead of bad hours, and stays comfortable`() async throws {
        let world = try await world([0.1, 0.1, 0.9, 0.9, 0.9, 0.1], store: InMemoryScheduleStore())
        let schedule = try await goal(world, heatPump(20), .reduce(maxMilliseconds: 1), hours: 6)
        let good = schedule.blocks.filter { $0.interval.end <= world.hours(2) }.reduce(Energy.zero) { $0 + $1.energy }
        let bad = schedule.blocks.filter { $0.interval.start >= world.hours(2) && $0.interval.end <= world.hours(5) }
            .reduce(Energy.zero) { $0 + $1.energy }
        #expect(good > bad)
        #expect(schedule.blocks.contains { $0.reason == .cleanerEnergy && $0.stageMax > 0 })
        #expect(schedule.explanation.hasPrefix("Keeps 20.0 to 23.0 °C"))
        #expect(isWhole(schedule, world, until: 6))
        // By its own model it stays in the band.
        let record = try #require(try await world.store.load().records.first)
        for hour in 1...6 {
            let celsius = try #require(record.state(at: world.hours(Double(hour)), outdoor: { _ in nil }))
            #expect((19.99...23.01).contains(celsius), "hour \(hour): \(celsius)")
        }
    }

    @Test func `a building is planned for as long as its home`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 12))
        _ = try await goal(world, SchedulerWorld.car, .energy(Energy(kilowattHours: 6)), hours: 10)
        let schedule = try await goal(world, heatPump(20), .reduce(maxMilliseconds: 1), hours: 6)
        #expect(schedule.blocks.last?.interval.end == world.hours(10))
        #expect(schedule.explanation.contains("until 14:00"), "\(schedule.explanation)")
    }

    @Test func `a car that has its plan already lets no home cool down`() async throws {
        let world = try await SchedulerWorld(
            planning: .patient(others: VenueSettings(limits: PlanLimits(importPower: 6), objective: .rating)))
        world.setGuidance(world.guidance((0..<24).map { (10..<14).contains($0) ? 0.1 : 0.9 }))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let car = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: SchedulerWorld.car.device.id, readyBy: world.hours(20),
                target: .energy(Energy(milliwattHours: 24_000_000))))
        #expect(runs(car).first?.interval == Interval(start: world.hours(10), end: world.hours(14)))
        let told = try await goal(world, heatPump(20), .reduce(maxMilliseconds: 1), hours: 20)
        #expect(told.explanation.hasPrefix("Keeps 20.0 to 23.0 °C"), "\(told.explanation)")
        let schedules = await world.scheduler.schedules(ScheduleFilter()).schedules
        #expect(schedules.count == 2 && schedules.allSatisfy { $0.missing == .zero })
    }

    @Test func `a building is cooled ahead too`() async throws {
        let world = try await world([0.1, 0.1, 0.9, 0.9, 0.9, 0.1])
        var climate = ClimateTraits(
            resistance: 5, capacity: 4, performance: 3, comfortMin: 20, comfortMax: 24, powerMax: power(3),
            indoor: 24, outdoor: 34)
        climate.isCooling = true
        let schedule = try await goal(
            world, device("heat-pump-1", .hvac, .climate(climate)), .reduce(maxMilliseconds: 1), hours: 6)
        let ahead = schedule.blocks.filter { $0.interval.end <= world.hours(2) }.reduce(Energy.zero) { $0 + $1.energy }
        let later = schedule.blocks.filter { $0.interval.start >= world.hours(2) && $0.interval.end <= world.hours(5) }
            .reduce(Energy.zero) { $0 + $1.energy }
        #expect(ahead > later)
        let record = try #require(try await world.store.load().records.first)
        for hour in 1...6 {
            let celsius = try #require(record.state(at: world.hours(Double(hour)), outdoor: { _ in nil }))
            #expect((19.99...24.01).contains(celsius), "hour \(hour): \(celsius)")
        }
    }

    @Test func `a setback leaves the band for as long as the goal allows, when it is worth most`() async throws {
        let world = try await world([0.2, 0.2, 0.9, 0.2, 0.2, 0.2])
        let schedule = try await goal(
            world, heatPump(20, setback: 2), .reduce(maxMilliseconds: .millisecondsPerHour), hours: 6)
        let reduced = schedule.blocks.filter { $0.reason == .reduced }
        #expect(reduced.reduce(0) { $0 + $1.interval.milliseconds } <= .millisecondsPerHour)
        #expect(!reduced.isEmpty)
        let cold = VenueForecast.Temperature(
            interval: Interval(start: world.hours(0), milliseconds: .millisecondsPerDay), celsius: -40)
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID, outdoor: [cold]))
        let freezing = try await goal(
            world, heatPump(20, setback: 2), .reduce(maxMilliseconds: .millisecondsPerHour), hours: 6)
        #expect(freezing.explanation.hasPrefix("Cannot keep"))
        #expect(freezing.explanation.contains("because it is too weak; what helps: "), "\(freezing.explanation)")
        #expect(freezing.blocks.last?.reason == .comfort)
    }

    @Test(arguments: [30, 45, 90]) func `a setback may be of less than hours`(minutes: Int64) async throws {
        let world = try await world([0.2, 0.2, 0.9, 0.9, 0.2, 0.2])
        let most = minutes * .millisecondsPerMinute
        let schedule = try await goal(world, heatPump(20, setback: 2), .reduce(maxMilliseconds: most), hours: 6)
        let reduced = schedule.blocks.filter { $0.reason == .reduced }.reduce(0) { $0 + $1.interval.milliseconds }
        #expect(reduced > most / 2 && reduced <= most, "\(reduced / .millisecondsPerMinute) min")
    }

    @Test func `a home battery below its reserve is charged for that, whatever it costs`() async throws {
        let world = try await world([0.9, 0.1, 0.1])
        let schedule = try await goal(world, battery(5), .stateOfCharge(10), hours: 3)
        #expect(schedule.blocks.first?.reason == .minimumCharge)
    }

    @Test func `a setback lasts for its least length, also across plans, and the band holds again at the end`()
        async throws
    {
        let world = try await world([0.2, 0.9, 0.2, 0.9, 0.2, 0.2])
        guard case .climate(var climate)? = heatPump(20, setback: 2).load else { return }
        climate.setbackMinMilliseconds = 2 * .millisecondsPerHour
        let schedule = try await goal(
            world, device("heat-pump-1", .hvac, .climate(climate)),
            .reduce(maxMilliseconds: 2 * .millisecondsPerHour), hours: 6)
        let reduced = schedule.blocks.filter { $0.reason == .reduced }.map(\.interval)
        #expect(reduced.reduce(0) { $0 + $1.milliseconds } == 2 * .millisecondsPerHour)
        #expect(zip(reduced, reduced.dropFirst()).allSatisfy { $0.end == $1.start })
        let record = try #require(try await world.store.load().records.first)
        let end = try #require(record.state(at: world.hours(6), outdoor: { _ in nil }))
        #expect(end >= 19.99)
        // In the middle of it a new plan lets it go on.
        let start = try #require(reduced.first?.start)
        let now = start.advanced(byMilliseconds: .millisecondsPerHour)
        let goal = try #require(record.goal)
        let task = try #require(HomeTask(record, goal, now: now, VenueSettings(), 0))
        let timeline = PlanTimeline(task.window, by: nil, VenueSettings(), in: record.timeZone)
        guard case .comfort(let need)? = task.plannedLoad(timeline, VenueSettings())?.need else {
            Issue.record("no building")
            return
        }
        #expect(need.setbackUntil == start.advanced(byMilliseconds: 2 * .millisecondsPerHour))
        #expect(need.setbackMilliseconds == .millisecondsPerHour)
    }

    @Test(arguments: [
        (Device.Kind.homeBattery, HomeLoad?.none), (.appliance, nil),
        (.appliance, .appliance(ApplianceTraits(steps: []))),
        (.appliance, .appliance(ApplianceTraits(steps: [.init(milliseconds: .max, power: .zero)]))),
        (
            .appliance,
            .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: 1), chargeMax: .zero, dischargeMax: .zero, stateOfCharge: 0))
        ),
        (
            .homeBattery,
            .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: 1), chargeMax: .zero, dischargeMax: .zero, stateOfCharge: .nan))
        ),
        (
            .hvac,
            .climate(
                ClimateTraits(
                    resistance: 0, capacity: 1, performance: 1, comfortMin: 20, comfortMax: 19, powerMax: .zero,
                    indoor: 20, outdoor: .infinity))
        ),
    ])
    func `a load that cannot be planned is refused`(kind: Device.Kind, load: HomeLoad?) async throws {
        let world = try await SchedulerWorld()
        let managed = ManagedDevice(
            device: Device(id: "x", name: "X", kind: kind), venueID: venueID, load: load)
        await #expect(throws: EnergyError.self) { try await world.scheduler.put(managed) }
        #expect(await world.scheduler.devices(VenueFilter()).devices.isEmpty)
    }

    @Test func `goals that a load does not know are refused`() async throws {
        let world = try await world([0.5])
        await #expect(throws: EnergyError.self) {
            _ = try await goal(world, dishwasher, .stateOfCharge(50), hours: 1)
        }
        await #expect(throws: EnergyError.self) { _ = try await goal(world, battery(50), .run, hours: 1) }
        await #expect(throws: EnergyError.self) {
            _ = try await goal(world, battery(50), .reduce(maxMilliseconds: 5), hours: 1)
        }
        await #expect(throws: EnergyError.self) { _ = try await goal(world, SchedulerWorld.car, .run, hours: 1) }
    }
}

extension HomeLoadTests {
    /// A car, a dishwasher and a battery behind a fuse, beside photovoltaics and base load.
    @Test(arguments: UInt64(0)..<8)
    func `random homes keep to what their connection carries, and their batteries to their reserve`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let world = try await world((0..<12).map { _ in .random(in: 0...1, using: &random) })
        let fuse = Double.random(in: 5...9, using: &random)
        let base = Double.random(in: 0...2, using: &random)
        _ = try await world.scheduler.put(
            VenueLimits(
                venueID: venueID, importPower: power(fuse), baseLoad: Array(repeating: power(base / 3), count: 3)))
        let sun = (3..<8).map { hour in
            VenueForecast.Value(
                interval: Interval(start: world.hours(Double(hour)), milliseconds: .millisecondsPerHour),
                power: power(.random(in: 0...5, using: &random)))
        }
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID, photovoltaics: sun))
        let percent = Double.random(in: 10...90, using: &random)
        _ = try await goal(world, battery(percent, reserve: 10), .stateOfCharge(20), hours: 12)
        _ = try await goal(world, dishwasher, .run, hours: Double(Int.random(in: 4...12, using: &random)))
        let needed = Energy(milliwattHours: .random(in: 1...12, using: &random) * 1_000_000)
        let end = Double(Int.random(in: 4...12, using: &random))
        _ = try await goal(world, SchedulerWorld.car, .energy(needed), hours: end)
        let schedules = await world.scheduler.schedules(ScheduleFilter()).schedules
        #expect(schedules.count == 3)
        for schedule in schedules {
            #expect(
                zip(schedule.blocks, schedule.blocks.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        }
        for minute in stride(from: 0.5, to: 720, by: 1) {
            let time = world.hours(minute / 60)
            let roof = sun.first { $0.interval.contains(time) }?.power.kilowatts ?? 0
            let planned = schedules.reduce(0.0) { sum, schedule in
                guard let block = schedule.blocks.first(where: { $0.interval.contains(time) }) else { return sum }
                return sum + (block.isDischarging ? -1 : 1) * block.power.kilowatts
            }
            #expect(base - roof + planned <= fuse + 1e-3, "minute \(minute)")
        }
        let record = try #require(try await world.store.load().records.first { $0.device.device.id == "battery" })
        for hour in 1...12 {
            let held = try #require(record.state(at: world.hours(Double(hour)), outdoor: { _ in nil }))
            #expect((9.9...100).contains(held), "hour \(hour): \(held)")
        }
    }
}
