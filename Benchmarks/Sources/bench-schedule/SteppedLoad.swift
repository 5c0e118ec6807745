import EnergyModel
import EnergyPlanning

/// One car in steps of amperes, 96 slots: its energy is counted in steps, so that it takes longer than one of one power.
enum SteppedLoad {
    static func measure() {
        var random = Random(seed: 1)
        let slots = Days.slots(&random)
        let hour: Int64 = 3_600_000
        let shapes: [(String, RunShape)] = [
            ("minimum run", RunShape(runMin: hour)),
            ("all rules", RunShape(runMin: hour, pauseMin: hour, runsMax: 3, startCost: 0.1)),
        ]
        for (name, shape) in shapes {
            let need = EnergyNeed(
                goals: [.init(by: Days.time(96), energy: 40)], powerMin: 6 * 0.69, powerMax: 16 * 0.69, powerStep: 0.69,
                partialSlots: .last)
            let load = PlannedLoad(name: "car", need: .energy(need), shape: shape)
            let problem = PlanProblem(slots: slots, loads: [load])
            let times = (0..<40).map { _ in milliseconds { _ = try? Days.planner.plan(problem) } }.sorted()
            print("one load in steps of 1 A, \(name): \(times[20].rounded(to: 2)) ms")
        }
    }
}
