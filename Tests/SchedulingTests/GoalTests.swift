import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Goals, rules and overrides, as others ask for them.
struct GoalTests {
    private let car = EventSamples.car.id

    private func draft(
        _ world: SchedulerWorld, _ target: Goal.Target, hours: Double = 8, weekly: WeeklyTime? = nil,
        keeps: Bool = false
    ) -> GoalDraft {
        GoalDraft(
            venueID: EventSamples.venueID, deviceID: car, readyBy: world.hours(hours), target: target, weekly: weekly,
            keepsOthers: keeps)
    }

    private func energy(_ kilowattHours: Int64) -> Energy { Energy(milliwattHours: kilowattHours * 1_000_000) }

    /// With a 60 kWh car of 6 kW, and ratings for so many hours.
    private func world(_ ratings: [Double] = Array(repeating: 0.5, count: 24)) async throws -> SchedulerWorld {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance(ratings))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        return world
    }

    private func act(_ world: SchedulerWorld, _ action: OverrideAction) async throws -> Schedule {
        try await world.scheduler.override(
            OverrideRequest(venueID: EventSamples.venueID, deviceID: car, action: action))
    }

    private func power(_ schedule: Schedule, _ time: Timestamp) -> Int64 {
        schedule.blocks.first { $0.interval.contains(time) }?.power.milliwatts ?? -1
    }

    @Test func `goals add up: the first by its time, the rest by the last`() async throws {
        let world = try await world([0.9, 0.8, 0.7, 0.6, 0.1, 0.2, 0.3, 0.4])
        _ = try await world.scheduler.put(draft(world, .energy(energy(6)), hours: 2))
        let both = try await world.scheduler.put(draft(world, .energy(energy(18)), hours: 8, keeps: true))
        #expect(both.goals.map(\.readyBy) == [world.hours(2), world.hours(8)])
        #expect(both.goal.readyBy == world.hours(2))
        #expect(both.required == energy(18))
        #expect([1.5, 4.5, 5.5].allSatisfy { power(both, world.hours($0)) == 6_000_000 })
        #expect([0.5, 2.5, 7.5].allSatisfy { power(both, world.hours($0)) == 0 })
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.schedules(ScheduleFilter()).schedules == [both])
        let other = try await world.scheduler.put(draft(world, .energy(energy(6)), hours: 3))
        #expect(other.goals.count == 1)
    }

    @Test func `all time until the deadline is told, and what waits beside a run in the same hour says why`()
        async throws
    {
        let world = try await world(Array(repeating: 0.5, count: 8))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: EventSamples.venueID, deviceID: car, rules: ChargingRules(shape: ChargingShape(ties: .later))))
        let late = try await world.scheduler.put(draft(world, .energy(energy(9))))
        #expect(late.blocks.map(\.interval.start) == [world.now, world.hours(6.5)])
        #expect(late.blocks.map(\.reason) == [.laterIsAsGood, .noBetterTime])
        #expect(late.blocks.last?.interval.end == world.hours(8))
    }

    @Test func `one of several goals can be taken away`() async throws {
        let world = try await world()
        let first = try await world.scheduler.put(draft(world, .energy(energy(6)), hours: 2))
        _ = try await world.scheduler.put(draft(world, .energy(energy(12)), keeps: true))
        let reference = DeviceReference(venueID: EventSamples.venueID, deviceID: car, goalID: first.goal.id)
        try await world.scheduler.deleteGoal(of: reference)
        let left = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
        #expect(left.goals.map(\.readyBy) == [world.hours(8)])
        // One that it does not have is refused, with those that it has: also where that would be the only one.
        let refusal = await #expect(throws: EnergyError.self) {
            try await world.scheduler.deleteGoal(of: reference)
        }
        #expect(refusal?.code == .notFound)
        #expect(refusal?.message.contains(left.goal.id.uuidString.lowercased()) == true)
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules == [left])
    }

    @Test func `the same goal is kept once, and the same energy again once some of it came`() async throws {
        let world = try await world()
        let percent = try await world.scheduler.put(draft(world, .stateOfCharge(50)))
        #expect(try await world.scheduler.put(draft(world, .stateOfCharge(50), keeps: true)).goals == percent.goals)
        #expect(try await world.scheduler.put(draft(world, .stateOfCharge(50))).goals.map(\.id) == [percent.goal.id])
        #expect(try await world.scheduler.put(draft(world, .stateOfCharge(60), keeps: true)).goals.count == 2)
        // "In 8 hours", said again some seconds later.
        let again = try await world.scheduler.put(draft(world, .stateOfCharge(60), hours: 8.01, keeps: true))
        #expect(again.goals.count == 2)
        let sooner = try await world.scheduler.put(draft(world, .stateOfCharge(50), hours: 6, keeps: true))
        #expect(sooner.goals.count == 3)
        let some = try await world.scheduler.put(draft(world, .energy(energy(6))))
        #expect(try await world.scheduler.put(draft(world, .energy(energy(6)), keeps: true)).goals == some.goals)
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: EventSamples.venueID, received: world.now, principal: "local",
                events: [
                    EventSamples.vehicle(at: world.now, .begin),
                    EventSamples.vehicle(at: world.hours(0.5), .active, power: 6_000_000, energy: 3_000_000),
                ])
        ])
        #expect(try await world.scheduler.put(draft(world, .energy(energy(6)), keeps: true)).goals.count == 2)
    }

    @Test func `what is listed has all goals and the override, when newer guidance rates it, too`() async throws {
        let world = try await world()
        _ = try await world.scheduler.put(draft(world, .energy(energy(6)), hours: 2))
        _ = try await world.scheduler.put(draft(world, .energy(energy(12)), keeps: true))
        let paused = try await act(world, .pause)
        await world.scheduler.receive(
            world.guidance(Array(repeating: 0.2, count: 24), issued: 1),
            .init(venueID: EventSamples.venueID, action: .shift))
        let listed = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
        #expect(listed.blocks.allSatisfy { $0.rating == 0.2 })
        #expect(listed.goals == paused.goals && listed.goals.count == 2)
        #expect(listed.override == paused.override && listed.override != nil)
    }

    @Test func `a goal that repeats comes again, counts anew, and can be skipped`() async throws {
        let world = try await world()
        // 12:00 UTC is 04:00 at the venue; 2026 or not, every day has a 06:00.
        let daily = WeeklyTime(weekdays: .every, minuteOfDay: 6 * 60)
        let schedule = try await world.scheduler.put(draft(world, .energy(energy(6)), weekly: daily))
        #expect(schedule.goal.readyBy == world.hours(2))
        let skipped = try await act(world, .skipNext)
        #expect(skipped.goal.readyBy == world.hours(26))
        #expect(skipped.goal.weekly?.exceptions.count == 1)
        #expect(skipped.goal.created == world.now)
        var record = try #require(try await world.store.load().records.first)
        record.progress.sinceGoal = energy(6)
        let isOver = record.passDeadlines(world.hours(26))
        #expect(isOver)
        #expect(record.goal?.readyBy == world.hours(50))
        #expect(record.goal.map(record.delivered) == .zero)
    }

    @Test func `an only goal that is skipped is gone`() async throws {
        let world = try await world()
        _ = try await world.scheduler.put(draft(world, .energy(energy(6))))
        #expect(try await act(world, .skipNext).blocks.isEmpty)
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
    }

    @Test func `charge now, pause, resume and stop do as they say`() async throws {
        let world = try await world([0.9, 0.1, 0.9, 0.9])
        let plan = try await world.scheduler.put(draft(world, .energy(energy(6)), hours: 4))
        #expect(power(plan, world.hours(0.5)) == 0)
        let now = try await act(world, .chargeNow)
        #expect(now.blocks.map(\.reason) == [.chargeNow, .targetReached])
        #expect(now.blocks[0].interval.end == world.hours(1))
        let paused = try await act(world, .pause)
        #expect(paused.blocks.map(\.reason) == [.paused])
        #expect(paused.missing == energy(6))
        let stopped = try await act(world, .stop)
        #expect(stopped.blocks.map(\.reason) == [.stopped])
        #expect(stopped.override == .stopped)
        let resumed = try await act(world, .resume)
        #expect(resumed.override == nil)
        #expect(resumed.blocks.map(\.interval) == plan.blocks.map(\.interval))
        #expect(resumed.revision == 5)
    }

    @Test func `below its minimum a car is charged at once, above the ceiling too`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.9, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2], carbon: 800))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let rules = ChargingRules(stateOfChargeMin: 50, carbonMax: 500)
        let stored = try await world.scheduler.put(
            RulesDraft(venueID: EventSamples.venueID, deviceID: car, rules: rules))
        #expect(stored.rules == rules)
        // Putting the device again, as one that starts does, leaves the rules.
        #expect(try await world.scheduler.put(SchedulerWorld.car).rules == rules)
        world.append([EventSamples.status(stateOfCharge: 45)])
        let task = Task { await world.scheduler.run() }
        await world.eventUpdates.waitForSubscriber()
        let schedule = try await settled(world, draft(world, .stateOfCharge(60)))
        task.cancel()
        await task.value
        // 3 kWh to 50 %, at 6 kW; the other 6 kWh are above the ceiling all day.
        #expect(schedule.blocks.first?.reason == .minimumCharge)
        #expect(schedule.blocks.first?.interval.milliseconds == .millisecondsPerHour / 2)
        #expect(schedule.plannedEnergy == energy(3))
        #expect(schedule.missing == energy(6))
        #expect(schedule.explanation.contains("carbon is above the ceiling"))
    }

    @Test func `a car below its minimum is charged up to it without any goal`() async throws {
        let world = try await world()
        world.append([EventSamples.status(stateOfCharge: 20)])
        let task = Task { await world.scheduler.run() }
        await world.eventUpdates.waitForSubscriber()
        let published = world.publisher.publications
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: EventSamples.venueID, deviceID: car, rules: ChargingRules(stateOfChargeMin: 30)))
        let schedule = try Schedule(decoding: try #require(await published.next()).body)
        task.cancel()
        await task.value
        #expect(schedule.goal.target == .stateOfCharge(30))
        #expect(schedule.required == energy(6))
        #expect(schedule.blocks.map(\.reason) == [.minimumCharge, .targetReached])
        #expect(schedule.blocks[0].interval.end == world.hours(1))
    }

    /// A goal's schedule once the state of charge is known.
    private func settled(_ world: SchedulerWorld, _ draft: GoalDraft) async throws -> Schedule {
        let published = world.publisher.publications
        var schedule = try await world.scheduler.put(draft)
        while schedule.explanation.contains("not known yet") {
            schedule = try Schedule(decoding: try #require(await published.next()).body)
        }
        return schedule
    }

    @Test func `a day that is a week away or more is told with its date`() {
        let text = LocalTimeText(timeZone: .gmt, now: EventSamples.now)
        func ahead(_ days: Int64) -> String {
            text.time(EventSamples.now.advanced(byMilliseconds: days * .millisecondsPerDay))
        }
        #expect(
            [0, 1, 6, 7, 12].map(ahead) == ["12:00", "Mon 12:00", "Sat 12:00", "Sun 8 Mar 12:00", "Fri 13 Mar 12:00"])
    }

    @Test func `a preview stores nothing, and tells the cost of three courses`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.5, 0.1, 0.7], prices: [0.4, 0.3, 0.1, 0.2]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: EventSamples.venueID, deviceID: car,
                rules: ChargingRules(absences: [
                    .once(Interval(start: world.hours(2), milliseconds: .millisecondsPerHour))
                ])
            ))
        let preview = try await world.scheduler.preview(draft(world, .energy(energy(6)), hours: 4))
        #expect(preview.planned.ready == world.hours(2))
        #expect(preview.atOnce.ready == world.hours(1))
        // It is away in the best hour: no plan has that.
        #expect(preview.best.ready == world.hours(2))
        let courses = [preview.planned, preview.atOnce, preview.best]
        #expect(courses.map(\.costMicros) == [1_800_000, 2_400_000, 1_800_000])
        #expect(abs(preview.best.rating - 0.5) < 1e-9)
        #expect(try await world.store.load().records.first?.goals == [])
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.isEmpty)
    }

    @Test func `what cannot be is refused, with the field and the rule`() async throws {
        let world = try await world()
        _ = try await world.scheduler.put(SchedulerWorld.heatPump)
        func refusal(_ code: EnergyError.Code, _ text: String, _ body: () async throws -> Void) async {
            let error = await #expect(throws: EnergyError.self) { try await body() }
            #expect(error?.code == code)
            #expect(error?.message.contains(text) ?? false, "\(error?.message ?? "")")
        }
        await refusal(.conflict, "no goal") { _ = try await act(world, .pause) }
        let never = WeeklyTime(weekdays: [], minuteOfDay: 0)
        await refusal(.invalidInput, "goal.weekly.weekdays") {
            _ = try await world.scheduler.put(draft(world, .energy(energy(6)), weekly: never))
        }
        await refusal(.invalidInput, "rules.state_of_charge_min") {
            _ = try await world.scheduler.put(
                RulesDraft(
                    venueID: EventSamples.venueID, deviceID: car, rules: ChargingRules(stateOfChargeMin: 101)))
        }
        await refusal(.invalidInput, "electric vehicles") {
            _ = try await world.scheduler.put(
                RulesDraft(
                    venueID: EventSamples.venueID, deviceID: EventSamples.heatPump.id, rules: ChargingRules()))
        }
        _ = try await world.scheduler.put(draft(world, .energy(energy(6))))
        await refusal(.conflict, "nothing to resume") { _ = try await act(world, .resume) }
        for more in 1..<20 {
            _ = try await world.scheduler.put(draft(world, .energy(energy(6 + Int64(more))), keeps: true))
        }
        await refusal(.rateLimited, "at most 20 goals") {
            _ = try await world.scheduler.put(draft(world, .energy(energy(30)), keeps: true))
        }
    }
}
