import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct ChargePlannerTests {
    private let zone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
    /// 2025-11-21 00:00 in Los Angeles.
    private let midnight = Timestamp(unixMilliseconds: 1_763_712_000_000)

    private func hours(_ count: Int64) -> Interval {
        Interval(start: midnight, milliseconds: count * .millisecondsPerHour)
    }

    @Test(arguments: UInt64(0)..<3_000)
    func `the plan is as cheap as the cheapest of all choices, brings the energy exactly and has no gaps`(
        seed: UInt64
    ) throws {
        let instance = PlannerInstance(seed: seed)
        var random = SplitMix64(seed: ~seed)
        // 3.6 kW is 1 mWh per millisecond; others make the last millisecond a part.
        let power = try Power(milliwatts: seed % 3 == 0 ? 3_600_000 : .random(in: 1...20_000_000, using: &random))
        let required = Energy(milliwattHours: .random(in: 0...70, using: &random))
        let plan = ChargePlanner(ties: seed % 2 == 0 ? .earlier : .later).plan(
            required: required, power: power, window: instance.window, guidance: instance.guidance, timeZone: zone)

        let most = power.energy(overMilliseconds: instance.window.milliseconds)
        #expect(plan.planned == min(required, most))
        #expect(plan.blocks.reduce(Energy.zero) { $0 + $1.energy } == plan.planned)
        #expect(plan.blocks.first?.interval.start == instance.window.start)
        #expect(plan.blocks.last?.interval.end == instance.window.end)
        for (block, next) in zip(plan.blocks, plan.blocks.dropFirst()) {
            #expect(block.interval.end == next.interval.start)
            #expect(block.reason != next.reason)
        }
        for block in plan.blocks {
            #expect(
                block.energy
                    <= Energy(
                        milliwattHours: power.energy(overMilliseconds: block.interval.milliseconds).milliwattHours + 1))
            #expect(0...1 ~= block.rating)
        }
        let runs = plan.blocks.filter { $0.power > .zero }
        let run = runs.reduce(0) { $0 + Int($1.interval.milliseconds) }
        let fewest = (0...instance.tenths.count).first {
            power.energy(overMilliseconds: Int64($0)) >= required
        }
        #expect(run == fewest ?? instance.tenths.count)
        #expect(instance.sum(of: runs) == instance.lowestSum(of: run))
    }

    @Test func `one sentence says when it starts, when it is ready and how long it needs, in local time`() throws {
        let guidance = Guidance.hourly([0.9, 0.2, 0.2, 0.1, 0.1, 0.5, 0.8], from: midnight)
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: 24_666_667), power: try Power(milliwatts: 7_400_000), window: hours(7),
            guidance: guidance, timeZone: zone)
        #expect(
            plan.explanation
                == "Waits for cleaner energy: starts 01:40, ready by 05:00 (needs 3 h 20 min at 7.4 kW)")
        #expect(plan.blocks.map(\.reason) == [.waitingForCleanerEnergy, .cleanerEnergy, .targetReached])
        #expect(plan.guidanceToken == guidance.token)
    }

    @Test func `where prices decide it waits for lower rates`() throws {
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: 7_000_000), power: try Power(milliwatts: 7_000_000), window: hours(3),
            guidance: .hourly([0.9, 0.2, 0.4], from: midnight, priceWeight: 0.8), timeZone: zone)
        #expect(plan.blocks.map(\.reason) == [.waitingForLowerRates, .lowerRates, .targetReached])
        #expect(plan.explanation.hasPrefix("Waits for lower rates: starts 01:00, ready by 02:00"))
    }

    @Test func `a window that is too short is used at once and says what will be missing`() throws {
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: 20_000_000), power: try Power(milliwatts: 7_000_000), window: hours(2),
            guidance: .hourly([0.9, 0.1], from: midnight), timeZone: zone)
        #expect(plan.blocks.map(\.reason) == [.deadline])
        #expect(plan.planned == Energy(milliwattHours: 14_000_000))
        #expect(plan.explanation.contains("6.0 kWh will be missing"))
    }

    @Test func `without guidance it charges at once, and says so`() throws {
        let plan = ChargePlanner(ties: .later).plan(
            required: Energy(milliwattHours: 7_000_000), power: try Power(milliwatts: 7_000_000), window: hours(5),
            guidance: nil, timeZone: zone)
        #expect(plan.blocks.map(\.reason) == [.noGuidance, .targetReached])
        #expect(plan.blocks.first?.interval == hours(1))
        #expect(plan.guidanceToken == nil)
    }

    @Test func `time that the guidance does not rate is used only when the deadline requires it`() throws {
        let power = try Power(milliwatts: 1_000_000)
        let guidance = Guidance.hourly([1, 1, 0.9], from: midnight)
        func plan(_ kilowattHours: Int64) -> DevicePlan {
            ChargePlanner().plan(
                required: Energy(milliwattHours: kilowattHours * 1_000_000), power: power, window: hours(30),
                guidance: guidance, timeZone: zone)
        }
        #expect(plan(3).blocks.map(\.reason) == [.cleanerEnergy, .targetReached])
        #expect(plan(4).blocks.map(\.reason) == [.cleanerEnergy, .deadline, .targetReached])
        #expect(plan(4).explanation.contains("guidance ends 03:00"))
    }

    @Test func `the partial interval joins the rest of the run`() throws {
        let power = try Power(milliwatts: 1_000_000)
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: 1_500_000), power: power, window: hours(5),
            guidance: .hourly([0.5, 0.9, 0.5, 0.1, 0.9], from: midnight), timeZone: zone)
        #expect(plan.blocks.filter { $0.power > .zero }.count == 1)
        #expect(plan.explanation.hasPrefix("Waits for cleaner energy: starts 02:30, ready by 04:00"))
    }

    @Test(arguments: [TieBreak.earlier, .later])
    func `of equal ratings the side that was asked for is taken`(ties: TieBreak) throws {
        let plan = ChargePlanner(ties: ties).plan(
            required: Energy(milliwattHours: 1_000_000), power: try Power(milliwatts: 1_000_000), window: hours(4),
            guidance: .hourly([0.5, 0.5, 0.5, 0.5], from: midnight), timeZone: zone)
        let run = plan.blocks.first { $0.power > .zero }?.interval
        #expect((ties == .earlier ? run?.start : run?.end) == (ties == .earlier ? hours(4).start : hours(4).end))
    }

    @Test func `in the night that has its hour twice the sentence tells which one`() throws {
        // 2025-11-02 00:00 in Los Angeles: the hour from 01:00 comes twice.
        let start = Timestamp(unixMilliseconds: 1_762_066_800_000)
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: 1_000_000), power: try Power(milliwatts: 1_000_000),
            window: Interval(start: start, milliseconds: 6 * .millisecondsPerHour),
            guidance: .hourly([0.9, 0.8, 0.1, 0.8, 0.9, 0.9], from: start), timeZone: zone)
        #expect(plan.explanation.contains("starts 01:00 "))
        #expect(plan.explanation.contains("ready by 02:00 ("))
    }

    @Test func `extreme input is planned without overflow`() throws {
        let plan = ChargePlanner().plan(
            required: Energy(milliwattHours: .max), power: try Power(milliwatts: 1), window: hours(1), guidance: nil,
            timeZone: zone)
        #expect(plan.planned == Energy(milliwattHours: 1))
        let idle = ChargePlanner().plan(
            required: Energy(milliwattHours: .max), power: .zero, window: hours(1), guidance: nil, timeZone: zone)
        #expect(idle.planned == .zero)
    }
}
