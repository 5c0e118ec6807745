import EnergyPlanning
import Testing

@Suite struct `The solver` {
    /// Noise in prices, a start's cost and photovoltaics that nothing may export: reduced costs that are rounded to the wrong
    /// side of 0 while what would help is looked for.
    private static let rounded = #"""
        {"slots": [
         {"start": "2026-03-28T22:00:00Z", "end": "2026-03-28T23:00:00Z", "price": 0.23, "carbon": 342,
          "rating": 0.44, "pv_kw": 4.6},
         {"start": "2026-03-28T23:00:00Z", "end": "2026-03-28T23:15:00Z", "price": 0.02177,
          "carbon": 269, "rating": 0.03, "export_price": 0.13, "pv_kw": 2.0},
         {"start": "2026-03-28T23:15:00Z", "end": "2026-03-28T23:45:00Z", "price": -0.05,
          "carbon": 358, "rating": 0.84, "pv_kw": 2.4},
         {"start": "2026-03-28T23:45:00Z", "end": "2026-03-29T00:45:00Z", "price": 0.36, "carbon": 535,
          "rating": 0.12, "export_price": -0.04, "pv_kw": 2.6},
         {"start": "2026-03-29T00:45:00Z", "end": "2026-03-29T01:15:00Z", "price": 0.13, "carbon": 481,
          "rating": 0.48, "export_price": 0.14, "pv_kw": 2.7},
         {"start": "2026-03-29T01:15:00Z", "end": "2026-03-29T01:30:00Z", "price": -0.02,
          "carbon": 515, "rating": 0.45, "export_price": 0.18, "pv_kw": 0},
         {"start": "2026-03-29T01:30:00Z", "end": "2026-03-29T02:00:00Z", "price": 0.19, "carbon": 308,
          "rating": 0.46, "export_price": 0.12, "pv_kw": 0},
         {"start": "2026-03-29T02:00:00Z", "end": "2026-03-29T02:15:00Z", "price": 0.19, "carbon": 238,
          "rating": 0.49, "pv_kw": 0}],
         "loads": [
         {"name": "shape1", "power_kw": 11, "capacity_kwh": 85.2, "initial_soc": 0, "efficiency": 0.85,
          "target_soc": 40, "priority": 2, "start_cost": 0.3},
         {"name": "ev2", "phases": 1, "power_kw": 7.4, "energy_kwh": 12.58, "deadline": "2026-03-29T01:15:00Z"},
         {"name": "dish3", "profile_kw": [0.5, 0.1, 0.5, 1.2], "profile_step_minutes": 10},
         {"name": "ev4", "phases": 2, "power_kw": 11, "energy_kwh": 51.43,
          "earliest_start": "2026-03-28T23:45:00Z", "max_price": 0.14}],
         "base_load_kw": 0.4, "limits": {"import_kw": 5, "fuse": {"current_a": 20}, "export_kw": 3}}
        """#

    @Test func `goes on where a reduced cost has the wrong sign by rounding`() throws {
        let plan = try Planning.plan(Self.rounded)
        #expect(plan.loads.map { $0.missingKwh.map { $0 > 0 } } == [true, true, false, true])
    }

    /// Both were called optimal at more, with a bound as high.
    @Test func `what is left of 0 in a factor does not hide the best start`() throws {
        let plan = try Planning.plan(
            [-0.1, -0.1, -0.1, 0.1, 0.1, -0.1], minutes: 30,
            loads: #"{"profile_kw": [2.2, 2, 2, 1, 2], "profile_step_minutes": 15}"#,
            limits: #"{"demand_charge": {"price_per_kw": 0.5}}"#
        ) { #", "pv_kw": \#([0, 0.61, 2.16, 3, 3, 0][$0]), "base_load_kw": 0.4"# }
        #expect(plan.objective < 0.12577278, "\(plan.objective)")
    }

    @Test func `a car in steps beside a battery and a roof has its best plan`() throws {
        let exports = [0.14, 0.12, 0.05, 0.13, 0.07, 0.13, 0.05, 0.11, 0.1018, 0.03, 0.06, 0.0461]
        let base = [1.0, 2, 0, 2, 0, 2, 1, 1, 2, 1, 2, 1]
        let pv = [1, 2, 2.76, 3, 3, 2, 1, 0, 0, 0, 0, 0]
        let slots = Planning.slots(
            [0.21, 0.17, 0.12, 0.11562, 0.1, 0.12, 0.1, 0.1, 0.09, 0.09, 0.1, 0.09], minutes: 30
        ) { #", "export_price": \#(exports[$0]), "base_load_kw": \#(base[$0]), "pv_kw": \#(pv[$0])"# }
        let plan = try Planning.plan(
            #"""
            {"slots": \#(slots), "pv_curtailable": false, "loads": [
             {"name": "car", "phases": 3, "min_current_a": 6, "max_current_a": 16, "current_step_a": 2, "energy_kwh": 11.44},
             {"name": "bat", "capacity_kwh": 5, "max_charge_kw": 5, "initial_soc": 10, "charge_efficiency": 0.95,
              "discharge_efficiency": 0.95}]}
            """#)
        // By HiGHS.
        #expect(abs(plan.objective - 0.919970413) < 1e-6, "\(plan.objective)")
    }
}
