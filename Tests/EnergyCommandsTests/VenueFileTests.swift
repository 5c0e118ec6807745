import ArgumentParser
import EnergyModel
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// Limits and forecasts of a venue, in files.
struct VenueFileTests {
    private let home = FakeHome()

    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "venue-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test func `an objective is set as a word or a mix, told, and leaves the limits as they are`() async throws {
        try await withFile(#"{"import_kw": 12}"#) { try await run(home, "schedule", "limits", "set", $0) }
        try await run(home, "schedule", "objective", "money")
        #expect(home.now.limits.last?.objective == .money)
        #expect(home.now.limits.last?.importPower?.milliwatts == 12_000_000)
        try await run(home, "schedule", "objective", "--money", "1", "--carbon", "0.25")
        #expect(home.now.limits.last?.objective == VenueObjective(money: 1, carbon: 0.25))
        #expect(home.output.lines.last == "plans for the least sum of 1 of cost, 0.25 per kg CO2")
        try await run(home, "schedule", "limits")
        #expect(home.output.lines.last == "plans for the least sum of 1 of cost, 0.25 per kg CO2")
        try await run(home, "schedule", "objective", "--default")
        #expect(home.now.limits.last?.objective == VenueObjective.none)
    }

    @Test func `limits are set from a file in the words of a problem, shown, and cleared`() async throws {
        let text = #"""
            {"import_kw": 12, "fuse": {"current_a": 20}, "base_load_kw": 0.6, "export_price": 0.08,
             "circuits": [{"name": "garage", "loads": ["car-1", "car-2"], "power_kw": 7.4}],
             "exclusive": [["car-1", "boiler"]], "demand_charge": {"price_per_kw": 4.5, "peak_so_far_kw": 3}}
            """#
        try await withFile(text) { try await run(home, "schedule", "limits", "set", $0) }
        let limits = try #require(home.now.limits.first)
        #expect(limits.importPower?.milliwatts == 12_000_000)
        #expect(limits.circuits.map(\.name) == ["main fuse", "garage"])
        #expect(limits.circuits.map(\.parent) == [nil, "main fuse"])
        #expect(limits.circuits[0].powerPerPhase?.milliwatts == 4_600_000)
        #expect(limits.circuits[1].deviceIDs == ["car-1", "car-2"])
        #expect(limits.baseLoad.map(\.milliwatts) == [200_000, 200_000, 200_000])
        #expect(limits.demandCharge?.microsPerKilowatt == 4_500_000)
        #expect(limits.exportPrice.microsPerKilowattHour == 80_000)
        #expect(limits.violations.isEmpty)
        #expect(
            home.output.lines == [
                "draws at most 12.00 kW",
                "circuit main fuse: 4.60 kW (20 A at 230 V) on each phase; all that is on no other circuit, and what runs anyway",
                "circuit garage behind main fuse: 7.40 kW; car-1, car-2", "one at a time: car-1, boiler",
                "4.500 per kW of the highest power above 3.00 kW",
                "runs anyway: 0.20, 0.20, 0.20 kW on the three phases", "exports bring 0.080 per kWh",
            ])
        let shown = FakeHome()
        try await run(shown, "schedule", "limits")
        #expect(shown.output.lines == ["No limits (the scheduler's settings)."])
        try await run(home, "schedule", "limits", "clear")
        #expect(home.now.limits.last?.isDefault == true)
        try await run(home, "schedule", "limits", "show", "--json")
        #expect(home.output.text.contains("\"is_default\" : true"))
    }

    @Test func `a demand charge that plans do not heed is shown as that`() throws {
        func line(_ objective: VenueObjective) -> String? {
            let limits = VenueLimits(
                venueID: UUID(), demandCharge: .init(microsPerKilowatt: 4_500_000), objective: objective)
            return VenueLimitsView(limits: limits).lines().first
        }
        #expect(
            line(VenueObjective(rating: 1))
                == "4.500 per kW of the highest power above 0.00 kW: not heeded, because plans do not make money small")
        #expect(
            line(VenueObjective(money: 1, carbon: 0.2)) == "4.500 per kW of the highest power above 0.00 kW")
    }

    @Test func `a forecast is set from a file, shown, and cleared`() async throws {
        let text = #"""
            {"pv": [{"start": "2026-03-02T09:00:00+01:00", "end": "2026-03-02T10:00:00+01:00", "kw": 2.5},
                    {"start": "2026-03-02T10:00:00+01:00", "end": "2026-03-02T12:00:00+01:00", "kw": 4}],
             "outdoor": [{"start": "2026-03-02T09:00:00+01:00", "end": "2026-03-02T10:00:00+01:00", "celsius": -3.5}]}
            """#
        try await withFile(text) { try await run(home, "schedule", "forecast", "set", $0) }
        #expect(home.now.forecasts.first?.photovoltaics.map(\.power.milliwatts) == [2_500_000, 4_000_000])
        #expect(home.now.forecasts.first?.outdoor.map(\.celsius) == [-3.5])
        #expect(home.output.lines.last == "outdoors: -4 to -4 °C")
        #expect(home.output.lines.first?.hasPrefix("photovoltaics: 10.50 kWh from ") == true)
        try await run(home, "schedule", "forecast", "clear")
        #expect(home.now.forecasts.last?.isEmpty == true)
        #expect(home.output.lines.last == "No forecast.")
    }

    @Test func `a battery, an appliance and a building are added from files`() async throws {
        func add(_ id: String, _ text: String) async throws -> ManagedDevice? {
            try await withFile(text) {
                try await run(home, "schedule", "add-device", "--device", id, "--name", id, "--load", $0)
            }
            return home.now.devices.last
        }
        let battery = try await add(
            "battery", #"{"capacity_kwh": 10, "max_charge_kw": 5, "initial_soc": 60, "min_soc": 20}"#)
        #expect(battery?.device.kind == .homeBattery)
        guard case .battery(let traits) = battery?.load else {
            Issue.record("no battery")
            return
        }
        #expect(traits.capacity.milliwattHours == 10_000_000 && traits.dischargeMax.milliwatts == 5_000_000)
        #expect(traits.reservePercent == 20 && traits.stateOfCharge == 60)
        let washer = try await add("washer", #"{"profile_kw": [2, 0.5], "profile_step_minutes": 30, "phases": [2]}"#)
        let half = 30 * Int64.millisecondsPerMinute
        #expect(
            washer?.load
                == .appliance(
                    ApplianceTraits(
                        steps: [
                            .init(milliseconds: half, power: Power(kilowatts: 2)),
                            .init(milliseconds: half, power: Power(kilowatts: 0.5)),
                        ], phases: [2])))
        #expect(home.now.rules.isEmpty)
        _ = try await add("dryer", #"{"profile_kw": [2], "priority": 3}"#)
        #expect(home.now.rules.last?.deviceID == "dryer" && home.now.rules.last?.rules == ChargingRules(priority: 3))
        let pump = try await add(
            "pump",
            #"""
            {"max_power_kw": 3, "min_run_minutes": 20, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 4,
             "cop": 3, "initial_c": 20.5, "outdoor_c": 4, "comfort_min_c": 20, "comfort_max_c": 23, "setback_k": 2,
             "setback_min_minutes": 30}}
            """#)
        #expect(pump?.device.kind == .hvac)
        guard case .climate(let climate) = pump?.load else {
            Issue.record("no building")
            return
        }
        #expect(climate.runMinMilliseconds == 1_200_000 && climate.setback == 2 && climate.indoor == 20.5)
        #expect(climate.setbackMinMilliseconds == 1_800_000)
        try await run(home, "schedule", "set", "--device", "washer", "--ready-by", "07:00", "--run")
        #expect(home.now.goals.last?.target == .run)
        await #expect(throws: CommandFailure.self) { _ = try await add("car", #"{"power_kw": 2, "energy_kwh": 3}"#) }
    }

    @Test(arguments: [
        ("circuits[1].device_ids[1]", true, "$.circuits[0].loads[1]"), ("circuits[0].name", true, "$.fuse"),
        ("circuits[1].device_ids[1]", false, "$.circuits[1].loads[1]"), ("circuits[0]", false, "$.circuits[0]"),
        ("exclusive[0].device_ids[2]", true, "$.exclusive[0][2]"), ("circuits", true, "$.circuits"),
        ("base_load_mw", true, "$.base_load_kw"), ("circuits[99999999999].x", true, "$.circuits[99999999999].x"),
    ])
    func `what the scheduler refuses of limits is named as in the file`(field: String, hasFuse: Bool, path: String) {
        #expect(FileFields.ofLimits(field, hasFuse: hasFuse) == path)
        let violation = RuleViolation(field: field, rule: "must be there", value: "x")
        let named = EnergyError.invalidInput(violation).naming { FileFields.ofLimits($0, hasFuse: hasFuse) }
        #expect(named.message == "\(path) must be there, but is x")
    }

    @Test(arguments: [
        ("device.battery.wear_micros_per_kwh", "0 to 1,000 per kWh", "2000000000", "$.wear_cost_per_kwh", "2000.000"),
        ("device.climate.run_min_ms", "0 to 24 hours", "90000000", "$.min_run_minutes", "1 d 1 h"),
        ("device.name", "a name", "", "device.name", ""),
    ])
    func `what the scheduler refuses of a load is named and counted as in the file`(
        field: String, rule: String, value: String, path: String, told: String
    ) {
        let violation = RuleViolation(field: field, rule: "must be \(rule)", value: value)
        let named = EnergyError.invalidInput(violation).naming(FileFields.ofLoad)
        #expect(
            CommandFailure(named, from: .schedule).message == "scheduler: \(path) must be \(rule), but is \(told)")
    }

    @Test(arguments: [
        (#"{"profile_kw": [2], "deadline": "2026-03-02T01:00:00+01:00"}"#, "$.deadline: is not of the load itself"),
        (
            #"{"capacity_kwh": 10, "max_charge_kw": 5, "max_soc": 50}"#,
            "$.max_soc: is for 'schedule solve' only: leave it out"
        ),
        (
            building(#""outdoor_c": [4, 5], "comfort_min_c": 20, "comfort_max_c": 22"#),
            "$.thermal.outdoor_c: must be one"
        ),
        (building(#""outdoor_c": 4, "comfort_max_c": 22"#), "$.thermal.comfort_min_c: is missing"),
    ])
    func `a load's file has no goals and no slots`(text: String, message: String) async throws {
        try await withFile(text) { file in
            let failure = await #expect(throws: CommandFailure.self) {
                try await run(home, "schedule", "add-device", "--device", "a", "--name", "a", "--load", file)
            }
            #expect(failure?.message.hasPrefix(message) == true)
        }
    }

    private static func building(_ members: String) -> String {
        #"{"max_power_kw": 3, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 4, "initial_c": 20, \#(members)}}"#
    }

    @Test(arguments: [
        ("limits", #"{"fuse": {"amperes": 20}}"#, "$.fuse.amperes"),
        ("limits", #"{"circuits": [{"name": "a", "parent": "b", "loads": []}]}"#, "$.circuits[0].parent"),
        ("limits", #"{"base_load_kw": [1, 2]}"#, "$.base_load_kw"),
        ("forecast", #"{"pv": [{"start": "2026-03-02T09:00:00", "kw": 1}]}"#, "$.pv[0].start"),
        (
            "forecast",
            #"{"pv": [{"start": "2026-03-02T09:00:00Z", "end": "2026-03-02T08:00:00Z", "kw": 1}]}"#, "$.pv[0].end"
        ),
    ])
    func `a mistake is named by its path`(noun: String, text: String, path: String) async throws {
        try await withFile(text) { file in
            let failure = await #expect(throws: CommandFailure.self) {
                try await run(home, "schedule", noun, "set", file)
            }
            #expect(failure?.message.hasPrefix(path) == true)
        }
    }

    @Test func `the schemas are printed without a file`() async throws {
        for noun in ["limits", "forecast"] {
            try await run(home, "schedule", noun, "set", "--schema")
            #expect(home.output.text.contains("venue-\(noun)"))
        }
    }
}
