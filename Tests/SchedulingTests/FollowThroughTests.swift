import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Vehicles that do not do what they are told, and what is told of all of them.
struct FollowThroughTests {
    private let now = EventSamples.now
    private let car = EventSamples.car.id

    private func minutes(_ minutes: Int64) -> Timestamp {
        now.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
    }

    private func energy(_ kilowattHours: Double) -> Energy { Energy(kilowattHours: kilowattHours) }

    /// Needs 6 kWh within 8 hours of one rating, and has its plan: an hour from now, at 6 kW.
    private func planned() throws -> DeviceRecord {
        var record = DeviceRecord(device: SchedulerWorld.car, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: car, readyBy: minutes(480),
                target: .energy(energy(6)), created: now)
        ]
        record.adopt(try #require(try plan(record, now: now)), now: now)
        return record
    }

    private func plan(_ record: DeviceRecord, now: Timestamp) throws -> DevicePlan? {
        let guidance = Guidance(
            token: EventSamples.token, venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: self.now, milliseconds: .millisecondsPerDay),
            values: [
                GuidanceValue(interval: Interval(start: self.now, milliseconds: .millisecondsPerDay), rating: 0.5)
            ],
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: self.now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
        let replanner = Replanner.patient()
        guard case .plan(let plan) = try replanner.decide([record], guidance: [.shift: guidance], now: now)[0] else {
            return nil
        }
        return plan
    }

    private func runs(_ plan: DevicePlan) -> [Interval] { plan.blocks.filter { $0.power > .zero }.map(\.interval) }

    @Test func `one that charges more slowly is given the time it needs, and still all the power`() throws {
        var record = try planned()
        for (minute, total) in [(Int64(0), 0.0), (15, 0.75), (30, 1.5)] {
            _ = record.progress.apply(
                EventSamples.vehicle(
                    at: minutes(minute), minute == 0 ? .begin : .active, power: minute == 0 ? 0 : 3_000_000,
                    energy: energy(total).milliwattHours), goalSet: now)
        }
        #expect(record.slowPower(minutes(30)) == SchedulerWorld.power(3_000_000))
        let plan = try #require(try plan(record, now: minutes(30)))
        // 4.5 kWh are left, at 3 kW.
        #expect(runs(plan).map(\.end) == [minutes(120)])
        #expect(plan.planned == energy(4.5))
        #expect(plan.blocks[0].power == SchedulerWorld.power(6_000_000))
        #expect(plan.explanation.contains("charges more slowly than it may, with 3.0 kW"))
        record.adopt(plan, now: minutes(30))
        #expect(try self.plan(record, now: minutes(31)) == nil)
        #expect(try self.plan(record, now: minutes(40)) == nil)
    }

    @Test func `one that reports less power than it was told is planned anew within minutes`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.vehicle(at: now, .begin), goalSet: now)
        // In its first minute the power rises.
        _ = record.progress.apply(
            EventSamples.vehicle(
                at: now.advanced(byMilliseconds: 30_000), .active, power: 3_000_000, energy: 20_000), goalSet: now)
        #expect(record.slowPower(now.advanced(byMilliseconds: 30_000)) == nil)
        // What it said last counts then, without another word.
        #expect(record.slowPower(minutes(1)) == SchedulerWorld.power(3_000_000))
        _ = record.progress.apply(
            EventSamples.vehicle(at: minutes(2), .active, power: 3_000_000, energy: 100_000), goalSet: now)
        let plan = try #require(try plan(record, now: minutes(2)))
        #expect(runs(plan).map { $0.end.milliseconds(since: minutes(120)) / 1_000 } == [0])
        record.adopt(plan, now: minutes(2))
        #expect(try self.plan(record, now: minutes(3)) == nil)
    }

    @Test func `one that is told more has a minute to take it`() throws {
        var record = try planned()
        record.schedule?.blocks = [block(0, 60, SchedulerWorld.power(3_000_000))]
        _ = record.progress.apply(EventSamples.vehicle(at: now, .begin), goalSet: now)
        func report(_ seconds: Int64, _ milliwatts: Int64) {
            let time = now.advanced(byMilliseconds: seconds * 1_000)
            _ = record.progress.apply(
                EventSamples.vehicle(at: time, .active, power: milliwatts, energy: milliwatts * seconds / 3_600),
                goalSet: now)
        }
        func slow(_ seconds: Int64) -> Power? { record.slowPower(now.advanced(byMilliseconds: seconds * 1_000)) }
        report(590, 3_000_000)
        #expect(slow(590) == nil)
        var plan = try #require(try plan(record, now: minutes(10)))
        plan.blocks = [block(10, 60, SchedulerWorld.power(6_000_000))]
        record.adopt(plan, now: minutes(10))
        report(625, 3_000_000)
        // What it reported last is what it was told before.
        #expect(slow(600) == nil && slow(625) == nil)
        report(660, 3_000_000)
        #expect(slow(660) == SchedulerWorld.power(3_000_000))
        // One that was told the same all the time has had its minute.
        record.adopt(plan, now: minutes(12))
        #expect(slow(720) == SchedulerWorld.power(3_000_000))
        report(730, 6_000_000)
        #expect(slow(730) == nil)
    }

    private func block(
        _ start: Int64, _ end: Int64, _ power: Power, _ reason: ScheduleReason = .deadline
    ) -> ScheduleBlock {
        let length = (end - start) * .millisecondsPerMinute
        return ScheduleBlock(
            interval: Interval(start: minutes(start), milliseconds: length), power: power, stageMax: 0,
            energy: power.energy(overMilliseconds: length), rating: 0.5, reason: reason)
    }

    @Test func `one whose session stays open and takes nothing is noticed as one that does not begin`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.vehicle(at: now, .begin), goalSet: now)
        for minute in Int64(1)...10 {
            _ = record.progress.apply(EventSamples.vehicle(at: minutes(minute), .active), goalSet: now)
            #expect(record.idleSince(minutes(minute)) == minutes(minute))
        }
        let isNews = [9, 10].map { record.noticeRefusal(minutes($0), since: now) }
        #expect(isNews == [false, true])
        // A meter that counts energy alone is none that takes nothing.
        _ = record.progress.apply(EventSamples.vehicle(at: minutes(12), .active, energy: 100_000), goalSet: now)
        #expect(record.progress.refusedSince == nil && record.idleSince(minutes(12)) == nil)
        #expect(record.progress.session?.power == SchedulerWorld.power(3_000_000))
    }

    @Test func `one that takes nothing for ten minutes gives its room to others, whatever it reports`() async throws {
        let (world, task) = try await SchedulerWorld.waitingCar()
        task.cancel()
        await task.value
        _ = try await world.scheduler.override(
            OverrideRequest(venueID: EventSamples.venueID, deviceID: car, action: .chargeNow))
        _ = try await told(world, after: EventSamples.vehicle(at: world.now, .begin), 201)
        var words: [String] = []
        for minute in UInt64(1)...12 {
            world.clock.advance(by: .seconds(60))
            words.append(try await told(world, after: EventSamples.vehicle(at: world.now, .active), 201 + minute))
        }
        #expect(!words[7].contains("has not"), "\(words[7])")
        #expect(words[11].contains("it should have charged since"), "\(words[11])")
        world.clock.advance(by: .seconds(60))
        let begun = try await told(
            world, after: EventSamples.vehicle(at: world.now, .active, power: 6_000_000, energy: 20_000), 220)
        #expect(!begun.contains("has not"), "\(begun)")
    }

    /// What its plan says after an event.
    private func told(_ world: SchedulerWorld, after event: Event, _ sequence: UInt64) async throws -> String {
        let record = LogRecord(
            partition: LogPartition.of(venueID: EventSamples.venueID), sequence: sequence,
            venueID: EventSamples.venueID, received: world.now, principal: "local", events: [event])
        try await world.scheduler.apply([record])
        await world.scheduler.evaluate([Scheduler.DeviceKey(venueID: EventSamples.venueID, deviceID: car)])
        return await world.scheduler.schedules(ScheduleFilter()).schedules.first?.explanation ?? ""
    }

    @Test func `one that does not begin is noticed after ten minutes, and planned again`() throws {
        var record = try planned()
        let isNews = [0, 9, 10, 11].map { record.noticeRefusal(minutes($0)) }
        #expect(isNews == [false, false, true, false])
        let plan = try #require(try plan(record, now: minutes(11)))
        #expect(plan.explanation.contains("should have charged since 12:00 and has not"))
        #expect(plan.planned == energy(6))
        _ = record.progress.apply(EventSamples.vehicle(at: minutes(12), .begin), goalSet: now)
        #expect(record.progress.refusedSince == nil)
        _ = record.progress.apply(EventSamples.status(at: minutes(13), .unplugged), goalSet: now)
        let isNoticed = record.noticeRefusal(minutes(30))
        #expect(!isNoticed)
        #expect(try self.plan(record, now: minutes(30))?.explanation.contains("Not plugged in") ?? false)
    }

    @Test func `one that begins late is told of all it gets`() throws {
        var record = try planned()
        // It was told to begin at once, and something else is planned anew meanwhile.
        guard
            case .open(let charge) = Charge.read(
                record, try #require(record.goal), now: now.advanced(byMilliseconds: 20_000), 0)
        else { throw EnergyError(.invalidInput, "settled") }
        #expect(charge.kept?.energy == energy(6))
        let end = try #require(charge.kept?.runs.last?.end)
        #expect(abs(end.milliseconds(since: minutes(60)) - 20_000) <= 1)
        record.progress.refusedSince = now
        #expect(try plan(record, now: minutes(20))?.planned == energy(6))
    }

    @Test func `a fault of its charger is said`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.status(at: minutes(20), .idle(.chargerFault)), goalSet: now)
        record.schedule = nil
        #expect(try plan(record, now: minutes(20))?.explanation.contains("its charger tells of a fault") == true)
    }

    @Test func `charging that nobody asked for is told, and no more once it is over`() async throws {
        let (world, task) = try await SchedulerWorld.waitingCar()
        task.cancel()
        await task.value
        world.clock.advance(by: .seconds(600))
        let began = try await told(world, after: EventSamples.vehicle(at: world.now, .begin, power: 6_000_000), 101)
        #expect(began.contains("it draws 6.0 kW more than it was told to"), "\(began)")
        world.clock.advance(by: .seconds(60))
        let over = try await told(world, after: EventSamples.vehicle(at: world.now, .end, energy: 100_000), 102)
        #expect(!over.contains("draws") && !over.isEmpty, "\(over)")
    }

    @Test func `one that says it is full is not asked for more`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.status(at: minutes(20), .idle(.batteryFull)), goalSet: now)
        let plan = try #require(try plan(record, now: minutes(20)))
        #expect(plan.blocks.map(\.reason) == [.targetReached])
        #expect(plan.explanation.contains("full"))
        record.adopt(plan, now: minutes(20))
        #expect(try self.plan(record, now: minutes(60)) == nil)
        #expect(ScheduledStatus(record, now: minutes(60)) == nil)
    }

    @Test func `one that waits for room is told so, and if there will not be enough, that too`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.status(at: now), goalSet: now)
        for (missing, reason) in [(0.0, IdleReason.loadBalancing), (3, .insufficientPower)] {
            let wait = ScheduleBlock(
                interval: Interval(start: now, milliseconds: .millisecondsPerHour), power: .zero, stageMax: 100,
                energy: .zero, rating: 0.5, reason: .loadBalancing)
            record.adopt(
                DevicePlan(
                    blocks: [wait], guidanceToken: nil, required: energy(6), planned: energy(6 - missing),
                    explanation: ""), now: now)
            #expect(ScheduledStatus(record, now: now)?.status == .idle(reason))
        }
    }

    @Test func `one that waits while the grid asks to use less is told that`() throws {
        var record = try planned()
        _ = record.progress.apply(EventSamples.status(at: now), goalSet: now)
        for (reason, told) in [
            (ScheduleReason.waitingForLowerRates, IdleReason.demandResponseActive), (.paused, .userPaused),
        ] {
            record.schedule?.blocks = [block(0, 60, .zero, reason)]
            #expect(ScheduledStatus(record, asksForLess: true, now: now)?.status == .idle(told))
            #expect(ScheduledStatus(record, now: now)?.status == .idle(reason.idle))
        }
    }

    @Test func `what a vehicle does is told with its reason and its target`() throws {
        var record = try planned()
        #expect(ScheduledStatus(record, now: now) == nil, "nobody knows whether it is plugged in")
        _ = record.progress.apply(EventSamples.status(at: now), goalSet: now)
        // It should charge, and nobody knows why it does not yet.
        let expected = try #require(ScheduledStatus(record, now: now))
        #expect(expected.status == .idle(.unknown) && expected.graceMilliseconds == 60_000)
        #expect(expected.target?.scheduledStart == now && expected.target?.estimatedCompletion == minutes(60))
        _ = record.progress.apply(EventSamples.vehicle(at: now, .begin), goalSet: now)
        let charging = try #require(ScheduledStatus(record, now: now))
        // No hour is better than another.
        #expect(charging.status == .active(.scheduledStart))
        #expect(
            charging.target
                == ChargingTarget(stateOfCharge: 60, estimatedCompletion: minutes(60), scheduledStart: now))
        #expect(charging.yields(to: .active(.userResumed)))
        record.progress.session = nil
        let paused = try #require(ScheduledStatus(record, now: minutes(90)))
        #expect(paused.yields(to: .idle(.chargerFault)))
        #expect(!paused.yields(to: .idle(.waitingForCleanerEnergy)))
        #expect(ScheduledStatus(record, now: minutes(90))?.status == .idle(.targetStateOfChargeReached))
        record.override = .chargeNow
        record.adopt(try #require(try plan(record, now: minutes(90))), now: minutes(90))
        #expect(ScheduledStatus(record, now: minutes(90))?.graceMilliseconds == 10_000)
        // Its own word that it charges stands, until it stopped after that or was seen not to.
        _ = record.progress.apply(
            EventSamples.status(at: minutes(91), .active(.userInitiated)), goalSet: now)
        #expect(ScheduledStatus(record, now: minutes(92)) == nil)
        record.progress.refusedSince = minutes(91)
        #expect(ScheduledStatus(record, now: minutes(102))?.status == .idle(.unknown))
        for (minute, state) in [(Int64(103), Session.State.begin), (104, .end)] {
            _ = record.progress.apply(EventSamples.vehicle(at: minutes(minute), state), goalSet: now)
        }
        #expect(ScheduledStatus(record, now: minutes(105))?.status == .idle(.unknown))
    }

    @Test func `one that stops is noticed as long after that as one that never begins, whatever is planned anew`()
        throws
    {
        var record = try planned()
        _ = record.progress.apply(EventSamples.vehicle(at: minutes(1), .begin), goalSet: now)
        _ = record.progress.apply(EventSamples.vehicle(at: minutes(20), .end, energy: 1_900_000), goalSet: now)
        #expect(record.idleSince(minutes(21)) == minutes(20))
        let isNoticed = [21, 29].map { record.noticeRefusal(minutes($0)) }
        #expect(isNoticed == [false, false])
        // Another schedule begins now, and that is no new patience.
        record.schedule = nil
        record.adopt(try #require(try plan(record, now: minutes(29))), now: minutes(29))
        #expect(record.idleSince(minutes(30)) == minutes(29))
        let (isNews, since) = (record.noticeRefusal(minutes(30), since: minutes(20)), record.progress.refusedSince)
        #expect(isNews && since == minutes(20))
    }
}
