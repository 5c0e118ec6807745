import EnergyPlanning
import Testing

@Suite struct `What flows toward the grid` {
    @Test func `is limited by the fuse as what is drawn is`() throws {
        // 15 kW of sun behind 3 x 16 A: 11.04 kW go out, the battery takes what it can of the rest.
        let plan = try Planning.plan(
            [0.3, 0.3],
            loads: #"{"capacity_kwh": 10, "initial_soc": 50, "final_soc": 50, "max_charge_kw": 2}"#,
            limits: #"{"fuse": {"current_a": 16}}"#, more: { $0 == 0 ? #", "pv_kw": 15, "export_price": 0.2"# : "" })
        #expect(abs(plan.slots[0].exportKw - 11.04) < 1e-6)
        #expect(abs(plan.slots[0].curtailedKw + plan.batteries[0].powerKw[0] - 3.96) < 1e-6)
    }

    @Test func `is limited on each phase, however little the others carry`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 100, "final_soc": 0, "max_charge_kw": 9, "phases": [2]}
                """#, limits: #"{"fuse": {"current_a": 16}}"#, more: { _ in #", "export_price": 0.5"# })
        #expect(plan.batteries[0].powerKw.allSatisfy { $0 >= -3.68 - 1e-6 })
        #expect(abs(plan.objective + 2 * 3.68 * 0.5) < 1e-6)
    }

    @Test func `is limited by nested circuits, and a load beside makes room`() throws {
        let loads = #"""
            {"name": "battery", "capacity_kwh": 20, "initial_soc": 100, "final_soc": 0, "max_charge_kw": 9},
            {"name": "car", "power_kw": 3, "energy_kwh": 3, "deadline": "\#(Planning.time(60))"}
            """#
        let plan = try Planning.plan(
            [0.1, 0.1], loads: loads,
            limits: #"""
                {"circuits": [{"name": "house", "power_kw": 5, "loads": []},
                              {"name": "garage", "parent": "house", "power_kw": 6, "loads": ["battery", "car"]}]}
                """#, more: { _ in #", "export_price": 0.5"# })
        #expect(zip(plan.batteries[0].powerKw, [-8, -5]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func `stays as it is where photovoltaics are too much and may not be thrown away`() throws {
        let text = #"""
            {"slots": \#(Planning.slots([0.1], more: { _ in #", "pv_kw": 15, "export_price": 0.2"# })),
             "pv_curtailable": false, "limits": {"fuse": {"current_a": 16}},
             "loads": [{"capacity_kwh": 10, "initial_soc": 50, "final_soc": 0, "max_charge_kw": 2}]}
            """#
        let plan = try Planning.plan(text)
        #expect(plan.batteries[0].powerKw[0] >= -1e-9)
        #expect(plan.slots[0].curtailedKw == 0)
    }

    @Test func `photovoltaics that the home would use are thrown away where imports are paid for`() throws {
        let plan = try Planning.plan(
            [-0.1, 0.2], loads: #"{"power_kw": 1, "energy_kwh": 1}"#, limits: #"{"export_kw": 5}"#,
            more: { _ in #", "pv_kw": 2, "base_load_kw": 3"# })
        #expect(abs(plan.slots[0].curtailedKw - 2) < 1e-6)
        #expect(plan.slots[1].curtailedKw == 0)
        #expect(abs(plan.objective - (-0.4 + 0.2)) < 1e-6)
        #expect(abs(plan.baseline.objective - (-0.3 + 0.2)) < 1e-6)
    }

    @Test func `a load takes what is thrown away where exports cost`() throws {
        let plan = try Planning.plan(
            [0.2, 0.1], loads: #"{"power_kw": 2, "energy_kwh": 2}"#, limits: #"{"export_kw": 50}"#,
            more: { $0 == 0 ? #", "pv_kw": 5, "export_price": -0.1"# : "" })
        #expect(plan.objective == 0)
        #expect(plan.loads[0].energyKwh == [2, 0])
        #expect(abs(plan.slots[0].curtailedKw - 3) < 1e-9)
    }
}
