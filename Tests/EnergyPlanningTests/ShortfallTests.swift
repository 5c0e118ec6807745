import EnergyPlanning
import Testing

@Suite struct `What cannot be done` {
    @Test func `too little time: the best that can be had, and what would help`() throws {
        let plan = try Planning.plan([0.1, 0.2], loads: #"{"name": "car", "power_kw": 5, "energy_kwh": 15}"#)
        let car = plan.loads[0]
        #expect(car.plannedKwh == 10)
        #expect(car.missingKwh == 5)
        #expect(car.shortfall?.cause == "window")
        #expect(car.shortfall?.remedies.contains { $0.contains("60 min later") } == true)
        #expect(car.shortfall?.remedies.contains { $0.contains("7.5 kW") } == true)
        #expect(car.runs.allSatisfy { $0.reason == "deadline" })
    }

    @Test func `the limit to blame is named`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2], loads: #"{"name": "car", "max_power_kw": 10, "energy_kwh": 15}"#,
            limits: #"{"circuits": [{"name": "garage", "power_kw": 6, "loads": ["car"]}]}"#)
        #expect(plan.loads[0].missingKwh == 3)
        #expect(plan.loads[0].shortfall?.cause == "limit")
        #expect(plan.loads[0].shortfall?.who == ["circuit garage"])
        #expect(plan.loads[0].shortfall?.remedies.first == "raise circuit garage by 1.5 kW")
    }

    @Test func `a price ceiling is kept and named`() throws {
        let plan = try Planning.plan(
            [0.1, 0.5], loads: #"{"name": "car", "power_kw": 5, "energy_kwh": 10, "max_price": 0.3}"#)
        #expect(plan.loads[0].energyKwh == [5, 0])
        #expect(plan.loads[0].shortfall?.cause == "price_ceiling")
        #expect(plan.loads[0].waits.map(\.reason) == ["price_above_ceiling"])
    }

    @Test func `higher priority first, whatever it costs`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "a", "power_kw": 5, "energy_kwh": 10, "priority": 0},
                {"name": "b", "power_kw": 5, "energy_kwh": 5, "priority": 9}
                """#, limits: #"{"import_kw": 5}"#)
        #expect(plan.loads.map(\.plannedKwh) == [5, 5])
        #expect(plan.loads[1].shortfall == nil)
        #expect(plan.loads[0].shortfall?.who.contains("b") == true)
    }

    @Test func `a block that fits nowhere is had in part`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2], loads: #"{"power_kw": 5, "energy_kwh": 20, "one_block": true}"#)
        #expect(plan.loads[0].plannedKwh == 10)
        #expect(plan.loads[0].missingKwh == 10)
    }

    @Test func `a part of a block leaves room where the whole would cost others more`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "block", "power_kw": 5, "energy_kwh": 10, "one_block": true, "start_anywhere": false},
                {"name": "car", "power_kw": 9, "energy_kwh": 9}
                """#, limits: #"{"import_kw": 9}"#)
        #expect(plan.loads.map(\.missingKwh) == [5, 0])
    }

    @Test func `limits that nothing can keep are refused with what to look at`() throws {
        #expect {
            try Planning.plan(
                #"""
                {"slots": \#(Planning.slots([0.1])), "loads": [], "pv_kw": 5, "pv_curtailable": false,
                 "limits": {"export_kw": 1}}
                """#)
        } throws: { "\($0)".contains("export limit") }
    }
}
