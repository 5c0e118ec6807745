import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Charging that is asked for at once, where limits and other loads leave less than full power.
@Suite struct `Charging at once`: HomeLoadWorld {
    private let car = EventSamples.car.id

    /// Best in the last hours, so that whatever need not be at once waits for them.
    private let ratings = (0..<24).map { 1 - Double($0) / 24 }

    private func vehicle(_ id: String, powerMin: Double = 1, rules: ChargingRules = ChargingRules()) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(kilowattHours: 60), powerMax: power(6), efficiency: 1, powerMin: power(powerMin)
            ))
    }

    private func add(_ world: SchedulerWorld, _ device: ManagedDevice, kWh: Double, hours: Double) async throws {
        _ = try await goal(world, device, .energy(Energy(kilowattHours: kWh)), hours: hours)
    }

    private func prioritize(_ world: SchedulerWorld, _ id: String, _ priority: Int) async throws {
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: id, rules: ChargingRules(priority: priority)))
    }

    private func now(_ world: SchedulerWorld, _ id: String) async throws -> Schedule {
        try await world.scheduler.override(OverrideRequest(venueID: venueID, deviceID: id, action: .chargeNow))
    }

    private func limit(_ world: SchedulerWorld, _ kilowatts: Double, baseLoad: Double = 0) async throws {
        _ = try await world.scheduler.put(
            VenueLimits(
                venueID: venueID, importPower: power(kilowatts),
                baseLoad: Array(repeating: power(baseLoad / 3), count: 3)))
    }

    private func runs(_ schedule: Schedule) -> [ScheduleBlock] { schedule.blocks.filter { $0.power > .zero } }

    private func schedule(_ world: SchedulerWorld, _ id: String) async throws -> Schedule {
        let list = await world.scheduler.schedules(ScheduleFilter(venueID: venueID, deviceID: id))
        return try #require(list.schedules.first)
    }

    @Test func `takes what the fuse leaves, without a gap, until it has its energy`() async throws {
        let world = try await world(ratings)
        try await limit(world, 5, baseLoad: 2)
        try await add(world, vehicle("car-2"), kWh: 12, hours: 24)
        let schedule = try await now(world, "car-2")
        #expect(runs(schedule).map(\.interval.start) == [world.now])
        let ready = try #require(runs(schedule).last?.interval.end)
        #expect(abs(ready.milliseconds(since: world.hours(4))) < 1_000)
        #expect(abs((schedule.blocks.first?.power.kilowatts ?? 0) - 3) < 1e-3)
        #expect(runs(schedule).allSatisfy { $0.reason == .chargeNow })
        #expect(schedule.blocks.last?.reason == .targetReached && schedule.missing == .zero)
        #expect(schedule.explanation.hasPrefix("Charges at once, as asked, with what its limits leave: ready by"))
        #expect(!schedule.explanation.contains("missing"), "\(schedule.explanation)")
    }

    @Test func `has others yield that have time, and goes on behind those that matter more`() async throws {
        for (priority, end) in [(0, 2.0), (1, 3.0)] {
            let world = try await world(ratings)
            try await limit(world, 6)
            // It needs the first hour at full power.
            try await add(world, vehicle("car-3"), kWh: 6, hours: 1)
            try await add(world, vehicle("car-4"), kWh: 6, hours: 24)
            try await add(world, vehicle("car-2"), kWh: 12, hours: 24)
            try await prioritize(world, "car-3", priority)
            let schedule = try await now(world, "car-2")
            #expect(schedule.missing == .zero && runs(schedule).last?.interval.end == world.hours(end), "\(schedule)")
            #expect(runs(schedule).first?.interval.start == world.hours(end - 2))
            #expect(
                try await self.schedule(world, "car-3").missing == (priority > 0 ? .zero : Energy(kilowattHours: 6)))
            #expect(try await self.schedule(world, "car-4").missing == .zero)
            if priority > 0 { #expect(schedule.blocks.first?.reason == .loadBalancing) }
        }
    }

    /// With plenty of time for a plan, however busy the machine is.
    private func unhurriedWorld() async throws -> SchedulerWorld {
        let planning = PlanningSettings(solver: PatientSolver(), timeLimit: .seconds(6_000))
        let world = try await SchedulerWorld(planning: planning)
        world.setGuidance(world.guidance(ratings))
        return world
    }

    @Test func `behind nested circuits all room is used until the last is ready`() async throws {
        let world = try await unhurriedWorld()
        let main = VenueLimits.Circuit(name: "main", power: power(4.7), carriesBaseLoad: true)
        let garage = VenueLimits.Circuit(
            name: "garage", parent: "main", power: power(16), deviceIDs: ["car-2", "car-3"])
        for (id, kWh) in [("car-2", 15.1), ("car-3", 26)] {
            try await add(world, vehicle(id, powerMin: 1.4), kWh: kWh, hours: 20)
        }
        _ = try await world.scheduler.put(VenueLimits(venueID: venueID, circuits: [main, garage]))
        for id in ["car-2", "car-3"] { _ = try await now(world, id) }
        let all = try await runs(schedule(world, "car-2")) + runs(schedule(world, "car-3"))
        let ready = try #require(all.map(\.interval.end).max())
        #expect(ready <= world.hours(41.1 / 4.7 + 0.05), "\(ready.milliseconds(since: world.now)) ms")
    }

    @Test func `whoever is first has all it can until it is ready, though the next would fit beside less`() async throws
    {
        let world = try await unhurriedWorld()
        try await limit(world, 9)
        // At 6 kW it is ready in the midst of an hour.
        try await add(world, vehicle("car-2"), kWh: 8, hours: 24)
        try await add(world, vehicle("car-3", powerMin: 6), kWh: 20, hours: 24)
        for id in ["car-2", "car-3"] { _ = try await now(world, id) }
        let first = try await schedule(world, "car-2")
        #expect(abs(runs(first).last?.interval.end.milliseconds(since: world.hours(8.0 / 6)) ?? .max) < 1_000)
        let next = try await runs(schedule(world, "car-3")).first?.interval.start
        #expect(abs(next?.milliseconds(since: world.hours(8.0 / 6)) ?? .max) < 60_000, "\(first)")
    }

    @Test func `one after the other, and sooner when another is taken away`() async throws {
        let world = try await world(ratings)
        try await limit(world, 6)
        for id in ["car-2", "car-3"] {
            try await add(world, vehicle(id, powerMin: 6), kWh: 12, hours: 24)
            _ = try await now(world, id)
        }
        let all = try await runs(schedule(world, "car-2")) + runs(schedule(world, "car-3"))
        let told = all.map(\.interval).sorted { $0.start < $1.start }
        #expect(told.first?.start == world.now && told.last?.end == world.hours(4), "\(told)")
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.end == $1.start }, "\(told)")
        let isFirst = try await runs(schedule(world, "car-2")).first?.interval.start == world.now
        let (first, second) = isFirst ? ("car-2", "car-3") : ("car-3", "car-2")
        try await world.scheduler.deleteGoal(of: DeviceReference(venueID: venueID, deviceID: first))
        await world.scheduler.evaluate([Scheduler.DeviceKey(venueID: venueID, deviceID: second)])
        #expect(runs(try await schedule(world, second)).map(\.interval.start) == [world.now])
    }

    @Test func `is what the log is told as its completion`() async throws {
        var record = DeviceRecord(device: vehicle(car), timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: venueID, deviceID: car,
                readyBy: EventSamples.now.advanced(byMilliseconds: 86_400_000),
                target: .stateOfCharge(60), created: EventSamples.now)
        ]
        record.override = .chargeNow
        _ = record.progress.apply(EventSamples.status(stateOfCharge: 50), goalSet: EventSamples.now)
        var replanner = Replanner.patient()
        replanner.settings.limits.importPower = 3
        let world = try await world(ratings)
        let decisions = try replanner.decide([record], guidance: [.shift: world.guidance(ratings)], now: world.now)
        guard case .plan(let plan)? = decisions.first else {
            Issue.record("no plan")
            return
        }
        record.adopt(plan, now: world.now)
        let target = try #require(ScheduledStatus(record, now: world.now)?.target)
        #expect(target.scheduledStart == world.now && target.estimatedCompletion == world.hours(2))
    }

    /// The car at 10 %, with a least state of charge of 20 %.
    private func putBelowMinimum(_ world: SchedulerWorld) async throws {
        _ = try await world.scheduler.put(vehicle(car))
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [EventSamples.status(at: world.now, stateOfCharge: 10)])
        ])
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: car, rules: ChargingRules(stateOfChargeMin: 20)))
    }

    @Test func `up to the least state of charge, under a fuse, comes before what waits`() async throws {
        let world = try await world(ratings)
        try await limit(world, 3)
        try await putBelowMinimum(world)
        let schedule = try await goal(world, vehicle(car), .stateOfCharge(30), hours: 24)
        let first = try #require(schedule.blocks.first)
        #expect(first.reason == .minimumCharge && first.interval.end == world.hours(2), "\(schedule)")
        #expect(schedule.blocks.last { $0.power > .zero }?.interval.end == world.hours(24))
    }

    @Test func `up to the least state of charge, comes as soon as a stop is over`() async throws {
        let world = try await world(ratings)
        try await putBelowMinimum(world)
        _ = try await goal(world, vehicle(car), .stateOfCharge(15), hours: 2)
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: car, readyBy: world.hours(24), target: .stateOfCharge(30),
                keepsOthers: true))
        let schedule = try await world.scheduler.override(
            OverrideRequest(venueID: venueID, deviceID: car, action: .stop))
        let first = try #require(schedule.blocks.first { $0.power > .zero })
        #expect(schedule.blocks.first?.reason == .stopped)
        #expect(first.reason == .minimumCharge && first.interval.start == world.hours(2), "\(schedule)")
    }

    @Test func `does not wait for an absence in which it is asked for`() async throws {
        let world = try await world(ratings)
        try await add(world, vehicle(car), kWh: 6, hours: 24)
        let absence = try #require(Interval(start: world.hours(-1), end: world.hours(8)))
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: car, rules: ChargingRules(absences: [.once(absence)])))
        #expect(try await schedule(world, car).blocks.first?.reason == .away)
        #expect(runs(try await now(world, car)).map(\.interval.end) == [world.hours(1)])
    }

    @Test func `keeps no room for a car that is not plugged in, and begins when it is`() async throws {
        let world = try await world(ratings)
        try await limit(world, 6)
        try await add(world, vehicle("car-3"), kWh: 6, hours: 1)
        try await add(world, vehicle(car), kWh: 12, hours: 24)
        try await world.scheduler.apply([told(.unplugged, world, 1)])
        let away = try await now(world, car)
        #expect(away.explanation.contains("Not plugged in; once it is, it charges at once"), "\(away.explanation)")
        #expect(away.missing == .zero && runs(away).first.map { $0.interval.start >= world.hours(1) } == true)
        #expect(try await schedule(world, "car-3").missing == .zero)

        try await world.scheduler.apply([told(.pluggedIn, world, 2)])
        #expect(runs(try await now(world, car)).first?.interval.start == world.now)
    }

    @Test func `does not speak of room where there are no limits, also when its time was too short`() async throws {
        let world = try await world(ratings)
        try await add(world, vehicle(car), kWh: 12, hours: 1)
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: car, readyBy: world.hours(8), target: .energy(Energy(kilowattHours: 5)),
                keepsOthers: true))
        let schedule = try await now(world, car)
        #expect(schedule.missing > .zero && schedule.blocks.last?.power == .zero)
        #expect(!schedule.blocks.contains { $0.reason == .loadBalancing }, "\(schedule.blocks.map(\.reason))")
    }

    @Test func `leaves room for a car that charges though it was told to wait`() async throws {
        let world = try await world(ratings)
        try await limit(world, 6)
        try await add(world, vehicle("car-3"), kWh: 6, hours: 24)
        try await add(world, vehicle(car), kWh: 6, hours: 24)
        #expect(try await schedule(world, car).blocks.first?.power == .zero)
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [
                    EventSamples.vehicle(at: world.now.advanced(byMilliseconds: 1), .begin, power: 4_000_000)
                ])
        ])
        // A plan that is made meanwhile does not forgive it.
        world.clock.advance(by: .seconds(2))
        try await limit(world, 6)
        let other = try await now(world, "car-3")
        let most = try #require(other.blocks.first?.power)
        #expect(most <= power(2.001), "\(most)")
    }

    @Test(arguments: [(kilowatts: 3.0, planned: 9.0, idleFrom: 2.5), (4, 10, 1.75)])
    func `does not lift a price ceiling for more than the least charge`(
        kilowatts: Double, planned: Double, idleFrom: Double
    ) async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.5, 0.5, 0.5, 0.1], prices: [0.3, 0.3, 0.3, 0.1]))
        try await limit(world, kilowatts)
        _ = try await world.scheduler.put(vehicle(car))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: car,
                rules: ChargingRules(stateOfChargeMin: 30, priceMax: Price(microsPerKilowattHour: 200_000))))
        // Ten percent are 6 kWh, at 3 kW the first two hours, at 4 kW one and a half; the last hour is cheap.
        try await world.scheduler.apply([told(.pluggedIn, world, 1, percent: 20)])
        let plan = try await goal(world, vehicle(car), .energy(Energy(kilowattHours: 12)), hours: 4)
        #expect(abs(plan.plannedEnergy.kilowattHours - planned) < 0.002, "\(plan)")
        #expect(plan.blocks.first { $0.interval.contains(world.hours(idleFrom)) }?.power == .zero)
    }

    private func told(
        _ status: VehicleStatus.Status, _ world: SchedulerWorld, _ sequence: UInt64, percent: Int = 50
    ) -> LogRecord {
        LogRecord(
            partition: 0, sequence: sequence, venueID: venueID, received: world.now, principal: "local",
            events: [
                EventSamples.status(
                    at: world.now.advanced(byMilliseconds: Int64(sequence)), status, stateOfCharge: percent)
            ])
    }
}

/// What a plan says of the times in which nothing runs.
struct WaitReasonTests {
    private let hour = Int64.millisecondsPerHour

    private func hours(_ hours: Int64) -> Timestamp { EventSamples.now.advanced(byMilliseconds: hours * hour) }

    private func guidance() -> Guidance {
        Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: hours(0), milliseconds: 8 * hour),
            values: (0..<8).map {
                GuidanceValue(
                    interval: Interval(start: hours($0), milliseconds: hour), rating: [0.9, 0.1][Int($0) % 2])
            }, locationHasRatePlan: false, incorporatesRatePlan: false, issued: hours(0),
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private func plan(_ task: ChargeTask, _ limits: PlanLimits = PlanLimits()) throws -> DevicePlan {
        let planner = VenuePlanner(
            planner: .patient, settings: VenueSettings(limits: limits),
            time: PlanningTime(.seconds(5), clock: WorkClock()))
        return try #require(try planner.plan([task], from: hours(0), guidance: guidance()).plans.first)
    }

    private func task(kWh: Double, by end: Int64 = 8) -> ChargeTask {
        ChargeTask(
            deviceID: "a",
            vehicle: SchedulerWorld.car.vehicle ?? VehicleTraits(batteryCapacity: .zero, powerMax: .zero),
            timeZone: .gmt, goals: [(by: hours(end), energy: Energy(kilowattHours: kWh))], end: hours(8))
    }

    @Test func `only an absence is told as one, and a plan that is kept keeps its reasons`() throws {
        let absence = Interval(start: hours(4), milliseconds: hour)
        let block = { (start: Int64, power: Double, reason: ScheduleReason) in
            ScheduleBlock(
                interval: Interval(start: self.hours(start), milliseconds: self.hour), power: Power(kilowatts: power),
                stageMax: 100, energy: Energy(kilowattHours: power), rating: 0.5, reason: reason)
        }
        var kept = task(kWh: 6)
        kept.rules.absences = [absence]
        kept.kept = Remainder(
            of: [block(0, 0, .loadBalancing), block(1, 6, .cleanerEnergy), block(2, 0, .waitingForCleanerEnergy)],
            in: Interval(start: hours(0), milliseconds: 8 * hour))
        #expect(try plan(kept).blocks.map(\.reason) == [.loadBalancing, .cleanerEnergy, .targetReached])
        // A rest that is not over, then an absence, then nothing that is good enough.
        var resting = task(kWh: 6)
        resting.rules.absences = [absence]
        resting.pausesUntil = hours(6)
        let reasons = try plan(resting).blocks.map(\.reason)
        #expect(
            reasons == [.waitingForCleanerEnergy, .away, .waitingForCleanerEnergy, .cleanerEnergy], "\(reasons)")
    }

    @Test func `after the last run the target is reached, also where an earlier goal was late`() throws {
        var task = task(kWh: 12)
        task.goals.insert((by: hours(1), energy: Energy(kilowattHours: 9)), at: 0)
        let plan = try plan(task)
        #expect(plan.blocks.last?.reason == .targetReached)
        #expect(plan.planned == plan.required)
        #expect(plan.explanation.contains("3.0 kWh that should be there by 13:00 will come later, because"))
    }
}
