import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct ReducePlannerTests {
    @Test(arguments: UInt64(0)..<2_000)
    func `the worst times are reduced, no longer than allowed, and the plan has no gaps`(seed: UInt64) {
        let instance = PlannerInstance(seed: seed)
        let longest = Int64(seed % 14)
        let plan = ReducePlanner().plan(
            milliseconds: longest, window: instance.window, guidance: instance.guidance, timeZone: .gmt)
        let reduced = plan.blocks.filter { $0.reason == .reduced }
        #expect(reduced.reduce(0) { $0 + $1.interval.milliseconds } <= longest)
        #expect(instance.sum(of: reduced) == instance.highestSum(ofAtMost: Int(longest)))
        #expect(plan.blocks.first?.interval.start == instance.window.start)
        #expect(plan.blocks.last?.interval.end == instance.window.end)
        for (block, next) in zip(plan.blocks, plan.blocks.dropFirst()) {
            #expect(block.interval.end == next.interval.start)
            #expect(block.reason != next.reason)
        }
        for block in plan.blocks { #expect(block.stageMax == (block.reason == .reduced ? 40 : 100)) }
    }

    @Test func `the sentence names the time and its length`() {
        let start = Timestamp(unixMilliseconds: 1_763_712_000_000)
        let plan = ReducePlanner().plan(
            milliseconds: 2 * .millisecondsPerHour,
            window: Interval(start: start, milliseconds: 5 * .millisecondsPerHour),
            guidance: .hourly([0.1, 0.9, 0.2, 0.8, 0.3], from: start), timeZone: .gmt)
        #expect(
            plan.explanation == "Runs reduced from 09:00 to 12:00, with 1 pause, 2 h in all, when energy is least clean"
        )
        #expect(plan.blocks.map(\.reason) == [.normal, .reduced, .normal, .reduced, .normal])
    }

    @Test func `without guidance it runs as usual`() {
        let window = Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: 1)
        let plan = ReducePlanner().plan(milliseconds: 1, window: window, guidance: nil, timeZone: .gmt)
        #expect(plan.blocks.map(\.reason) == [.noGuidance])
    }
}
