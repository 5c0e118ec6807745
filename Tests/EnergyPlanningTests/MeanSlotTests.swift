import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// What begins between the edges of slots where something counts their means.
@Suite struct `Where the means of slots count` {
    private static let peak = #"{"demand_charge": {"price_per_kw": 1}}"#

    @Test(arguments: [
        #"{"power_kw": 2, "energy_kwh": 0.5, "one_block": true}"#,
        #"{"profile_kw": [2], "profile_step_minutes": 15}"#,
    ])
    func `one block lies across two slots to keep a peak low`(load: String) throws {
        let plan = try Planning.plan([0.3, 0.3], minutes: 30, loads: load, limits: Self.peak)
        // 0.5 kWh at 0.3, and half of 1 kW.
        #expect(abs(plan.objective - 0.65) < 1e-6 && plan.gap == 0, "\(plan.objective)")
    }

    @Test func `a block that excludes another lies across slots, too`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1], minutes: 30,
            loads: #"""
                {"name": "a", "power_kw": 8, "energy_kwh": 2, "one_block": true},
                {"name": "b", "power_kw": 1, "energy_kwh": 0}
                """#,
            limits: #"{"demand_charge": {"price_per_kw": 1}, "exclusive": [["a", "b"]]}"#)
        // 2 kWh at 0.1, and a quarter of 8 kW.
        #expect(abs(plan.objective - 2.2) < 1e-6 && plan.gap == 0, "\(plan.objective)")
    }

    @Test(arguments: UInt64(0)..<30)
    func `no start that is asked for costs less than the one that was chosen`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<6).map { _ in Double.random(in: 0.05...0.5, using: &random) }
        let base = (0..<6).map { _ in Double.random(in: 0...2, using: &random) }
        let sun = (0..<6).map { _ in Double.random(in: 0...2, using: &random) }
        let isPeak = Bool.random(using: &random)
        func cost(from minute: Int? = nil) throws -> Double {
            let start = minute.map { #", "earliest_start": "\#(Planning.time($0))""# } ?? ""
            return try Planning.plan(
                prices, minutes: 30, loads: #"{"power_kw": 3, "energy_kwh": 2, "one_block": true\#(start)}"#,
                limits: isPeak ? Self.peak : "{}",
                more: { #", "base_load_kw": \#(base[$0]), "pv_kw": \#(sun[$0])"# }
            ).objective
        }
        let best = try cost()
        for minute in stride(from: 0, through: 140, by: 7) {
            #expect(try cost(from: minute) > best - 1e-6, "seed \(seed), from minute \(minute)")
        }
    }

    @Test func `what needs less than a minimum run runs once, however slots differ`() throws {
        let goals =
            #""goals": [{"by": "\#(Planning.time(126))", "energy_kwh": 0.12}, {"by": "\#(Planning.time(355))", "energy_kwh": 1.13}]"#
        let slots = [(0, 67), (67, 171), (171, 238), (238, 355)].map { start, end in
            #"{"start": "\#(Planning.time(start))", "end": "\#(Planning.time(end))", "price": 0.3}"#
        }
        let load = try Planning.plan(
            #"""
            {"slots": [\#(slots.joined(separator: ","))],
             "loads": [{"power_kw": 1, "min_run_minutes": 180, \#(goals)}]}
            """#
        ).loads[0]
        #expect(load.missingKwh == 0 && load.runs.count == 1)
    }
}
