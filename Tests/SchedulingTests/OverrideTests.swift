import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What an owner asks for in place of the plan, and what the answer says of it.
struct OverrideTests: HomeLoadWorld {
    private let ratings = (0..<48).map { 1 - Double($0) / 48 }

    private func vehicle(_ id: String) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(kilowattHours: 60), powerMax: power(6), efficiency: 1, powerMin: power(1)))
    }

    private func add(
        _ world: SchedulerWorld, _ id: String = "car-2", kWh: Double, hours: Double, weekly: WeeklyTime? = nil
    ) async throws {
        _ = try await world.scheduler.put(vehicle(id))
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: id, readyBy: world.hours(hours),
                target: .energy(Energy(kilowattHours: kWh)), weekly: weekly, keepsOthers: true))
    }

    private func act(_ world: SchedulerWorld, _ action: OverrideAction, _ id: String = "car-2") async throws -> Schedule
    {
        try await world.scheduler.override(OverrideRequest(venueID: venueID, deviceID: id, action: action))
    }

    private func listed(_ world: SchedulerWorld, _ id: String = "car-2") async throws -> Schedule {
        let filter = ScheduleFilter(venueID: venueID, deviceID: id)
        return try #require(await world.scheduler.schedules(filter).schedules.first)
    }

    @Test func `now says who will lack what by when for it`() async throws {
        let world = try await world(ratings)
        _ = try await world.scheduler.put(VenueLimits(venueID: venueID, importPower: power(6)))
        // It needs the first hour at full power; the other one has time.
        try await add(world, "car-3", kWh: 6, hours: 1)
        try await add(world, "car-4", kWh: 6, hours: 24)
        try await add(world, kWh: 12, hours: 24)
        let schedule = try await act(world, .chargeNow)
        #expect(
            schedule.explanation.hasSuffix(
                "; for it car-3 will lack 6.0 kWh by 05:00, unless that has a higher priority"),
            "\(schedule.explanation)")
        #expect(try await listed(world) == schedule)
        #expect(try await listed(world, "car-3").missing == Energy(kilowattHours: 6))
        // Again, nobody lacks more than before.
        #expect(!(try await act(world, .chargeNow).explanation.contains("will lack")))
    }

    @Test func `now, of a car without a goal, is until it is full`() async throws {
        let world = try await world(ratings)
        _ = try await world.scheduler.put(vehicle("car-2"))
        let refusal = await #expect(throws: EnergyError.self) { try await act(world, .pause) }
        #expect(refusal?.code == .conflict)
        let schedule = try await act(world, .chargeNow)
        #expect(schedule.goal.target == .stateOfCharge(100) && schedule.goal.weekly == nil)
        #expect(schedule.goal.readyBy == world.hours(24))
        #expect(schedule.blocks.first?.reason == .chargeNow && schedule.blocks.first?.power == power(6))
        #expect(try await listed(world) == schedule)
        // Said again it stays the one goal.
        #expect(try await act(world, .chargeNow).goals == schedule.goals)
    }

    @Test func `now, of a car that is not there, leaves its rules as they are`() async throws {
        let world = try await world([0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9])
        try await add(world, kWh: 9, hours: 8)
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: "car-2", rules: ChargingRules(shape: ChargingShape(runsMax: 1))))
        #expect(try await runs(act(world, .chargeNow)) == [Interval(start: world.now, end: world.hours(1.5))])
        let plan = try await runs(act(world, .resume))
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [
                    Event(
                        id: UUID(), timestamp: world.now, venueID: venueID, device: vehicle("car-2").device,
                        content: .vehicleStatus(
                            VehicleStatus(status: .unplugged, stateOfCharge: 40, energyMilliwattHours: 24_000_000)))
                ])
        ])
        #expect(try await runs(act(world, .chargeNow)) == plan)
    }

    @Test func `now goes on over a deadline until all is in that it was asked for, and no longer`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 3, hours: 0.25)
        try await add(world, kWh: 12, hours: 30)
        let schedule = try await act(world, .chargeNow)
        #expect(runs(schedule).first?.end == world.hours(2))
        func look(after seconds: Double) async throws -> Schedule {
            world.clock.advance(by: .seconds(seconds))
            await world.scheduler.evaluate([Scheduler.DeviceKey(venueID: venueID, deviceID: "car-2")])
            return try await listed(world)
        }
        let later = try await look(after: 16 * 60)
        #expect(later.goals.count == 1 && later.override == .chargeNow)
        #expect(later.blocks.first?.reason == .chargeNow)
        // It never came: the plan decides again once its last deadline is over.
        let weekly = WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60)
        try await add(world, kWh: 6, hours: 29, weekly: weekly)
        let over = try await look(after: 31 * 3600)
        #expect(over.override == nil, "\(over)")
    }

    private func runs(_ schedule: Schedule) -> [Interval] {
        let window = Interval(start: schedule.planned, milliseconds: 48 * .millisecondsPerHour)
        return Remainder(of: schedule, in: window).runs
    }

    @Test func `stop ends what is due first, and goals that are due later are planned from then on`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 2)
        try await add(world, kWh: 12, hours: 30)
        let stopped = try await act(world, .stop)
        #expect(stopped.blocks.first?.reason == .stopped && stopped.blocks.first?.interval.end == world.hours(2))
        #expect(stopped.explanation.hasPrefix("Stopped until 06:00: 6.0 kWh by 06:00 is left out; then: Waits for"))
        #expect(stopped.required == Energy(kilowattHours: 12) && stopped.missing == .zero)
        #expect(runs(stopped).first.map { $0.start >= world.hours(2) } == true)
        #expect(try await act(world, .resume).blocks.first?.reason != .stopped)
    }

    @Test func `a margin before the end of a stop is none, so that what is due soon after it gets all it can`()
        async throws
    {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 2)
        try await add(world, kWh: 20, hours: 2.25)
        try await add(world, kWh: 30, hours: 30)
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: "car-2",
                rules: ChargingRules(shape: ChargingShape(marginMilliseconds: 30 * .millisecondsPerMinute))))
        let stopped = try await act(world, .stop)
        #expect(runs(stopped).first == Interval(start: world.hours(2), end: world.hours(2.25)), "\(stopped)")
    }

    @Test func `a margin before the end of an absence is none, so that what is due soon after it gets all it can`()
        async throws
    {
        let world = try await world(ratings)
        try await add(world, kWh: 20, hours: 2.25)
        try await add(world, kWh: 30, hours: 30)
        // Two that touch are one.
        let absences = [(0, 1.0), (1.0, 2.0)].compactMap { Interval(start: world.hours($0), end: world.hours($1)) }
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: "car-2",
                rules: ChargingRules(
                    absences: absences.map { .once($0) },
                    shape: ChargingShape(marginMilliseconds: 30 * .millisecondsPerMinute))))
        let schedule = try await listed(world)
        #expect(runs(schedule).first == Interval(start: world.hours(2), end: world.hours(2.25)), "\(schedule)")
    }

    @Test func `stop names every goal that is due first`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 2)
        try await add(world, kWh: 9, hours: 2)
        let stopped = try await act(world, .stop)
        #expect(
            stopped.explanation.contains("6.0 kWh by 06:00") && stopped.explanation.contains("9.0 kWh by 06:00"),
            "\(stopped.explanation)")
        #expect(stopped.explanation.contains(" are left out"))
    }

    @Test func `stop of an only goal says until when, and what is next`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 2, weekly: WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60))
        let stopped = try await act(world, .stop)
        #expect(stopped.blocks.map(\.reason) == [.stopped])
        #expect(
            stopped.explanation
                == "Stopped until 06:00: 6.0 kWh by 06:00 is left out; then it is planned for Mon 06:00",
            "\(stopped.explanation)")
    }

    @Test func `a deadline that is skipped takes its stop with it`() async throws {
        let world = try await world(ratings)
        for kWh in [6.0, 9] { try await add(world, kWh: kWh, hours: 2) }
        try await add(world, kWh: 12, hours: 30)
        #expect(try await act(world, .stop).override == .stopped)
        #expect(try await act(world, .skipNext).override == .stopped)
        #expect(try await act(world, .skipNext).override == nil)
        #expect(try await listed(world).explanation.contains("Stopped") == false)
    }

    @Test func `skip says what is left out and what comes instead, and resume takes it back`() async throws {
        let world = try await world(ratings)
        let daily = WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60)
        try await add(world, kWh: 6, hours: 2, weekly: daily)
        let before = try await listed(world)
        let skipped = try await act(world, .skipNext)
        #expect(
            skipped.explanation.hasPrefix(
                "6.0 kWh by 06:00 is left out, until resumed; next is 6.0 kWh by Mon 06:00. "),
            "\(skipped.explanation)")
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.schedules(ScheduleFilter()).schedules == [skipped])
        // A pause is over first.
        _ = try await act(world, .pause)
        #expect(try await act(world, .resume).goal == skipped.goal)
        let back = try await act(world, .resume)
        #expect(back.goals == before.goals && runs(back) == runs(before))
        let refusal = await #expect(throws: EnergyError.self) { try await act(world, .resume) }
        #expect(refusal?.code == .conflict)
    }

    @Test func `what was skipped one after the other comes back one by one, the last first`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 2, weekly: WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60))
        let before = try await listed(world).goal
        let once = try await act(world, .skipNext).goal
        let twice = try await act(world, .skipNext)
        #expect(
            twice.explanation.hasPrefix(
                "6.0 kWh by 06:00 and 6.0 kWh by Mon 06:00 are left out, until resumed; next is "),
            "\(twice.explanation)")
        let again = try await SchedulerWorld(store: world.store)
        #expect(try await act(again, .resume).goal == once)
        #expect(try await act(again, .resume).goal == before)
        await #expect(throws: EnergyError.self) { try await act(again, .resume) }
    }

    @Test func `an only goal that was skipped comes back, with what it has`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 8)
        let device = vehicle("car-2").device
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [
                    EventSamples.vehicle(at: world.now, device: device, .begin),
                    EventSamples.vehicle(at: world.hours(0.5), device: device, .end, energy: 2_000_000),
                ])
        ])
        let skipped = try await act(world, .skipNext)
        #expect(skipped.blocks.isEmpty)
        #expect(
            skipped.explanation == "6.0 kWh by 12:00 is left out, until resumed; nothing is planned instead",
            "\(skipped.explanation)")
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
        let back = try await act(world, .resume)
        #expect(back.required == Energy(kilowattHours: 4), "\(back.required)")
        let refusal = await #expect(throws: EnergyError.self) { try await act(world, .resume) }
        #expect(refusal?.code == .conflict)
    }

    @Test func `a least charge that waits for what the car tells is said to`() async throws {
        let world = try await world(ratings)
        try await add(world, kWh: 6, hours: 8)
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: "car-2", rules: ChargingRules(stateOfChargeMin: 30)))
        #expect(
            try await listed(world).explanation.contains(
                "its minimum of 30 % counts once it tells its state of charge"))
    }
}

/// Times at which a car is not there.
struct AbsenceTests: HomeLoadWorld {
    private let car = SchedulerWorld.car

    private func away(_ world: SchedulerWorld, _ start: Double, _ end: Double, priceMax: Int64? = nil) async throws {
        _ = try await world.scheduler.put(car)
        let absence = try #require(Interval(start: world.hours(start), end: world.hours(end)))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: car.device.id,
                rules: ChargingRules(
                    priceMax: priceMax.map { Price(microsPerKilowattHour: $0) }, absences: [.once(absence)])))
    }

    @Test func `are to blame for what is missing, and no remedy lies within one`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 24))
        // Away for all but half an hour until the deadline, and for long after it.
        try await away(world, 0.5, 12)
        let schedule = try await goal(world, car, .energy(Energy(kilowattHours: 6)), hours: 3)
        #expect(schedule.missing == Energy(kilowattHours: 3))
        #expect(
            schedule.explanation.contains("because it is away 04:30 to 07:00: 3.0 kWh will be missing"),
            "\(schedule.explanation)")
        #expect(schedule.explanation.contains("what helps: leave 30 min later (05:00)"))
        #expect(!schedule.explanation.contains("be ready"), "\(schedule.explanation)")
        // It is back right after the deadline: to be ready later helps.
        try await away(world, 0.5, 3)
        let later = try await goal(world, car, .energy(Energy(kilowattHours: 6)), hours: 3)
        #expect(later.explanation.contains("ready 30 min later"), "\(later.explanation)")
        // With all of the time it would be too little, too.
        let short = try await goal(world, car, .energy(Energy(kilowattHours: 24)), hours: 3)
        #expect(short.explanation.contains("the time until 07:00 is too short"), "\(short.explanation)")
    }

    @Test func `and ceilings hold in a preview, at best too`() async throws {
        let prices = [0.5, 0.4, 0.1, 0.3, 0.2, 0.6]
        let world = try await world(prices, prices: prices)
        try await away(world, -1, 3, priceMax: 350_000)
        let preview = try await world.scheduler.preview(
            GoalDraft(
                venueID: venueID, deviceID: car.device.id, readyBy: world.hours(6),
                target: .energy(Energy(kilowattHours: 18))))
        #expect(preview.planned.missing == Energy(kilowattHours: 6) && preview.best.missing == preview.planned.missing)
        #expect(preview.best.blocks.first { $0.power > .zero }?.interval.start == world.hours(3))
        // Nobody has seen it: it is where its owner said, and charges once it is back.
        #expect(preview.atOnce.blocks.first { $0.power > .zero }?.interval.start == world.hours(3))
        #expect(preview.atOnce.ready == world.hours(6) && preview.atOnce.missing == .zero)
    }
}
