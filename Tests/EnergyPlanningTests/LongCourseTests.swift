import EnergyModel
import EnergyTestSupport
import Testing

@testable import EnergyPlanning

@Suite struct `A long course` {
    private static func prices(_ count: Int) -> [Double] { (0..<count).map { 0.1 + Double($0 * 7 % 11) / 100 } }

    private static func course(_ steps: Int, minutes: Double, powers: Int) -> String {
        let powers = (0..<steps).map { "\(0.5 + Double($0 % powers) / 10)" }.joined(separator: ", ")
        return #"{"name": "long", "profile_kw": [\#(powers)], "profile_step_minutes": \#(minutes)}"#
    }

    @Test func `by minutes is placed in a week of five minutes, wherever it is cheapest`() throws {
        let plan = try Planning.plan(
            Self.prices(2016), minutes: 5, loads: Self.course(120, minutes: 1, powers: 5))
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.status == "optimal" && plan.notes == [])
    }

    @Test func `of one power has the starts of one step`() throws {
        let plan = try Planning.plan(
            Self.prices(96), minutes: 15, loads: Self.course(2500, minutes: 0.05, powers: 1))
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.notes == [])
    }

    @Test func `with too many starts is placed at the start of a slot, and a note says so`() throws {
        let plan = try Planning.plan(
            Self.prices(288), minutes: 5, loads: Self.course(9000, minutes: 0.05, powers: 7))
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.notes.contains { $0.contains("starts of slots") && $0.contains("long") })
    }

    @Test func `that is longer than a list may be is refused with how long it may be`() throws {
        let refusal = Planning.refusal(
            #"{"slots": \#(Planning.slots([0.1])), "loads": [\#(Self.course(10_001, minutes: 0.001, powers: 2))]}"#)
        #expect(refusal?.path == "$.loads[0].profile_kw")
        #expect(refusal?.description.contains("at most 10000") == true)
        #expect(ProblemSchema.text.contains(#""maxItems": 10000"#))
    }

    /// Of several powers, beside photovoltaics: where some slot's share of the course is just what they give is no edge.
    @Test(arguments: UInt64(1)...20)
    func `beside photovoltaics costs no more than at any second`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let powers = (0..<Int.random(in: 2...5, using: &random)).map { _ in Int.random(in: 1...20, using: &random) }
        let sun = (0..<4).map { _ in Int.random(in: 0...20, using: &random) }
        let course = powers.map { "\(Double($0) / 10)" }.joined(separator: ", ")
        let slots = Planning.slots([0.4, 0.3, 0.4, 0.2], minutes: 30) {
            #", "pv_kw": \#(Double(sun[$0]) / 10), "export_price": 0.05"#
        }
        let text = #"{"slots": \#(slots), "loads": [{"profile_kw": [\#(course)], "profile_step_minutes": 10}]}"#
        let problem = try ProblemReader.read(Array(text.utf8)).problem
        let grid = PlanWork(problem).grid
        guard case .profile(let profile) = problem.loads[0].need else { return }
        func cost(_ start: Int64) -> Double {
            CoursePlanner(grid: grid).parts(profile, from: start).reduce(0) { $0 + grid.cost($1.slot, $1.energy) }
        }
        let starts = stride(from: grid.edges[0], through: grid.edges[grid.count] - profile.milliseconds, by: 1_000)
        let least = try #require(starts.map(cost).min())
        let plan = try Planning.planner.plan(problem)
        let start = try #require(plan.loads[0].runs.first).interval.start.unixMilliseconds
        #expect(plan.isOptimal)
        #expect(cost(start) <= least + 1e-9, "seed \(seed)")
    }
}
