import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

struct ReplannerTests {
    private let now = EventSamples.now
    private let power = SchedulerWorld.power(6_000_000)

    private func decide(_ record: DeviceRecord, _ guidance: Guidance?, now: Timestamp) throws -> Replanner.Decision {
        let known = guidance.map { [SuggestedAction.shift: $0, .reduce: $0] } ?? [:]
        let replanner = Replanner.patient()
        return try #require(try replanner.decide([record], guidance: known, now: now).first)
    }

    private func hours(_ hours: Double) -> Timestamp {
        now.advanced(byMilliseconds: Int64(hours * Double(Int64.millisecondsPerHour)))
    }

    private func guidance(_ ratings: [Double], prices: [Double]? = nil) -> Guidance {
        let values = ratings.enumerated().map { hour, rating in
            GuidanceValue(
                interval: Interval(start: hours(Double(hour)), milliseconds: .millisecondsPerHour), rating: rating,
                price: prices.map { Price(microsPerKilowattHour: Int64(($0[hour] * 1_000_000).rounded())) })
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: now, milliseconds: .millisecondsPerDay), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    /// A car that needs an hour of charging within `ratings.count` hours, and has its plan for it.
    private func planned(_ ratings: [Double], needs kilowattHours: Int64 = 6) throws -> DeviceRecord {
        var record = DeviceRecord(device: SchedulerWorld.car, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.car.id,
                readyBy: hours(Double(ratings.count)),
                target: .energy(Energy(milliwattHours: kilowattHours * 1_000_000)),
                created: now)
        ]
        guard case .plan(let plan) = try decide(record, guidance(ratings), now: now) else {
            throw EnergyError(.invalidInput, "no plan")
        }
        record.adopt(plan, now: now)
        return record
    }

    private func starts(_ decision: Replanner.Decision) -> [Timestamp]? {
        if case .plan(let plan) = decision {
            plan.blocks.filter { $0.power > .zero }.map(\.interval.start)
        } else {
            nil
        }
    }

    @Test func `a plan that is as good as before, or nearly, is kept`() throws {
        let record = try planned([0.9, 0.5, 0.1, 0.7])
        for ratings in [[0.9, 0.5, 0.1, 0.7], [0.9, 0.09, 0.1, 0.7], [0.085, 0.5, 0.1, 0.7]] {
            #expect(try decide(record, guidance(ratings), now: now) == .keep)
        }
    }

    @Test func `a clearly better hour is taken`() throws {
        let record = try planned([0.9, 0.5, 0.1, 0.7])
        let decision = try decide(record, guidance([0.9, 0.5, 0.1, 0.02]), now: now)
        #expect(starts(decision) == [hours(3)])
    }

    /// Each has to start once more for it: that is no more of a change than it is for one.
    @Test(arguments: [1, 4])
    func `clearly better hours are taken, however many cars there are`(count: Int) throws {
        let record = try planned([0.5, 0.5, 0.6, 0.6, 0.6, 0.6], needs: 12)
        let records = (0..<count).map { number in
            var other = record
            let device = Device(id: "car-\(number)", name: "A car", kind: .electricVehicle)
            other.device = ManagedDevice(device: device, venueID: record.device.venueID, vehicle: record.device.vehicle)
            return other
        }
        let better = guidance([0.5, 0.5, 0.9, 0.43, 0.9, 0.43])
        let decisions = try Replanner.patient().decide(records, guidance: [.shift: better], now: now)
        #expect(decisions.map(starts) == records.map { _ in [hours(3), hours(5)] })
    }

    @Test func `a car that follows its plan is left alone until the goal is reached`() throws {
        var record = try planned([0.9, 0.5, 0.1, 0.7])
        let session = DeviceProgress.RunningSession(id: UUID(), energy: .zero, power: power)
        record.progress.session = session
        record.progress.updated = hours(2)
        // It reports every quarter of an hour: what it brings in between is expected.
        for minutes in stride(from: 120, through: 179, by: 1) {
            if minutes % 15 == 0 {
                record.progress.sinceGoal = Energy(milliwattHours: Int64(minutes - 120) * 100_000)
                record.progress.updated = hours(Double(minutes) / 60)
            }
            let decision = try decide(record, guidance([0.9, 0.5, 0.1, 0.7]), now: hours(Double(minutes) / 60))
            #expect(decision == .keep, "minute \(minutes)")
        }
    }

    @Test func `a car that does not begin is given other hours`() throws {
        let record = try planned([0.9, 0.5, 0.1, 0.7])
        #expect(try decide(record, guidance([0.9, 0.5, 0.1, 0.7]), now: hours(2.1)) == .keep)
        let decision = try decide(record, guidance([0.9, 0.5, 0.1, 0.7]), now: hours(2.25))
        guard case .plan(let plan) = decision else {
            Issue.record("kept")
            return
        }
        #expect(plan.blocks.last?.reason == .targetReached)
        #expect(plan.planned == Energy(milliwattHours: 6_000_000))
    }

    @Test func `an energy that was reached ends the plan, and a plan that ended is not made again`() throws {
        var record = try planned([0.9, 0.5, 0.1, 0.7])
        record.progress.sinceGoal = Energy(milliwattHours: 6_000_000)
        guard case .plan(let plan) = try decide(record, nil, now: hours(1)) else {
            Issue.record("kept")
            return
        }
        #expect(plan.blocks.map(\.reason) == [.targetReached])
        record.adopt(plan, now: hours(1))
        #expect(try decide(record, nil, now: hours(1.5)) == .keep)
        let isOver = [3.9, 4].map { record.passDeadlines(hours($0)) }
        #expect(isOver == [false, true])
        #expect(record.goals.isEmpty && record.schedule == nil)
    }

    @Test func `without guidance a schedule goes by the ratings it was made by`() throws {
        var record = try planned([0.9, 0.5, 0.1, 0.7, 0.9])
        record.progress.sinceGoal = Energy(milliwattHours: 3_000_000)
        let decision = try decide(record, nil, now: hours(1))
        #expect(starts(decision) == [hours(2)])
    }

    @Test func `reduced time that has passed is not granted again`() throws {
        var record = DeviceRecord(device: SchedulerWorld.heatPump, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.heatPump.id, readyBy: hours(4),
                target: .reduce(maxMilliseconds: .millisecondsPerHour), created: now)
        ]
        let first = guidance([0.9, 0.1, 0.1, 0.1])
        guard case .plan(let plan) = try decide(record, first, now: now) else { return }
        record.adopt(plan, now: now)
        let second = guidance([0.1, 0.1, 0.1, 1])
        guard case .plan(let plan) = try decide(record, second, now: hours(0.5)) else {
            Issue.record("kept")
            return
        }
        let reduced = plan.blocks.filter { $0.reason == .reduced }.map(\.interval)
        #expect(reduced.reduce(0) { $0 + $1.milliseconds } == .millisecondsPerHour / 2)
        record.adopt(plan, now: hours(0.5))
        #expect(record.reducedMilliseconds(until: hours(4)) == .millisecondsPerHour)
    }

    @Test func `a goal that repeats grants reduced time anew each time`() throws {
        var record = DeviceRecord(device: SchedulerWorld.heatPump, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.heatPump.id, readyBy: hours(4),
                target: .reduce(maxMilliseconds: .millisecondsPerHour), created: now,
                weekly: WeeklyTime(weekdays: .every, minuteOfDay: 16 * 60))
        ]
        guard case .plan(let plan) = try decide(record, guidance([0.9, 0.1, 0.1, 0.1]), now: now) else { return }
        record.adopt(plan, now: now)
        #expect(record.reducedMilliseconds(until: hours(4)) == .millisecondsPerHour)
        let isOver = record.passDeadlines(hours(4))
        #expect(isOver)
        #expect(record.reducedMilliseconds(until: hours(4)) == 0)
    }

    @Test(arguments: [(PlanObjective.money, 2, "rates are highest"), (.rating, 1, "least clean")])
    func `heating without a building is reduced when what the home minds is worst`(
        objective: PlanObjective, hour: Int, words: String
    ) throws {
        var record = DeviceRecord(device: SchedulerWorld.heatPump, timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.heatPump.id, readyBy: hours(4),
                target: .reduce(maxMilliseconds: .millisecondsPerHour), created: now)
        ]
        var replanner = Replanner.patient()
        replanner.settings.objective = objective
        let guidance = guidance([0.1, 0.9, 0.2, 0.3], prices: [0.2, 0.3, 0.5, 0.2])
        guard case .plan(let plan) = try replanner.decide([record], guidance: [.reduce: guidance], now: now)[0] else {
            Issue.record("no plan")
            return
        }
        #expect(plan.blocks.filter { $0.reason == .reduced }.map(\.interval.start) == [hours(Double(hour))])
        #expect(plan.explanation.contains(words), "\(plan.explanation)")
    }
}
