import EnergyTestSupport
import Testing

@testable import EnergyPlanning

@Suite struct `A sum of whole numbers` {
    private func most(_ factors: [(Double, isInteger: Bool)], within room: Double) -> Double {
        var model = LinearModel()
        let terms = factors.map { LinearModel.Term(model.column(0, 32, isInteger: $0.isInteger), $0.0) }
        return model.most(of: terms, within: room)
    }

    @Test func `uses a room up to the last whole unit`() {
        #expect(abs(most([(0.23, true), (0.69, true)], within: 5.15) - 22 * 0.23) < 1e-9)
        #expect(abs(most([(0.46, true), (0.69, true)], within: 5.15) - 22 * 0.23) < 1e-9)
    }

    @Test func `uses a room that it fills to the end`() {
        #expect(most([(0.23, true), (0.23, true)], within: 22 * 0.23) == 22 * 0.23)
        #expect(most([(0.1, true)], within: 0.3) == 0.3)
    }

    @Test func `may use any part beside what is none, or of units that have nothing in common`() {
        #expect(most([(0.23, true), (1, false)], within: 5.15) == 5.15)
        #expect(most([(0.23, true), (0.31415, true)], within: 5.15) == 5.15)
    }

    @Test func `makes the relaxation of cars in steps behind a fuse as dear as their plan`() throws {
        let car =
            #""phases": [1], "min_current_a": 6, "max_current_a": 16, "current_step_a": 1, "partial_slots": "any""#
        let text = #"""
            {"slots": \#(Planning.slots([0.1, 0.9, 0.9])), "base_load_kw": 1.8,
             "loads": [{"name": "a", \#(car), "energy_kwh": 6}, {"name": "b", \#(car), "energy_kwh": 6}],
             "limits": {"fuse": {"current_a": 25}}}
            """#
        let problem = try ProblemReader.read(Array(text.utf8)).problem
        let timer = PlanTimer(limit: .seconds(60), clock: ContinuousClock())
        var home = PlanWork(problem).model(timer)
        for (column, weight) in home.needs.flatMap(\.missing) { home.model.addCost(column, 1000 * weight) }
        let whole = PatientSolver().solve(home.model, timeLimit: .seconds(60))
        home.model.makeContinuous()
        let relaxed = PatientSolver().solve(home.model, timeLimit: .seconds(60))
        #expect(abs(relaxed.cost - whole.cost) < 1e-6)
    }
}
