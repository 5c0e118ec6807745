import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Cars that charge while their venue is planned anew.
@Suite struct `A charge under way`: HomeLoadWorld {
    private let car = SchedulerWorld.car

    /// A car that needs two hours, and charges since ten minutes ago in the best hour that was known then.
    private func charging(then ratings: [Double]) async throws -> SchedulerWorld {
        let world = try await world([0.5, 0.5] + Array(repeating: 0.51, count: 6))
        _ = try await goal(world, car, .energy(Energy(kilowattHours: 12)), hours: 8)
        try await log(world, EventSamples.vehicle(at: world.now, .begin))
        world.clock.advance(by: .seconds(600))
        try await log(world, EventSamples.vehicle(at: world.now, .active, power: 6_000_000, energy: 1_000_000))
        await hear(world, ratings)
        #expect(await runs(world).first == world.now, "it charges")
        return world
    }

    private func hear(_ world: SchedulerWorld, _ ratings: [Double]) async {
        await world.scheduler.receive(
            world.guidance(ratings, issued: 0.1), Scheduler.FeedKey(venueID: venueID, action: .shift))
    }

    private func log(_ world: SchedulerWorld, _ event: Event) async throws {
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: UInt64(event.timestamp.unixMilliseconds), venueID: venueID,
                received: world.now, principal: "local", events: [event])
        ])
    }

    /// When it begins to run, from now on.
    private func runs(_ world: SchedulerWorld) async -> [Timestamp] {
        let schedules = await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules
        guard let schedule = schedules.first else { return [] }
        return Remainder(of: schedule, in: Interval(start: world.now, milliseconds: .millisecondsPerDay)).runs
            .map(\.start)
    }

    private func limit(_ world: SchedulerWorld, _ kilowatts: Double?) async throws {
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, importPower: kilowatts.map(power), isDefault: kilowatts == nil))
    }

    private func override(_ world: SchedulerWorld, _ action: OverrideAction) async throws {
        _ = try await world.scheduler.override(
            OverrideRequest(venueID: venueID, deviceID: car.device.id, action: action))
    }

    @Test(arguments: [(0.497, true), (0.1, false)])
    func `goes on when limits come and go, unless another time is clearly better`(
        later: Double, goesOn: Bool
    ) async throws {
        let world = try await charging(then: [0.5, 0.5, 0.51, 0.497, 0.497, 0.51, 0.51, 0.51])
        for kilowatts: Double? in [20, nil] {
            if !goesOn { await hear(world, [0.5, 0.5, 0.51, later, later, 0.51, 0.51, 0.51]) }
            try await limit(world, kilowatts)
            #expect(await runs(world) == [goesOn ? world.now : world.hours(3)])
        }
    }

    @Test func `that brought the last percent but for a rounding is not begun once more for a minute`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 8))
        try await log(world, EventSamples.status(at: world.now, stateOfCharge: 45))
        _ = try await goal(world, car, .stateOfCharge(46), hours: 8)
        try await log(world, EventSamples.vehicle(at: world.now, .begin, stateOfCharge: 45))
        world.clock.advance(by: .seconds(360))
        try await log(world, EventSamples.vehicle(at: world.now, .end, stateOfCharge: 45, energy: 599_000))
        await world.scheduler.evaluate(world.scheduler.plannedKeys(at: venueID))
        #expect(await runs(world).isEmpty)
    }

    @Test func `that is slow is looked at a minute after it began, without another report`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 8))
        _ = try await goal(world, car, .energy(Energy(kilowattHours: 12)), hours: 8)
        try await override(world, .chargeNow)
        try await log(world, EventSamples.vehicle(at: world.now, .begin))
        world.clock.advance(by: .seconds(30))
        try await log(world, EventSamples.vehicle(at: world.now, .active, power: 3_000_000, energy: 20_000))
        let key = Scheduler.DeviceKey(venueID: venueID, deviceID: car.device.id)
        #expect(await world.scheduler.dueAt[key] == world.now.advanced(byMilliseconds: 30_000))
        world.clock.advance(by: .seconds(30))
        await world.scheduler.evaluate([key])
        let schedule = await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules.first
        #expect(schedule?.explanation.contains("more slowly than it may, with 3.0 kW") == true)
    }

    @Test func `goes on when its owner goes back to the plan, if that is nearly as good`() async throws {
        let world = try await charging(then: [0.5, 0.5, 0.51, 0.497, 0.497, 0.51, 0.51, 0.51])
        for action in [OverrideAction.chargeNow, .resume] { try await override(world, action) }
        #expect(await runs(world) == [world.now])
    }

    @Test func `that an absence breaks off is nothing that has to be ready by itself`() async throws {
        let world = try await charging(then: [0.5, 0.5, 0.51, 0.51, 0.51, 0.51, 0.51, 0.51])
        let absence = try #require(Interval(start: world.now, end: world.hours(7.5)))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: car.device.id, rules: ChargingRules(absences: [.once(absence)])))
        let schedule = await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules.first
        let told = try #require(schedule?.explanation)
        #expect(told.contains("what helps: be back 1 h 20 min earlier") && !told.contains(" than "), "\(told)")
    }

    @Test func `leaves something for right before the deadline once its owner asks for that`() async throws {
        let world = try await charging(then: [0.5, 0.5, 0.51, 0.51, 0.51, 0.51, 0.51, 0.51])
        let shape = ChargingShape(preconditionMilliseconds: 30 * .millisecondsPerMinute)
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: car.device.id, rules: ChargingRules(shape: shape)))
        let last = world.hours(8).advanced(byMilliseconds: -30 * .millisecondsPerMinute)
        #expect(await runs(world) == [world.now, last])
    }
}
