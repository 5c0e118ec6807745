import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `What is kept breaks a limit` {
    private let planner = HomePlanner.patient

    /// Two hours of a home; what its battery gives counts as base load.
    private func problem(base: Double, pv: Double, limits: String) throws -> PlanProblem {
        let text = #"""
            {"slots": \#(Planning.slots([0.1, 0.2]) { _ in #", "pv_kw": \#(pv)"# }), "limits": \#(limits),
             "loads": [{"name": "car", "power_kw": 3, "energy_kwh": 3}]}
            """#
        var problem = try ProblemReader.read(Array(text.utf8)).problem
        for slot in problem.slots.indices { problem.slots[slot].baseLoad = [base / 3, base / 3, base / 3] }
        return problem
    }

    private func broken(_ problem: PlanProblem, minutes: Int64) -> String? {
        let run = Interval(start: problem.slots[0].interval.start, milliseconds: minutes * 60_000)
        return planner.brokenLimit(problem, by: [.init(runs: [run], powers: [3])])
    }

    @Test func `when more is given than may be, as soon as a load stops`() throws {
        let problem = try problem(base: -5, pv: 0, limits: #"{"export_kw": 2}"#)
        #expect(broken(problem, minutes: 120) == nil)
        #expect(broken(problem, minutes: 90) == "export limit")
        #expect(broken(problem, minutes: 60) == "export limit")
    }

    @Test func `when a fuse carries too much toward the grid`() throws {
        let problem = try problem(base: -12, pv: 0, limits: #"{"fuse": {"current_a": 16}}"#)
        #expect(broken(problem, minutes: 120) == nil)
        #expect(broken(problem, minutes: 60)?.hasPrefix("circuit main fuse") == true)
    }

    @Test func `but not by photovoltaics, which can be thrown away`() throws {
        #expect(broken(try problem(base: 0, pv: 9, limits: #"{"export_kw": 2}"#), minutes: 60) == nil)
        #expect(broken(try problem(base: 0, pv: 20, limits: #"{"fuse": {"current_a": 16}}"#), minutes: 60) == nil)
    }

    @Test func `when more is drawn than may be`() throws {
        #expect(broken(try problem(base: 1, pv: 0, limits: #"{"import_kw": 3}"#), minutes: 60) == "import limit")
    }
}
