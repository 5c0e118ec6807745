import EnergyPlanning
import Testing

/// Of plans that cost the same: fewer starts, then early or late as asked.
@Suite struct `Among plans that cost the same` {
    private static let flat = [Double](repeating: 0.2, count: 32)
    /// From 6 to 16 A, any power; in steps; with a minimum run; one power.
    private static let kinds = [
        #""min_current_a": 6, "max_current_a": 16"#,
        #""min_current_a": 6, "max_current_a": 16, "current_step_a": 1"#,
        #""min_current_a": 6, "max_current_a": 16, "min_run_minutes": 30"#,
        #""power_kw": 7, "min_run_minutes": 30"#, #""power_kw": 7"#, #""max_power_kw": 9"#,
    ]

    @Test(arguments: kinds)
    func `one load runs once, at once or at last`(kind: String) throws {
        func load(_ more: String) throws -> PlanDocument.Load {
            let plan = try Planning.plan(Self.flat, minutes: 15, loads: #"{\#(kind), "energy_kwh": 20\#(more)}"#)
            #expect(plan.status == "optimal" && abs(plan.objective - 4) < 1e-6)
            return plan.loads[0]
        }
        let (early, late) = (try load(""), try load(#", "prefer": "late""#))
        #expect(early.starts == 1 && late.starts == 1)
        #expect(early.runs.first?.start == Planning.time(0))
        #expect(early.runs.last.map { $0.end <= Planning.time(180) } == true)
        #expect(late.runs.first.map { $0.start >= Planning.time(480 - 180) } == true)
        #expect(late.energyKwh.last.map { $0 > 0 } == true)
    }

    /// In steps of 8 A an energy that is four hours' at the highest leaves a crumb in floating point.
    @Test(arguments: [
        (#""current_step_a": 8, "prefer": "late""#, [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2], [4, 5, 6, 7]),
        (#""current_step_a": 8"#, [0.1, 0.2, 0.1, 0.1, 0.1, 0.1], [2, 3, 4, 5]),
        (#""prefer": "late""#, [0.2, 0.1, 0.2, 0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.2], [4, 5, 7, 8]),
        ("", [0.1, 0.1, 0.3, 0.1, 0.1, 0.1], [0, 1, 3, 4]),
    ])
    func `four whole hours are used, with the fewest starts, and of these the first or the last`(
        more: String, prices: [Double], hours: [Int]
    ) throws {
        let car = #""min_current_a": 8, "max_current_a": 16, "phases": 1, "energy_kwh": 14.72"#
        let load = try Planning.plan(prices, loads: "{\(car)\(more.isEmpty ? "" : ", ")\(more)}").loads[0]
        #expect(load.energyKwh.indices.filter { load.energyKwh[$0] > 0 } == hours)
    }

    @Test(arguments: kinds, ["early", "late"])
    func `two behind a fuse run once each, one after the other`(kind: String, prefer: String) throws {
        let car = #"{\#(kind), "energy_kwh": 20, "prefer": "\#(prefer)""#
        let plan = try Planning.plan(
            Self.flat, minutes: 15, loads: #"\#(car), "name": "a"}, \#(car), "name": "b"}"#,
            limits: #"{"import_kw": 13}"#)
        #expect(plan.status == "optimal" && abs(plan.objective - 8) < 1e-6)
        #expect(plan.loads.map(\.starts) == [1, 1])
        let idle = plan.slots.indices.filter { plan.slots[$0].importKw < 1e-6 }
        #expect(prefer == "early" ? idle.first.map { $0 > 12 } == true : idle.last.map { $0 < 19 } == true)
    }

    @Test func `two that exclude each other and both lack take turns once where slots are alike`() throws {
        let prices =
            [Double](repeating: 0.3, count: 3)
            + [0.28, 0.26, 0.24, 0.22].flatMap { [Double](repeating: $0, count: 12) }
        let plan = try Planning.plan(
            prices, minutes: 5,
            loads: #"""
                {"name": "a", "min_power_kw": 4, "max_power_kw": 11, "energy_kwh": 40, "priority": 5},
                {"name": "b", "max_power_kw": 7.4, "energy_kwh": 20}
                """#,
            limits: #"{"exclusive": [["a", "b"]]}"#)
        #expect(plan.status == "optimal" && plan.loads[0].missingKwh == 0)
        #expect(plan.loads[1].missingKwh.map { $0 > 14 } == true)
        #expect(plan.loads.map(\.starts).reduce(0, +) <= 4)
    }

    @Test func `a dearer plan is never taken for fewer starts`() throws {
        let plan = try Planning.plan([0.1, 0.100_001, 0.1, 0.2], loads: #"{"power_kw": 4, "energy_kwh": 8}"#)
        #expect(plan.loads[0].energyKwh == [4, 0, 4, 0])
    }

    @Test func `a gap between cheaper slots is closed, and energy goes beside what runs`() throws {
        // 1 and 3 are cheapest; the gap between them costs as much as what is before and after.
        let prices = [0.2, 0.1, 0.2, 0.1, 0.2, 0.2]
        let gap = try Planning.plan(prices, loads: #"{"power_kw": 4, "energy_kwh": 12}"#)
        #expect(gap.loads[0].energyKwh == [0, 4, 4, 4, 0, 0])
        let beside = try Planning.plan(prices, loads: #"{"power_kw": 4, "energy_kwh": 10, "prefer": "late"}"#)
        #expect(beside.loads[0].starts == 2)
        #expect(beside.loads[0].energyKwh == [0, 4, 0, 4, 2, 0])
    }

    @Test func `of equal slots apart those side by side are taken, though others are earlier`() throws {
        for shape in ["", #", "min_run_minutes": 60"#] {
            let plan = try Planning.plan(
                [0.1, 0.3, 0.1, 0.1, 0.3], loads: #"{"power_kw": 4, "energy_kwh": 8\#(shape)}"#)
            #expect(plan.loads[0].energyKwh == [0, 0, 4, 4, 0])
            #expect(plan.loads[0].starts == 1)
        }
    }

    @Test func `the reason says so, and no rule is named that is not there`() throws {
        for (prefer, reason) in [("early", "as_early_as_can_be"), ("late", "as_late_as_can_be")] {
            let load = try Planning.plan(
                [0.2, 0.2, 0.2], loads: #"{"max_power_kw": 4, "energy_kwh": 6, "prefer": "\#(prefer)"}"#
            ).loads[0]
            #expect(load.runs.allSatisfy { $0.reason == reason })
            #expect(load.waits.allSatisfy { $0.reason == reason || $0.reason == "target_reached" })
        }
    }

    @Test func `a demand charge, not the deadline, spreads a load`() throws {
        let load = try Planning.plan(
            [0.1, 0.1, 0.1], loads: #"{"max_power_kw": 9, "energy_kwh": 9}"#,
            limits: #"{"demand_charge": {"price_per_kw": 2}}"#
        ).loads[0]
        #expect(load.runs.map(\.reason) == ["load_balancing"])
    }

    @Test func `photovoltaics are waited for, and no rule is named`() throws {
        let load = try Planning.plan([0.1, 0.2, 0.3], loads: #"{"max_power_kw": 3, "energy_kwh": 3}"#) {
            #", "pv_kw": \#($0 == 2 ? 3 : 0)"#
        }.loads[0]
        #expect(load.runs.map(\.reason) == ["own_solar"])
        #expect(load.waits.map(\.reason) == ["waiting_for_solar"])
    }

    @Test(
        arguments: ["early", "late"], [#""min_power_kw": 1.4"#, #""min_run_minutes": 120"#, #""power_step_kw": 0.5"#])
    func `beside a demand charge runs are as few, and as early or late, as its peak allows`(
        prefer: String, rule: String
    ) throws {
        let deadline = #""deadline": "\#(Planning.time(720))""#
        let load = #""max_power_kw": 7.4, "energy_kwh": 10, "prefer": "\#(prefer)", \#(deadline), \#(rule)"#
        // What runs after the deadline costs the same whatever is planned, and must not count where ties are broken.
        let plan = try Planning.plan(
            Array(repeating: 0.3, count: 18), loads: #"{"name": "a", \#(load)}, {"name": "b", \#(load)}"#,
            limits: #"{"demand_charge": {"price_per_kw": 5, "peak_so_far_kw": 0}}"#
        ) { $0 < 12 ? "" : #", "base_load_kw": 4"# }
        #expect(plan.status == "optimal")
        #expect(plan.loads.map(\.starts) == [1, 1])
        let edges = plan.loads.flatMap { prefer == "early" ? [$0.runs.first?.start] : [$0.runs.last?.end] }
        #expect(edges.contains(Planning.time(prefer == "early" ? 0 : 720)))
    }

    /// 24 h of which 5 are dear, and what runs anyway.
    private static func besideBattery(_ load: String, battery: String = "") throws -> PlanDocument {
        let prices = (0..<24).map { 10..<15 ~= $0 ? 0.58 : 0.31 }
        let store =
            #"{"name": "b", "max_charge_kw": 5, "capacity_kwh": 10, "initial_soc": 60, "min_soc": 20\#(battery)}"#
        return try Planning.plan(
            #"{"slots": \#(Planning.slots(prices)), "base_load_kw": 0.5, "loads": [\#(load), \#(store)]}"#)
    }

    @Test(arguments: [#""power_kw": 7.4"#, #""max_power_kw": 7.4"#], ["", #", "final_soc": 30"#])
    func `a load runs at once, in one run, wherever a home battery could serve it`(power: String, battery: String)
        throws
    {
        let plan = try Self.besideBattery(#"{"name": "car", \#(power), "energy_kwh": 27.02}"#, battery: battery)
        let car = plan.loads[0]
        #expect(plan.status == "optimal" && car.starts == 1)
        #expect(car.energyKwh.prefix(3) == [7.4, 7.4, 7.4] && car.energyKwh[3] > 4.5)
        #expect(car.runs.allSatisfy { $0.reason == "lower_electricity_rates" })
    }

    @Test func `a late load runs at last, wherever a home battery could serve it`() throws {
        let plan = try Self.besideBattery(#"{"name": "car", "power_kw": 7.4, "energy_kwh": 20, "prefer": "late"}"#)
        let car = plan.loads[0]
        #expect(plan.status == "optimal" && car.starts == 1)
        #expect(car.energyKwh.suffix(2) == [7.4, 7.4])
        #expect(
            car.waits.map(\.reason) == [
                "as_late_as_can_be", "waiting_for_lower_electricity_rates", "as_late_as_can_be",
            ])
    }

    @Test func `a block and a battery leave each other's ties alone`() throws {
        let dishwasher = #"{"name": "dw", "power_kw": 2, "energy_kwh": 4, "max_runs": 1}"#
        let plan = try Self.besideBattery(
            #"\#(dishwasher), {"name": "car", "power_kw": 7.4, "energy_kwh": 13.3, "prefer": "late"}"#)
        #expect(plan.loads.map(\.starts) == [1, 1])
        #expect(plan.loads[0].runs.first?.start == Planning.time(0))
        #expect(plan.loads[1].runs.last?.end == Planning.time(1440))
    }
}
