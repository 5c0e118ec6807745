import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// What allows more never costs more.
@Suite struct `Freedom` {
    private static let planner = HomePlanner.patient

    @Test(arguments: [#""max_runs": 2"#, #""max_runs": 3"#, #""min_run_minutes": 180"#, #""start_cost": 0.001"#])
    func `to run more often costs no more than one block`(rule: String) throws {
        let prices = [0.4, 0.3, 0.1, 0.1, 0.2, 0.4, 0.4, 0.4]
        func cost(_ rule: String) throws -> Double {
            try Planning.plan(prices, loads: #"{"power_kw": 10, "energy_kwh": 35, \#(rule)}"#).totals.money
        }
        #expect(try cost(rule) <= cost(#""one_block": true"#) + 1e-9)
    }

    @Test func `a longer minimum run than it needs is not weaker than one that it fills`() throws {
        func cost(_ hours: Int) throws -> Double {
            try Planning.plan(
                [0.1, 0.1, 0.1, 0.5],
                loads: #"{"min_power_kw": 2, "max_power_kw": 4, "energy_kwh": 8, "min_run_minutes": \#(hours * 60)}"#
            ).objective
        }
        #expect(try cost(4) <= cost(5) + 1e-9)
    }

    @Test(arguments: UInt64(0)..<60)
    func `of one load never costs more`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try Self.check(loads: 1, &random, seed)
    }

    @Test(arguments: UInt64(0)..<15)
    func `of loads behind a limit never costs more`(seed: UInt64) throws {
        var random = SplitMix64(seed: 1000 + seed)
        try Self.check(loads: Int.random(in: 2...3, using: &random), &random, seed)
    }

    private static func check(loads count: Int, _ random: inout SplitMix64, _ seed: UInt64) throws {
        let slots = Int.random(in: 5...9, using: &random)
        let prices = (0..<slots).map { _ in Double(Int.random(in: 5...50, using: &random)) / 100 }
        let rules = (0..<count).map { _ in Rules(slots, &random) }
        let limit = count > 1 ? #", "limits": {"import_kw": \#(Int.random(in: 8...14, using: &random))}"# : ""
        func solved(_ rules: [Rules]) throws -> HomePlan {
            let loads = rules.map(\.text).joined(separator: ", ")
            let text =
                #"{"slots": \#(Planning.slots(prices)), "loads": [\#(loads)]\#(limit), "time_limit_seconds": 60}"#
            return try planner.plan(ProblemReader.read(Array(text.utf8)).problem)
        }
        func missing(_ plan: HomePlan) -> Double { plan.loads.reduce(0) { $0 + $1.missing } }
        let asked = try solved(rules)
        for load in rules.indices {
            for change in Rules.looser {
                var looser = rules
                guard change(&looser[load]) else { continue }
                let free = try solved(looser)
                let told: Comment = "seed \(seed): \(rules.map(\.text)), then \(looser[load].text)"
                #expect(missing(free) <= missing(asked) + 1e-5, told)
                guard abs(missing(free) - missing(asked)) < 1e-6 else { continue }
                #expect(free.totals.objective <= asked.totals.objective + 1e-6, told)
            }
        }
    }

    private struct Rules {
        var needs: String
        var runMin: Int
        var pauseMin: Int
        var runsMax: Int?
        var startCost: Double
        /// kWh that it may take at most.
        var energyMax: Double
        var mayTakeMore = false

        init(_ slots: Int, _ random: inout SplitMix64) {
            func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
            let power = number(2...6)
            let least = [nil, power, power, max(1, power / 3)][number(0...3)]
            let energy = number(4...slots * power * 3) / 4
            needs = #""max_power_kw": \#(power), "energy_kwh": \#(energy)"#
            energyMax = Double(energy) * 1.5
            if let least { needs += #", "min_power_kw": \#(least)"# }
            if number(0...3) == 0 { needs += #", "partial_slots": "\#(["never", "last", "any"][number(0...2)])""# }
            runMin = number(0...4) * 60
            pauseMin = number(0...2) * 60
            runsMax = number(0...1) == 0 ? nil : number(1...3)
            startCost = Double(number(0...2)) / 10
        }

        var text: String {
            let runs = runsMax.map { #", "max_runs": \#($0)"# } ?? ""
            let more = mayTakeMore ? #", "max_energy_kwh": \#(energyMax)"# : ""
            return #"{\#(needs)\#(more), "min_run_minutes": \#(runMin), "min_pause_minutes": \#(pauseMin), "#
                + #""start_cost": \#(startCost)\#(runs)}"#
        }

        /// Each makes one rule weaker, if it is there.
        static var looser: [(inout Rules) -> Bool] {
            [
                { rules in
                    defer { rules.runMin -= 60 }
                    return rules.runMin > 0
                },
                { rules in
                    defer { rules.pauseMin -= 60 }
                    return rules.pauseMin > 0
                },
                { rules in
                    guard let most = rules.runsMax else { return false }
                    rules.runsMax = most < 3 ? most + 1 : nil
                    return true
                },
                { rules in
                    defer { rules.mayTakeMore = true }
                    return !rules.mayTakeMore && !rules.needs.contains("never")
                },
                { rules in
                    defer { rules.startCost /= 2 }
                    return rules.startCost > 0
                },
                { rules in
                    defer { (rules.runMin, rules.pauseMin, rules.runsMax, rules.startCost) = (0, 0, nil, 0) }
                    return rules.runMin + rules.pauseMin > 0 || rules.runsMax != nil || rules.startCost > 0
                },
            ]
        }
    }
}
