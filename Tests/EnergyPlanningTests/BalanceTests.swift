import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `Inside a slot` {
    private static func battery(_ power: Double) -> String {
        #"{"name": "battery", "capacity_kwh": 10, "initial_soc": 35, "max_charge_kw": \#(power), "final_soc": 0}"#
    }

    private static let car = #"{"name": "car", "power_kw": 7, "energy_kwh": 3.5, "partial_slots": "any"}"#
    private static let noExport: @Sendable (Int) -> String = { _ in #", "export_price": 0"# }

    @Test func `a battery gives while a car charges that needs half of it`() throws {
        let strong = try Planning.plan([0.2], loads: "\(Self.car), \(Self.battery(7))", more: Self.noExport)
        #expect(strong.batteries[0].powerKw == [-3.5])
        #expect(strong.batteries[0].blocks.map(\.powerKw) == [-7, 0])
        #expect(strong.batteries[0].blocks[0].end == strong.loads[0].runs[0].end)
        #expect(abs(strong.asRun.objective) < 1e-9)
    }

    @Test func `what a battery is too weak for is imported, and said`() throws {
        let weak = try Planning.plan([0.2], loads: "\(Self.car), \(Self.battery(3.5))", more: Self.noExport)
        #expect(abs(weak.totals.money) < 1e-9)
        // Half an hour at 7 kW, of which the battery gives half; the rest of it comes too late.
        #expect(abs(weak.asRun.money - 0.35) < 1e-6)
    }

    @Test(arguments: [3.5, 7]) func `what is given inside a slot above the export limit is said`(power: Double) throws {
        let plan = try Planning.plan(
            [0.2], loads: "\(Self.car), \(Self.battery(power))", limits: #"{"export_kw": 1}"#, more: Self.noExport)
        // The weak one gives 3.5 kW of which nobody takes anything in half of the hour.
        #expect(plan.slots[0].exportKw <= 1)
        #expect(plan.notes.contains { $0.hasPrefix("For 30 min in all up to 3.5 kW are given") } == (power == 3.5))
    }

    @Test func `photovoltaics do not wait for a car`() throws {
        let plan = try Planning.plan([0.2], loads: Self.car, more: { _ in #", "export_price": 0.05, "pv_kw": 3.5"# })
        #expect(abs(plan.totals.money) < 1e-9)
        #expect(abs(plan.asRun.money - 1.75 * 0.15) < 1e-6)
    }

    @Test func `a battery behind a circuit of its own keeps to it`() throws {
        let plan = try Planning.plan(
            [0.2], loads: "\(Self.car), \(Self.battery(7))",
            limits: #"{"circuits": [{"name": "cellar", "power_kw": 4, "loads": ["battery"]}]}"#, more: Self.noExport)
        #expect(plan.batteries[0].blocks.allSatisfy { abs($0.powerKw) <= 4 })
        #expect(plan.asRun.money > 0.1)
    }

    @Test(arguments: UInt64(0)..<40)
    func `blocks move what their slots say, and balancing never costs less than the mean`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let slots = Planning.slots((0..<6).map { _ in Double(number(5...40)) / 100 }) { _ in
            #", "export_price": 0.04, "pv_kw": \#(number(0...6)), "base_load_kw": \#(number(0...3))"#
        }
        let text = #"""
            {"slots": \#(slots), "loads": [
             {"name": "car", "power_kw": 7, "energy_kwh": \#(number(1...20)), "partial_slots": "any"},
             {"name": "dishwasher", "profile_kw": [2.2, 0.2, 1.8], "profile_step_minutes": 20},
             {"name": "battery", "capacity_kwh": 10, "initial_soc": \#(number(0...100)),
              "max_charge_kw": \#(number(1...8)), "final_soc": 0}]}
            """#
        let plan = try HomePlanner.patient.plan(try ProblemReader.read(Array(text.utf8)).problem)
        #expect(plan.asRun.objective >= plan.totals.objective - 1e-6)
        let battery = plan.batteries[0]
        for (slot, power) in zip(plan.slots, battery.power) {
            let moved = battery.blocks.reduce(0) { sum, block in
                sum + block.power * Double(block.interval.intersection(slot.interval)?.milliseconds ?? 0)
            }
            #expect(abs(moved / Double(slot.interval.milliseconds) - power) < 1e-5, "\(slot.interval)")
        }
    }
}
