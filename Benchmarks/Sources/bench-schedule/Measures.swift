import EnergyModel
import EnergyPlanning

/// One car, 96 slots: the slowest of all shapes counts.
enum OneLoad {
    static func measure() -> Double {
        var random = Random(seed: 1)
        let slots = Days.slots(&random)
        func need(_ energy: Double, partial: EnergyNeed.PartialSlots) -> EnergyNeed {
            EnergyNeed(
                goals: [.init(by: Days.time(96), energy: energy)], powerMin: 11, powerMax: 11, partialSlots: partial)
        }
        var loads: [(String, PlannedLoad)] = [
            ("any power", PlannedLoad(name: "car", need: .energy(need(40, partial: .any)))),
            (
                "dishwasher",
                PlannedLoad(
                    name: "car",
                    need: .profile(
                        LoadProfile(steps: [2, 0.2, 1.8].map { .init(milliseconds: 1_500_000, power: $0) })),
                    shape: RunShape(startsAnywhere: true))
            ),
        ]
        let hour: Int64 = 3_600_000
        let shapes: [(String, RunShape)] = [
            ("minimum run", RunShape(runMin: hour)), ("minimum pause", RunShape(pauseMin: hour)),
            ("run and pause, late", RunShape(runMin: hour, pauseMin: hour / 2, ties: .later)),
            ("three runs", RunShape(runsMax: 3)), ("start cost", RunShape(startCost: 0.2)),
            ("all of them", RunShape(runMin: hour, pauseMin: hour, runsMax: 3, startCost: 0.1)),
            ("one block", RunShape(runsMax: 1, startsAnywhere: true)),
        ]
        for (name, shape) in shapes {
            loads.append((name, PlannedLoad(name: "car", need: .energy(need(40, partial: .last)), shape: shape)))
        }
        var worst = 0.0
        for (name, load) in loads {
            let problem = PlanProblem(slots: slots, loads: [load])
            var times: [Double] = []
            for _ in 0..<400 { times.append(milliseconds { _ = try? Days.planner.plan(problem) } * 1000) }
            times.sort()
            print("one load, \(name): \(times[200].rounded(to: 1)) us")
            worst = max(worst, times[200])
        }
        return worst
    }
}

/// Five loads of one power with minimum run and pause behind a fuse that binds. Each problem is new to the planner.
struct FiveLoads {
    struct Instance {
        var problem: PlanProblem
        var plan: HomePlan
        var milliseconds: Double
    }

    var instances: [Instance] = []

    private var times: [Double] { instances.map(\.milliseconds).sorted() }
    var median: Double { times[times.count / 2] }
    var worst: Double { times.last ?? 0 }

    /// - Parameter leastShare: of the highest power, what each draws at least.
    static func problem(seed: UInt64, leastShare: Double = 1) -> PlanProblem {
        var random = Random(seed: seed)
        let slots = Days.slots(&random, base: true)
        let loads = (0..<5).map { index in
            let power = random.pick([2.3, 3.68, 7.36, 11.04])
            let need = EnergyNeed(
                goals: [.init(by: Days.time(96), energy: power / 4 * Double(random.whole(8...20)))],
                powerMin: power * leastShare, powerMax: power, partialSlots: .last)
            return PlannedLoad(
                name: "load \(index)", need: .energy(need),
                shape: RunShape(
                    runMin: Int64(random.pick([4, 6, 8])) * Days.quarter,
                    pauseMin: Int64(random.pick([2, 4])) * Days.quarter))
        }
        return PlanProblem(slots: slots, limits: PlanLimits(importPower: 17.25), loads: loads)
    }

    static func measure() -> FiveLoads {
        FiveLoads(instances: (UInt64(1)...20).compactMap { planned(problem(seed: $0), "five loads, seed \($0)") })
    }

    /// The same with any power in a range: no joint state is finite then, and the solver is asked.
    static func measureRanges() {
        for seed in UInt64(1)...4 {
            _ = planned(problem(seed: seed, leastShare: 0.375), "five loads with a range of power, seed \(seed)")
        }
    }

    private static func planned(_ problem: PlanProblem, _ name: String) -> Instance? {
        var plan: HomePlan?
        let took = milliseconds { plan = try? Days.planner.plan(problem) }
        guard let plan else {
            print("\(name): no plan")
            return nil
        }
        let gap = (plan.totals.objective - plan.bound) / max(1e-9, abs(plan.totals.objective))
        print(
            "\(name): \(took.rounded(to: 1)) ms, \(plan.method.rawValue), "
                + (plan.isOptimal ? "proven optimal" : "gap \((100 * gap).rounded(to: 3)) %"))
        return Instance(problem: problem, plan: plan, milliseconds: took)
    }
}

/// 10,000 cars with windows, needs and shapes of their own, on one core.
enum ManyCars {
    static func measure() -> Double {
        var random = Random(seed: 3)
        let slots = Days.slots(&random)
        let problems = (0..<10_000).map { _ in
            let (first, last) = (random.whole(0...30), random.whole(50...96))
            let power = random.pick([3.68, 7.36, 11.04])
            let need = EnergyNeed(
                goals: [.init(by: Days.time(last), energy: 2 + 20 * random.next())], powerMin: power, powerMax: power,
                partialSlots: .last)
            return PlanProblem(
                slots: slots,
                loads: [
                    PlannedLoad(
                        name: "car", need: .energy(need),
                        window: Interval(start: Days.time(first), end: Days.time(last)),
                        shape: RunShape(runMin: Int64(random.whole(0...2)) * Days.quarter))
                ])
        }
        let seconds = milliseconds { for problem in problems { _ = try? Days.planner.plan(problem) } } / 1000
        print("10,000 cars: \(seconds.rounded(to: 3)) s")
        return seconds
    }
}
