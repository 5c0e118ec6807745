import CBCSolver
import EnergyModel
import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// A home with a demand charge, solved by ranges of its peak, against the solver alone.
@Suite struct `Searching by the peak` {
    /// Cars in steps, of one power and of a range, an appliance, a battery, in uneven slots.
    private static func problem(_ seed: UInt64) throws -> PlanProblem {
        var random = SplitMix64(seed: seed)
        var minute = 0
        let slots = (0..<7).map { _ in
            let start = minute
            minute += [15, 30, 60].randomElement(using: &random) ?? 60
            let (price, base) = (Int.random(in: -5...60, using: &random), Int.random(in: 0...20, using: &random))
            return """
                {"start": "\(Planning.time(start))", "end": "\(Planning.time(minute))",
                 "price": \(Double(price) / 100), "base_load_kw": \(Double(base) / 10)}
                """
        }
        let kinds = [
            #""min_current_a": 6, "max_current_a": 16, "current_step_a": 2, "phases": 3, "energy_kwh": 9"#,
            #""min_current_a": 6, "max_current_a": 32, "current_step_a": 1, "phases": 1, "energy_kwh": 5"#,
            #""power_kw": 3.6, "energy_kwh": 4"#, #""power_kw": 3.6, "energy_kwh": 3.6, "partial_slots": "never""#,
            #""min_power_kw": 4, "max_power_kw": 11, "energy_kwh": 8, "min_run_minutes": 30"#,
            #""profile_kw": [2, 0.5, 2], "profile_step_minutes": 10"#,
            #""max_charge_kw": 3, "capacity_kwh": 6, "initial_soc": 50, "charge_efficiency": 0.9"#,
        ].shuffled(using: &random).prefix(3)
        // A deadline inside a slot cuts it; the demand charge counts it as a whole.
        let deadline = Planning.time(Int.random(in: 100...minute, using: &random))
        let due = kinds.firstIndex { !$0.contains("capacity_kwh") }
        let loads = kinds.enumerated().map { index, kind in
            #"{"name": "\#(index)", \#(index == due ? #""deadline": "\#(deadline)", "# : "")\#(kind)}"#
        }
        let text = """
            {"slots": [\(slots.joined(separator: ","))], "loads": [\(loads.joined(separator: ","))],
             "limits": {"demand_charge": {"price_per_kw": \(Int.random(in: 1...30, using: &random)),
                                          "peak_so_far_kw": \(Int.random(in: 0...6, using: &random))}}}
            """
        return try ProblemReader.read(Array(text.utf8)).problem
    }

    @Test(arguments: UInt64(1)...12)
    func `costs what the solver alone finds, and proves it`(seed: UInt64) throws {
        let timer = PlanTimer(limit: .seconds(600), clock: ContinuousClock())
        let home = PlanWork(try Self.problem(seed)).model(timer)
        let peak = try #require(home.peak)
        var model = home.model
        for (column, weight) in home.needs.flatMap(\.missing) { model.addCost(column, 1_000 * weight) }
        let alone = CBCSolver().solve(model, timeLimit: timer.left)
        let found = PeakSearch(home: home, peak: peak, solver: CBCSolver(), timer: timer).solve(model)
        #expect(alone.status == .optimal && found.status == .optimal, "seed \(seed)")
        #expect(abs(alone.cost - found.cost) < 1e-6, "seed \(seed)")
        #expect(abs(found.bound - found.cost) < 1e-6)
        let cost = zip(found.values, model.costs).reduce(model.constant) { $0 + $1.0 * $1.1 }
        #expect(abs(cost - found.cost) < 1e-6)
    }

    @Test func `two cars in steps of amperes beside each other's peak cost what another solver finds`() throws {
        // Half a day of any prices and base loads.
        let slots = (0..<12).map { hour in
            let price = 0.15 + 0.01 * Double((hour * 5 + 3) % 24) - 0.004 * Double(hour * 11 % 24)
            return """
                {"start": "\(Planning.time(hour * 60))", "end": "\(Planning.time(hour * 60 + 60))",
                 "price": \(price), "base_load_kw": \(0.3 + 0.05 * Double(hour * 7 % 24))}
                """
        }
        let cars = [25.36, 16.1].map { energy in
            """
            {"max_current_a": 16, "min_current_a": 6, "current_step_a": 1, "phases": 3, "energy_kwh": \(energy),
             "start_anywhere": false}
            """
        }
        let text = """
            {"slots": [\(slots.joined(separator: ","))], "loads": [\(cars.joined(separator: ","))],
             "limits": {"demand_charge": {"price_per_kw": 2, "peak_so_far_kw": 3}}, "time_limit_seconds": 120}
            """
        let plan = try HomePlanner(solver: CBCSolver()).plan(ProblemReader.read(Array(text.utf8)).problem)
        #expect(plan.isOptimal)
        #expect(abs(plan.totals.money - 14.77824) < 1e-6)
    }

    @Test(arguments: [nil, 2.0] as [Double?])
    func `a slot counts as it is given, not as a deadline cuts it`(baseLoad: Double?) throws {
        // 4 kWh within half an hour are 4 kW over the hour; what runs in its other half adds to that.
        let text = """
            {"slots": [{"start": "\(Planning.time(0))", "end": "\(Planning.time(60))", "price": 0.3},
                       {"start": "\(Planning.time(60))", "end": "\(Planning.time(120))", "price": 0.5}],
             "base_load_kw": \(baseLoad ?? 0),
             "loads": [{"name": "car", "max_power_kw": 10, "energy_kwh": 4, "deadline": "\(Planning.time(30))"},
                       {"name": "other", "max_power_kw": 10, "energy_kwh": 1}],
             "limits": {"demand_charge": {"price_per_kw": 1}}}
            """
        let plan = try HomePlanner(solver: CBCSolver()).plan(ProblemReader.read(Array(text.utf8)).problem)
        // The other load waits: an hour later it costs 0.2 more, and a higher peak 1 for each kW.
        let base = baseLoad ?? 0
        #expect(plan.isOptimal)
        #expect(abs(plan.totals.money - (4 * 0.3 + 1 * 0.5 + base * 0.8 + 4 + base)) < 1e-6)
    }

    @Test func `says without a solution that there is none, and without time that it is not known`() throws {
        let home = PlanWork(try Self.problem(1)).model(PlanTimer(limit: .seconds(60), clock: ContinuousClock()))
        let peak = try #require(home.peak)
        var impossible = home.model
        impossible.row([.init(peak, 1)], -.infinity, -1)
        func solve(_ model: LinearModel, _ limit: Duration) -> LinearSolution {
            let timer = PlanTimer(limit: limit, clock: ContinuousClock())
            return PeakSearch(home: home, peak: peak, solver: CBCSolver(), timer: timer).solve(model)
        }
        #expect(solve(impossible, .seconds(60)).status == .infeasible)
        #expect(solve(home.model, .zero).status == .unknown)
    }
}
