import ArgumentParser
import EnergyModel
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// What people read is in the words that they type.
struct PlainWordsTests {
    private let home = FakeHome()

    @Test(arguments: [
        (
            RuleViolation(
                field: "goal.energy_mwh", rule: "must be at most what fills the battery, 71111112 mWh",
                value: "99999000000"),
            "--energy must be at most what fills the battery, 71.11 kWh, but is 99999.00 kWh"
        ),
        (
            RuleViolation(field: "goal.ready_by_unix_ms", rule: "must be in the future", value: "2209017600000"),
            "--ready-by must be in the future, but is 2040-01-01T08:00:00+00:00"
        ),
        (
            RuleViolation(field: "event.interval", rule: "must be at most 7 days", value: "777600000 ms"),
            "--for must be at most 7 days, but is 9 d"
        ),
        (
            RuleViolation(
                field: "timestamp_unix_ms", rule: "must not be before", value: "1772366400000, after 1772366401000"),
            "timestamp_unix_ms must not be before, but is 2026-03-01T12:00:00+00:00, after 2026-03-01T12:00:01+00:00"
        ),
        (
            RuleViolation(
                field: "vehicle_load.energy_mwh", rule: "must not fall", value: "5000000 mWh, after 6000000 mWh"),
            "vehicle_load.energy_mwh must not fall, but is 5.00 kWh, after 6.00 kWh"
        ),
        (
            RuleViolation(
                field: "vehicle_load.energy_mwh", rule: "must not fall", value: "5000001 mWh, after 5000002 mWh"),
            "vehicle_load.energy_mwh must not fall, but is 5.000001 kWh, after 5.000002 kWh"
        ),
        (
            RuleViolation(
                field: "energy_mwh", rule: "must not be more than in the session's next event",
                value: "12004000 mWh, before 12003999 mWh"),
            "--energy must not be more than in the session's next event, but is 12.004 kWh, before 12.003999 kWh"
        ),
        (
            RuleViolation(index: 2, field: "vehicle_load.energy_mwh", rule: "must not fall", value: "5000000"),
            "event 2: vehicle_load.energy_mwh must not fall, but is 5.00 kWh"
        ),
        (RuleViolation(field: "region", rule: "must be known", value: "X"), "region must be known, but is X"),
        (RuleViolation(field: "region", rule: "must be known", value: ""), "region must be known, but is "),
        (RuleViolation(field: "region", rule: "must be known", value: ";"), "region must be known, but is ;"),
    ])
    func `a refusal names the option and people's units`(violation: RuleViolation, text: String) {
        #expect(CommandFailure(.invalidInput(violation), from: .schedule).message == "scheduler: \(text)")
    }

    @Test func `what a refusal says besides its violations stays`() {
        let violation = RuleViolation(field: "goal.energy_mwh", rule: "must be more than 0", value: "0")
        let error = EnergyError(.invalidInput, "nothing was stored: \(violation.description)", violations: [violation])
        #expect(
            CommandFailure(error, from: .schedule).message
                == "scheduler: nothing was stored: --energy must be more than 0, but is 0.00 kWh")
    }

    @Test func `several violations are told once each`() {
        let violations = ["goal.energy_mwh", "goal.state_of_charge"].map {
            RuleViolation(field: $0, rule: "is for electric vehicles", value: "said of a home battery")
        }
        let error = #expect(throws: EnergyError.self) { try EnergyError.check(violations) }
        #expect(
            error.map { CommandFailure($0, from: .schedule).message } == """
                scheduler: 2 things are wrong
                  --energy is for electric vehicles, but is said of a home battery
                  --soc is for electric vehicles, but is said of a home battery
                """)
    }

    @Test func `an unknown device is told with the command that adds one`() {
        let error = EnergyError(.notFound, "no such device at the venue: put the device first")
        #expect(CommandFailure(error, from: .schedule).message.hasSuffix("energyctl schedule add-device"))
    }

    @Test func `a deadline too far ahead is told on the venue's clock`() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "2040-01-01", "--soc", "80")
        }
        #expect(failure?.message.contains("--ready-by is 2040-01-01T00:00:00+01:00: it must be within 14 days") == true)
    }

    @Test(arguments: [
        ["venues", "--timeout", "-1s"], ["events", "--limit", "-5"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "-5"],
        ["demand-response", "add", "--start", "now", "--for", "-2h"],
        ["schedule", "objective", "--money", "-1"], ["schedule", "objective", "--carbon", "-0.5"],
    ])
    func `a value below zero is told as such, not as missing`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        let text = error.map { RootCommand.message(for: $0) } ?? ""
        #expect(!text.contains("Missing value"), "\(text)")
    }

    @Test(arguments: [("money", "-1"), ("carbon", "1e7"), ("rating", "-0.1")])
    func `a weight outside its range is told with the range`(name: String, weight: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["schedule", "objective", "--\(name)", weight])
        }
        #expect(error.map { RootCommand.message(for: $0) } == "--\(name) must be 0 to 1000000.")
    }

    @Test(arguments: [
        ("/nowhere/problem.json", "no such file or directory"), ("/tmp", "is a directory"),
    ])
    func `a file that cannot be read is told with the reason`(file: String, reason: String) async {
        let solving = await #expect(throws: CommandFailure.self) { try await run(home, "schedule", "solve", file) }
        let limiting = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "limits", "set", file)
        }
        let pushing = await #expect(throws: CommandFailure.self) {
            try await run(home, "signals", "push", file, "--region", "X")
        }
        for failure in [solving, limiting, pushing] {
            #expect(failure?.message == "\(file) cannot be read: \(reason).")
            #expect(failure?.exit == .usage)
        }
    }

    @Test func `a second venue of one name is told`() async throws {
        try await run(home, "venues", "add", "--name", "home", "--zone", "Europe/Rome", "--region", "IT")
        #expect(home.output.notes.first?.hasPrefix("There are now 2 venues called home") == true)
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, "events", "--venue", "Home") }
        #expect(failure?.message.contains(Samples.home.id.text) == true)
    }

    @Test func `a device that nobody knows is told`() async throws {
        try await run(home, "events", "--device", "nobody")
        #expect(home.output.notes.first?.contains("scheduler knows none such. It knows: car-1.") == true)
    }

    @Test func `a file that is no JSON is told with one full stop`() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "signals", "push", "/etc/passwd", "--region", "X")
        }
        #expect(failure?.message.contains("..") == false)
    }

    @Test func `several venues have each their clock in the list of events, as when they were declared`() async throws {
        home.change { $0.venues.append(Samples.cabin) }
        try await run(home, "demand-response", "add", "--start", "10:00", "--for", "1h", "--venue", "Cabin")
        try await run(home, "demand-response", "list")
        #expect(home.output.lines.filter { $0 == "Times are in America/Los_Angeles." }.count == 2)
        try await run(home, "demand-response", "add", "--start", "10:00", "--for", "1h", "--venue", "Home")
        try await run(home, "demand-response", "list", "--json")
        #expect(home.output.text.contains("T10:00:00-08:00") && home.output.text.contains("T10:00:00+01:00"))
    }
}

struct WithoutGuidanceTests {
    private let home = FakeHome()

    @Test(arguments: ["schedule", "insights", "events"])
    func `what has its own service says that it works with a venue's id`(command: String) async {
        home[.guidance].isDown = true
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, command) }
        #expect(failure?.exit == .unavailable)
        #expect(failure?.message.contains("With an id, --venue UUID, this works without it.") == true)
        #expect(failure?.message.contains(Samples.home.id.text) == true)
    }

    @Test func `a plan is told on one clock, which is said`() async throws {
        home[.guidance].isDown = true
        try await run(home, "schedule", "--venue", Samples.home.id.text)
        #expect(home.output.notes.first?.contains("Times are shown in the zone of this machine") == true)
        // The explanation is on the venue's clock.
        #expect(!home.output.text.contains("Waits for the sun at noon."))
        #expect(home.output.lines[1].hasPrefix("runs Sat 21 Nov "))
    }
}

struct PlanTextTests {
    @Test func `times in a plan are rounded, and say the day when it is another`() throws {
        let power = try Power(milliwatts: 7_000_000)
        func block(_ start: String, _ end: String, _ power: Power) throws -> ScheduleBlock {
            let interval = try #require(Interval(start: Samples.time(start), end: Samples.time(end)))
            return ScheduleBlock(
                interval: interval, power: power, stageMax: 100, energy: .zero, rating: 0.5,
                reason: power > .zero ? .cleanerEnergy : .waitingForCleanerEnergy)
        }
        let sample = Samples.schedule()
        let schedule = Schedule(
            id: sample.id, venueID: sample.venueID, deviceID: sample.deviceID, goal: sample.goal, revision: 1,
            planned: sample.planned, guidanceToken: nil,
            blocks: [
                try block("2026-11-21T07:20:00Z", "2026-11-21T09:20:45Z", .zero),
                try block("2026-11-21T09:20:45Z", "2026-11-22T10:44:00Z", power),
            ], required: .zero, plannedEnergy: .zero, explanation: "starts 10:21")
        let view = ScheduleView(
            schedule: schedule, deviceName: nil, venue: Samples.home, now: Samples.now,
            style: Style(hasColor: false, hasUnicode: true, width: 40))
        let text = view.lines().joined(separator: "\n")
        #expect(text.contains("10:21  Sun 11:44"), "\(text)")
        // At 40 columns the reasons go on below, whole.
        #expect(!text.contains("…") && text.contains("cleaner"), "\(text)")
        #expect(view.lines().allSatisfy { TerminalText.width($0) <= 40 }, "\(text)")
    }

    @Test func `a long line is folded, a short one kept`() {
        #expect(TerminalText.fitted("a  b", to: 10) == ["a  b"])
        #expect(TerminalText.fitted("aaaa bbbb cccc", to: 10) == ["aaaa", "  bbbb", "  cccc"])
    }
}
