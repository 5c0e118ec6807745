import EnergyPlanning
import Testing

/// What the planners of other projects are tested with: their figures, as far as they mean the same.
@Suite struct `Cases that others published` {
    /// Of evcc's planner: a power of 1 kW, prices by the hour, ready by the end.
    struct Case: CustomTestStringConvertible {
        let minutes: Double
        var from = 0
        let runs: [ClosedRange<Int>]
        let cost: Double

        var testDescription: String { "\(minutes) min from minute \(from)" }
    }

    private static func load(_ minutes: Double, from: Int = 0, by: Int, _ more: String = "") -> String {
        #"""
        {"type": "ev", "power_kw": 1, "energy_kwh": \#(minutes / 60), "prefer": "late",
         "earliest_start": "\#(Planning.time(from))", "deadline": "\#(Planning.time(by))"\#(more)}
        """#
    }

    private func expect(
        _ plan: PlanDocument, _ runs: [ClosedRange<Int>], cost: Double, at location: SourceLocation = #_sourceLocation
    ) {
        let found = plan.loads[0].runs.map { [$0.start, $0.end] }
        let wanted = runs.map { [Planning.time($0.lowerBound), Planning.time($0.upperBound)] }
        #expect(found == wanted, sourceLocation: location)
        #expect(abs(plan.totals.money - cost) < 1e-9 && plan.loads[0].missingKwh == 0, sourceLocation: location)
    }

    @Test(arguments: [
        Case(minutes: 60, runs: [120...180], cost: 10),
        Case(minutes: 120, runs: [0...60, 120...180], cost: 30),
        // Late in the first hour.
        Case(minutes: 90, runs: [30...60, 120...180], cost: 20),
        Case(minutes: 60, from: 30, runs: [120...180], cost: 10),
        Case(minutes: 90, from: 30, runs: [30...60, 120...180], cost: 20),
        // evcc takes the first half of the fifth hour, at the same price.
        Case(minutes: 120, from: 30, runs: [30...60, 120...180, 270...300], cost: 40),
    ])
    func `the cheapest hours`(_ wanted: Case) throws {
        let plan = try Planning.plan(
            [20, 60, 10, 80, 40, 90], loads: Self.load(wanted.minutes, from: wanted.from, by: 360))
        expect(plan, wanted.runs, cost: wanted.cost)
    }

    @Test(arguments: [
        Case(minutes: 15, runs: [45...60], cost: 1),
        Case(minutes: 30, runs: [0...15, 45...60], cost: 1.25),
    ])
    func `preconditioning in the last quarter`(_ wanted: Case) throws {
        let plan = try Planning.plan(
            [1, 2, 3, 4], minutes: 15, loads: Self.load(wanted.minutes, by: 60, #", "precondition_minutes": 15"#))
        expect(plan, wanted.runs, cost: wanted.cost)
    }

    @Test func `preconditioning for longer than it charges is all of it`() throws {
        let plan = try Planning.plan(
            [1, 2, 3, 4], minutes: 15, loads: Self.load(15, by: 60, #", "precondition_minutes": 1440"#))
        expect(plan, [45...60], cost: 1)
    }

    @Test func `preconditioning before a departure inside a slot`() throws {
        let plan = try Planning.plan(
            (1...32).map(Double.init), minutes: 15,
            loads: Self.load(60, by: 29 * 15 + 5, #", "precondition_minutes": 30"#))
        expect(plan, [0...30, 410...440], cost: (1 + 2) / 4.0 + 28 / 6.0 + 29 / 4.0 + 30 / 12.0)
    }

    @Test(arguments: [
        ([0.09, 0.20, 0.10, 0.11, 0.11, 0.25], 120, 0.21), ([0.20, 0.09, 0.10, 0.15, 0.11, 0.25], 60, 0.19),
        // The latest of windows of equal cost.
        ([0.10, 0.10, 0.10, 0.10, 0.10, 0.15], 180, 0.20),
    ])
    func `the cheapest window of two hours`(_ prices: [Double], start: Int, cost: Double) throws {
        let plan = try Planning.plan(prices, loads: Self.load(120, by: 360, #", "one_block": true"#))
        expect(plan, [start...start + 120], cost: cost)
    }

    /// Of evcc's optimizer, in its prices per Wh: what the sun gives above the limit of feed-in is stored.
    @Test func `a limit of feed-in fills the battery`() throws {
        let plan = try Planning.plan(
            [300, 300, 300, 300],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 0, "max_charge_kw": 6, "max_discharge_kw": 0,
                 "charge_efficiency": 0.95, "end_value_per_kwh": 0.1}
                """#, limits: #"{"export_kw": 2}"#
        ) { #", "export_price": 100, "pv_kw": \#($0 == 1 ? 6 : 0)"# }
        #expect(abs(plan.totals.money + 200.38) < 1e-6)
        #expect(zip(plan.batteries[0].powerKw, [0, 4, 0, 0]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    /// Likewise: a flat price leaves the course open, and a small charge on the peak makes it a plateau.
    @Test func `a flat price and a charge on the peak spread the energy`() throws {
        let plan = try Planning.plan(
            [300, 300, 300, 300], loads: #"{"max_power_kw": 8, "energy_kwh": \#(4 / 0.95)}"#,
            limits: #"{"demand_charge": {"price_per_kw": 0.001}}"#)
        #expect(plan.loads[0].energyKwh.allSatisfy { abs($0 - 1 / 0.95) < 1e-4 }, "\(plan.loads[0].energyKwh)")
        #expect(abs(plan.totals.money - 1263.1579) < 0.01)
    }
}
