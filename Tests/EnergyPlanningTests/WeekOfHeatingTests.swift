import EnergyModel
import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// A building for a week is more than is solved in time with whole numbers: what is known soon heats ahead all the same.
@Suite struct `A week of heating` {
    private static let prices: [Double] = (0..<672).map { slot in
        let hour = Double(slot % 96) / 4
        let swing: Double = hour < 6 ? -0.2 : hour > 17 && hour < 21 ? 0.3 : 0
        return 0.4 + swing + Double((slot * 37 + slot * slot * 11) % 13) / 130
    }
    private static let rules = #""min_run_minutes": 30, "min_pause_minutes": 30"#
    private static let heated =
        #""mode": "heat", "initial_c": 20.5, "outdoor_c": 4, "comfort_min_c": 20, "comfort_max_c": 23"#
    private static let car = #"""
        , {"name": "car", "max_power_kw": 11, "min_power_kw": 4.1, "priority": 2, "min_run_minutes": 30, "max_runs": 3,
           "goals": [{"by": "\#(Planning.time(2 * 1_440))", "energy_kwh": 20},
                     {"by": "\#(Planning.time(6 * 1_440))", "energy_kwh": 50}]}
        """#

    private static func work(
        _ pump: String, _ thermal: String = heated, others: String = ""
    ) throws -> PlanWork {
        let text = #"""
            {"slots": \#(Planning.slots(prices, minutes: 15)), "limits": {"import_kw": 6}, "loads": [
             {"name": "pump", "type": "hvac", \#(pump),
              "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 4, "cop": 3, \#(thermal)}}\#(others)]}
            """#
        return PlanWork(try ProblemReader.read(Array(text.utf8)).problem)
    }

    private static var timer: PlanTimer { PlanTimer(limit: .seconds(20), clock: WorkClock()) }

    private static func plan(_ work: PlanWork, _ solver: some PlanSolver = PatientSolver()) throws -> PlanDecisions {
        let plan = try #require(FirstPlanner(work: work, timer: timer, solver: solver).plan())
        #expect(work.missing(plan).allSatisfy { $0 < 1e-6 })
        return plan
    }

    @Test(arguments: [
        (#""max_power_kw": 3"#, heated, "", 0.5),
        (#""max_power_kw": 3, "min_power_kw": 1"#, heated, "", 0.5),
        // Where it is on or off, it follows half an hour late.
        (#""power_kw": 3"#, heated, "", 0.2),
        (
            #""max_power_kw": 3, "min_power_kw": 1"#,
            #""mode": "cool", "initial_c": 24, "outdoor_c": 33, "comfort_min_c": 21, "comfort_max_c": 25"#, "", 0.5
        ),
        (#""max_power_kw": 3"#, heated, car, 0.5),
    ])
    func `saves much of what can be, without whole numbers, and lacks nothing`(
        pump: String, thermal: String, others: String, share: Double
    ) throws {
        let work = try Self.work("\(pump), \(Self.rules)", thermal, others: others)
        let free = try Self.work(pump, thermal, others: others)
        let least = HomePlanner(solver: PatientSolver()).relaxed(free, lacking: 0, Self.timer)
        let thermostat = PlanWorth(try Self.plan(work, NoSolver()), work).objective
        let cost = PlanWorth(try Self.plan(work), work).objective
        print(
            "a week of \(pump)\(others.isEmpty ? "" : " and a car"): \(cost), \(thermostat) as a thermostat would,",
            "\(least) at least"
        )
        #expect(least > 0 && cost >= least - 1e-6)
        #expect(thermostat - cost > share * (thermostat - least))
    }

    @Test func `is set back once, for as long as it may be, where that saves`() throws {
        let pump = #""max_power_kw": 3, \#(Self.rules)"#
        let work = try Self.work(pump, #"\#(Self.heated), "setback_k": 1, "setback_minutes": 90"#)
        let (plan, kept) = (try Self.plan(work), try Self.work(pump))
        #expect((1...6).contains(plan.loads[0].isSetBack.count(where: \.self)))
        let low = try #require(plan.loads[0].temperatures.min())
        #expect(low < 19.9 && low >= 19 - 1e-6)
        #expect(PlanWorth(plan, work).objective < PlanWorth(try Self.plan(kept), kept).objective - 0.01)
    }
}
