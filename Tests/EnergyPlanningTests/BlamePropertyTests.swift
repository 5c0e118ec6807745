import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// Random small homes in which somebody lacks something.
@Suite struct `Blame in any home` {
    private static let planner = HomePlanner.patient

    @Test(arguments: UInt64(0)..<8)
    func `is real, each remedy helps, and what helps by itself is found`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Self.home(&random)
        var problem = try ProblemReader.read(Array(text.utf8)).problem
        // Nothing is left out for want of time.
        problem.timeLimit = .seconds(200)
        let plan = try Self.planner.plan(problem)
        let loads = plan.loads.enumerated().map { ($0.offset, $0.element.shortfall) }
        let batteries = plan.batteries.enumerated().map { (plan.loads.count + $0.offset, $0.element.shortfall) }
        for (index, shortfall) in loads + batteries {
            guard let shortfall, plan.isOptimal else { continue }
            let name = "\(shortfall.cause) of \(index), seed \(seed): \(text)"
            let causes = [shortfall.cause] + shortfall.also.map(\.cause)
            let isReal = Self.lifts(causes, problem, index).contains { lift in
                Self.lacks(after: lift, problem).map { $0[index] < Self.lacks(plan)[index] - 1e-6 } ?? false
            }
            #expect(isReal, "\(name)")
            for change in shortfall.changes {
                #expect(Self.helps(change, problem, index, plan), "\(change.text(problem)): \(name)")
            }
            guard shortfall.remedies.isEmpty else { continue }
            for change in Self.changes(problem, index) {
                #expect(!Self.helps(change, problem, index, plan), "\(change.text(problem)) helps: \(name)")
            }
        }
    }

    private static func lacks(_ plan: HomePlan) -> [Double] {
        plan.loads.map(\.missing) + plan.batteries.map(\.missing)
    }

    private static func lacks(after change: PlanChange, _ problem: PlanProblem) -> [Double]? {
        var changed = problem
        change.apply(to: &changed)
        return (try? planner.plan(changed)).map(lacks)
    }

    private static func helps(_ change: PlanChange, _ problem: PlanProblem, _ index: Int, _ plan: HomePlan) -> Bool {
        guard let after = lacks(after: change, problem) else { return false }
        return after[index] < 1e-5 && zip(after, lacks(plan)).allSatisfy { $0 <= $1 + 1e-5 }
    }

    /// What is in the way taken away, as one change; several where there is more than one way to have more time.
    private static func lifts(_ causes: [Shortfall.Cause], _ problem: PlanProblem, _ index: Int) -> [PlanChange] {
        let isBattery = index >= problem.loads.count
        let battery = index - problem.loads.count
        var lifts: [PlanChange] = []
        var times: [PlanChange] = []
        for cause in causes {
            switch cause {
            case .priceCeiling: lifts.append(.priceCeiling(load: index, 100))
            case .carbonCeiling: lifts.append(.carbonCeiling(load: index, 1e6))
            case .shape: lifts.append(.freeShape(load: index))
            case .limit, .baseLoad, .otherLoads: lifts.append(.raise(LimitReference.all(problem), power: 100))
            case .exclusion:
                lifts.append(
                    isBattery ? .batteryBeside(battery: battery, others: []) : .beside(load: index, others: []))
            case .window:
                let day = 24 * Int64(3_600_000)
                times =
                    isBattery
                    ? [.batteryLater(battery: battery, goal: 0, milliseconds: day)]
                    : [
                        .later(load: index, goal: nil, milliseconds: day),
                        .strongerConnection(load: index, power: 100),
                    ]
            case .power: lifts.append(.strongerConnection(load: index, power: 100))
            case .capacity: lifts.append(.batteryLess(battery: battery, goal: 0, energy: 100))
            case .timeLimit: break
            }
        }
        return times.isEmpty ? [.together(lifts)] : times.map { .together(lifts + [$0]) }
    }

    /// Far more of each thing that can be asked otherwise.
    private static func changes(_ problem: PlanProblem, _ index: Int) -> [PlanChange] {
        var changes: [PlanChange] = LimitReference.all(problem).map { .raise([$0], power: 100) }
        changes.append(.lessBaseLoad(power: 100))
        guard index < problem.loads.count else {
            return changes + [.batteryBeside(battery: index - problem.loads.count, others: [])]
        }
        let load = problem.loads[index]
        if load.priceMax != nil { changes.append(.priceCeiling(load: index, 100)) }
        if load.carbonMax != nil { changes.append(.carbonCeiling(load: index, 1e6)) }
        if load.shape.runMin > 0 { changes.append(.noRunMin(load: index)) }
        if load.shape.pauseMin > 0 { changes.append(.noPauseMin(load: index)) }
        if load.shape.runsMax != nil { changes.append(.anyRuns(load: index)) }
        let others = problem.limits.exclusive.filter { $0.contains(load.name) }.flatMap { $0 }.filter {
            $0 != load.name
        }
        if !others.isEmpty { changes.append(.beside(load: index, others: others)) }
        changes.append(.strongerConnection(load: index, power: 100))
        return changes
    }

    private static func home(_ random: inout SplitMix64) -> String {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func maybe(_ text: @autoclosure () -> String, _ odds: Int = 3) -> String { number(1...odds) == 1 ? text() : "" }
        let count = number(3...6)
        let prices = (0..<count).map { _ in Double(number(5...40)) / 100 }
        let base = number(0...2)
        let slots = Planning.slots(prices) { _ in #", "base_load_kw": \#(base), "carbon": \#(number(1...5) * 100)"# }
        let loads = (0..<number(1...3)).map { index in
            let power = number(2...7)
            var text =
                #"{"name": "l\#(index)", "energy_kwh": \#(number(2...(power * count))), "priority": \#(number(0...2))"#
            text +=
                number(0...1) == 0
                ? #", "power_kw": \#(power)"# : #", "max_power_kw": \#(power)"# + maybe(#", "min_power_kw": 2"#)
            text += maybe(#", "max_price": \#(Double(number(10...35)) / 100)"#)
            text += maybe(#", "min_run_minutes": \#(number(1...3) * 60)"#)
            text += maybe(#", "min_pause_minutes": \#(number(1...2) * 60)"#, 5)
            text += maybe(#", "max_runs": \#(number(1...2))"#, 4)
            text += maybe(#", "partial_slots": "\#(["never", "last", "any"][number(0...2)])""#)
            text += maybe(#", "earliest_start": "\#(Planning.time(60))""#, 5)
            text += maybe(#", "deadline": "\#(Planning.time(60 * (count - 1)))""#, 4)
            return text + "}"
        }
        let battery = maybe(
            #", {"name": "bat", "capacity_kwh": 8, "initial_soc": 20, "max_charge_kw": \#(number(1...4)), "final_soc": 20, "target_soc": \#(number(3...10) * 10), "deadline": "\#(Planning.time(60 * number(1...count)))"}"#
        )
        let limits = [
            maybe(#""import_kw": \#(number(3...10))"#, 2), maybe(#""fuse": {"current_a": \#(number(8...20))}"#),
            maybe(#""circuits": [{"name": "garage", "power_kw": \#(number(2...6)), "loads": ["l0"]}]"#),
            loads.count > 1
                ? maybe(#""exclusive": [["l0", "\#(battery.isEmpty || number(0...1) == 0 ? "l1" : "bat")"]]"#)
                : battery.isEmpty ? "" : maybe(#""exclusive": [["l0", "bat"]]"#),
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        return #"{"slots": \#(slots), "loads": [\#(loads.joined(separator: ", "))\#(battery)], "limits": {\#(limits)}}"#
    }
}
