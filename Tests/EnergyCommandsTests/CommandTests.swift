import ArgumentParser
import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Synchronization
import Testing

@testable import EnergyCommands

/// Parses a command line as `energyctl` does, and performs it in a home.
private func run(_ home: FakeHome, _ arguments: String...) async throws {
    let command = try await RootCommand.asyncParseAsRoot(arguments)
    let energyCommand = try #require(command as? any EnergyCommand)
    try await energyCommand.perform(in: home.context())
}

private func json(_ home: FakeHome) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8))
    return try #require(object as? [String: Any])
}

struct CommandTests {
    private let home = FakeHome()

    @Test func `venues are listed`() async throws {
        try await run(home, "venues")
        #expect(home.output.lines[0] == "name  id                                    region  zone           plan")
        #expect(home.output.lines[1] == "Home  \(Samples.home.id.text)  DE      Europe/Berlin  tou")
    }

    @Test func `a venue is added, and a refusal of it names the field`() async throws {
        try await run(home, "venues", "add", "--name", "Barn", "--zone", "Europe/Rome", "--region", "IT", "--plan", "p")
        #expect(home.now.venues.last?.ratePlanID == "p")
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "venues", "add", "--name", "Reef", "--zone", "UTC", "--region", "ATLANTIS")
        }
        #expect(failure?.exit == .refused)
        #expect(failure?.message.contains("region must be a known grid region") == true)
    }

    @Test func `a venue is removed by name once the person agrees, or at once with --yes`() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, "venues", "remove", "home") }
        #expect(failure?.exit == .usage && failure?.message.contains("--yes") == true)
        home.answer.withLock { $0 = "" }
        let kept = await #expect(throws: CommandFailure.self) { try await run(home, "venues", "remove", "home") }
        #expect(kept?.message == "Nothing was removed.")
        #expect(home.now.venues.count == 1)
        home.answer.withLock { $0 = "y" }
        try await run(home, "venues", "remove", "home")
        #expect(home.now.venues.isEmpty)
        #expect(home.output.lines == ["Home (\(Samples.home.id.text)) was removed."])
        home.change { $0.venues = [Samples.home] }
        try await run(home, "venues", "remove", Samples.home.id.text, "--yes", "--json")
        #expect(home.output.text.contains("\"removed\" : \"2026-11-21T08:20:00+01:00\""))
        let unknown = await #expect(throws: CommandFailure.self) { try await run(home, "venues", "remove", "x", "-y") }
        #expect(unknown?.exit == .refused)
    }

    @Test func `the past of a removed venue is asked for by its id`() async throws {
        try await run(home, "insights", "--venue", Samples.cabin.id.text)
        #expect(home.now.queries.first?.venueID == Samples.cabin.id)
        let unknown = await #expect(throws: CommandFailure.self) {
            try await run(home, "insights", "--venue", Samples.id(99).text)
        }
        #expect(unknown?.exit == .refused)
    }

    @Test(arguments: [
        ["insights", "--last", "-1d"], ["insights", "--from", "-2h"], ["insights", "--from", "2h", "--to", "-1h"],
        ["events", "--since", "-3d"],
    ])
    func `a length of time below zero is told as such`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        let text = error.map { RootCommand.message(for: $0) } ?? ""
        #expect(text.contains("'\(arguments.last ?? "")' is no") && text.contains("by itself"), "\(text)")
    }

    @Test func `rate plans are listed`() async throws {
        try await run(home, "venues", "plans")
        #expect(home.output.lines[1].hasSuffix("0.220 – 0.310 EUR"))
    }

    @Test func `guidance is shown`() async throws {
        try await run(home, "guidance")
        #expect(home.output.lines[0].hasPrefix("Home · shift"))
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "guidance", "--action", "reduce")
        }
        #expect(failure?.exit == .refused)
        #expect(failure?.message == "guidance-publisher: there is no guidance for this venue yet")
    }

    @Test func `guidance explains itself, to people and to programs`() async throws {
        try await run(home, "guidance", "--explain")
        #expect(home.output.text.contains("Price counts 50 %, carbon 50 %."))
        #expect(home.output.text.contains("0 is best, 1 is worst"))
    }

    @Test func `as JSON the explanation is there when asked for`() async throws {
        try await run(home, "guidance", "--explain", "--json")
        let document = try json(home)
        #expect((document["explanation"] as? [String])?.contains { $0.hasPrefix("Price counts") } == true)
        let basis = try #require(document["basis"] as? [String: Any])
        #expect(basis["unit"] as? String == "gCO2eq/kWh" && basis["certainty"] as? Double == 1)
    }

    @Test func `a venue is told what counts`() async throws {
        try await run(home, "venues", "weigh", "Home", "0.8")
        #expect(home.output.lines[0].hasSuffix("price counts") && home.output.lines[1].hasSuffix("80 %"))
    }

    @Test func `guidance as JSON has the names of the contract and local times`() async throws {
        try await run(home, "guidance", "--json")
        let document = try json(home)
        #expect(document["token"] as? String == Samples.id(100).text)
        #expect(document["start"] as? String == "2026-11-21T08:00:00+01:00")
        let first = try #require((document["values"] as? [[String: Any]])?.first)
        #expect(first["verdict"] as? String == "good")
        #expect(first["carbon_g_per_kwh"] as? Double == 100)
        #expect(first["price_micros_per_kwh"] as? Int == 243_210)
        #expect(first["export_price_micros_per_kwh"] as? Int == 82_000)
        #expect(first["peak"] as? String == "off_peak" && first["peak_derived"] as? Bool == false)
        let basis = try #require(document["basis"] as? [String: Any])
        #expect(basis["kind"] as? String == "average_direct")
        #expect(basis["data_age_ms"] as? Int == 0)
    }

    @Test func `insights ask for the last 14 days and are summed`() async throws {
        try await run(home, "insights", "--by", "cleanliness", "--by", "tariff", "--device", "car-1")
        let query = try #require(home.now.queries.first)
        #expect(query.exactRange && query.byCleanliness && query.byTariff && query.deviceID == "car-1")
        #expect(query.range.start.iso8601(in: Samples.berlin) == "2026-11-08T00:00:00+01:00")
        #expect(home.output.lines.last?.hasPrefix("total            22.35") == true)
    }

    @Test func `insights as JSON keep every milliwatt-hour`() async throws {
        try await run(home, "insights", "--json", "--last", "7d")
        let document = try json(home)
        let total = try #require((document["total"] as? [String: Any])?["total"] as? [String: Any])
        #expect(total["energy_mwh"] as? Int == 22_345_678)
        #expect((document["records"] as? [Any])?.count == 2)
        #expect((document["applied"] as? [[String: Int]]) == [["partition": 1, "sequence": 7]])
    }

    @Test func `empty periods are left out, and shown when asked for`() async throws {
        try await run(home, "insights", "--last", "4d", "--all", "--json")
        let records = try #require(try json(home)["records"] as? [[String: Any]])
        #expect(
            records.map { $0["start"] as? String } == [
                "2026-11-18T00:00:00+01:00", "2026-11-19T00:00:00+01:00", "2026-11-20T00:00:00+01:00",
                "2026-11-21T00:00:00+01:00",
            ])
    }

    @Test func `a range that ends before it begins is wrong usage`() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "insights", "--from", "today", "--to", "yesterday")
        }
        #expect(failure?.exit == .usage)
    }

    @Test func `what sessions saved is shown, and how it comes about`() async throws {
        try await run(home, "sessions", "list")
        #expect(home.output.text.contains("2.50 EUR"))
        try await run(home, "insights", "--explain")
        #expect(home.output.text.contains("car-1: 10.00 kWh at 10.00 kW from 18:00 to 19:00; 4.00 - 1.50 = 2.50 EUR"))
        #expect(home.output.text.contains("1 session followed guidance: 10.00 kWh, 0.150 EUR/kWh, 200 g/kWh."))
        try await run(home, "sessions", "list", "--json")
    }

    @Test func `energy that was sent to the grid is no part of what is explained of energy used`() async throws {
        try await run(home, "insights", "--explain", "--direction", "exported")
        #expect(!home.output.text.contains("followed guidance"))
        #expect(!home.output.text.contains("car-1: 10.00 kWh"))
    }

    @Test func `a data point is repaired with a reason, and the trace is listed`() async throws {
        let (session, event) = (Samples.id(77).text, Samples.id(5).text)
        try await run(
            home, "insights", "repair", "--session", session, "--event", event, "--energy", "10", "--reason", "jumped")
        #expect(home.now.repairs.first?.action == .energy(Energy(milliwattHours: 10_000_000)))
        try await run(home, "insights", "repairs")
        #expect(home.output.text.contains("- → 10.00 kWh, by local: jumped"))
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(
                home, "insights", "repair", "--session", Samples.id(1).text, "--event", event, "--ignore", "--reason",
                "no")
        }
        #expect(failure?.exit == .refused)
    }

    @Test func `a rebuild says whether anything was wrong`() async throws {
        try await run(home, "insights", "rebuild")
        #expect(home.output.lines.last == "7 records counted again: the result is what was there before.")
        home.change { $0.hadOlderRules = true }
        try await run(home, "insights", "rebuild")
        #expect(home.output.lines.last?.contains("by an earlier version's rules, and now all of it is by this") == true)
    }

    @Test func `trends compare neighbouring periods that are over`() async throws {
        try await run(home, "insights", "trend", "--granularity", "daily", "--last", "4d")
        #expect(home.output.text.contains("Thu 19 Nov 2026"))
        #expect(!home.output.text.contains("Sat 21 Nov 2026"))
    }

    @Test func `schedules are shown with the device's name`() async throws {
        try await run(home, "schedule")
        #expect(home.output.lines[0] == "Model Y (car-1) · 22.00 kWh by Sat 21 Nov 11:00")
    }

    @Test func `schedules as JSON`() async throws {
        try await run(home, "schedule", "--json")
        let schedule = try #require((try json(home)["schedules"] as? [[String: Any]])?.first)
        #expect(schedule["missing_mwh"] as? Int == 0)
        #expect((schedule["goal"] as? [String: Any])?["energy_mwh"] as? Int == 22_000_000)
        #expect((schedule["blocks"] as? [[String: Any]])?[0]["reason"] as? String == "waiting_for_cleaner_energy")
    }

    @Test func `goals are set for the next such time at the venue`() async throws {
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "07:00", "--soc", "80")
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "2h", "--energy", "12.5")
        try await run(home, "schedule", "set", "--device", "heatpump-1", "--ready-by", "22:00", "--reduce", "90")
        let goals = home.now.goals
        #expect(goals[0].readyBy.iso8601(in: Samples.berlin) == "2026-11-22T07:00:00+01:00")
        #expect(
            goals.map(\.target) == [
                .stateOfCharge(80), .energy(Energy(milliwattHours: 12_500_000)), .reduce(maxMilliseconds: 5_400_000),
            ])
    }

    @Test func `a goal that repeats has the deadline's time of day, and may leave days out`() async throws {
        try await run(
            home, "schedule", "set", "--device", "car-1", "--ready-by", "07:15", "--every", "fri-mon", "--except",
            "2026-12-25", "--soc", "80", "--add")
        let goal = try #require(home.now.goals.first)
        #expect(
            goal.weekly
                == WeeklyTime(weekdays: Weekdays(rawValue: 0b111_0001), minuteOfDay: 7 * 60 + 15, exceptions: [20_812]))
        #expect(goal.keepsOthers)
    }

    @Test func `rules are set and told`() async throws {
        try await run(
            home, "schedule", "rules", "--device", "car-1", "--min-soc", "30", "--price-max", "0.355", "--away",
            "mon-fri 08:00-17:30", "--away", "2026-12-20T10:00/2026-12-27")
        let rules = try #require(home.now.rules.first?.rules)
        #expect(rules.priceMax == Price(microsPerKilowattHour: 355_000))
        #expect(rules.absences.count == 2)
        #expect(
            home.output.lines == [
                "charged at once up to 30 %", "not above 0.355 per kWh", "away mon-fri 08:00-17:30",
                "away Sun 20 Dec 10:00 to Sun 27 Dec 00:00",
            ])
    }

    @Test func `rules say how charging may be switched`() async throws {
        try await run(
            home, "schedule", "rules", "--device", "car-1", "--min-run", "30m", "--min-pause", "2h", "--one-block",
            "--late", "--margin", "45m", "--precondition", "20m")
        #expect(
            home.now.rules.first?.rules.shape
                == ChargingShape(
                    runMinMilliseconds: 1_800_000, pauseMinMilliseconds: 7_200_000, runsMax: 1, ties: .later,
                    marginMilliseconds: 2_700_000, preconditionMilliseconds: 1_200_000))
        #expect(
            home.output.lines == [
                "runs of at least 30 min", "pauses of at least 2 h", "all in one run", "late rather than early",
                "ready 45 min before its deadlines", "at full power for 20 min before its last deadline",
            ])
    }

    @Test func `what the owner wants is passed on`() async throws {
        for command in ["now", "pause", "resume", "stop", "skip"] {
            try await run(home, "schedule", command, "--device", "car-1")
        }
        #expect(home.now.overrides.map(\.action) == [.chargeNow, .pause, .resume, .stop, .skipNext])
    }

    @Test func `a preview shows three courses`() async throws {
        try await run(home, "schedule", "preview", "--device", "car-1", "--ready-by", "07:00", "--soc", "80")
        let lines = home.output.lines
        #expect(lines[1].hasPrefix("planned") && lines[1].contains("6.600") && lines[1].contains("22.00"))
        #expect(lines[2].hasPrefix("at once") && lines[2].contains("8.800"))
        #expect(lines[3].hasPrefix("at best") && lines[3].contains("?") && lines[3].contains("1.00"))
        #expect(lines[4] == "Waits for the sun at noon.")
        #expect(home.now.goals.isEmpty)
        let other = FakeHome()
        try await run(other, "schedule", "preview", "--device", "car-1", "--ready-by", "07:00", "--soc", "80", "--json")
        #expect(other.output.text.contains("\"cost_micros\" : 6600000"))
    }

    @Test func `a goal is cleared`() async throws {
        try await run(home, "schedule", "clear", "--device", "car-1")
        #expect(home.now.schedules.isEmpty)
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "clear", "--device", "toaster")
        }
        #expect(failure?.exit == .refused)
    }

    @Test func `a goal that is not there is not said to be taken away, and those that are there are named`() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "clear", "--device", "car-1", "--goal", Samples.id(9).uuidString)
        }
        #expect(failure?.exit == .refused)
        #expect(failure?.message.contains(Samples.schedule().goal.id.text) == true)
        #expect(home.output.lines.isEmpty && !home.now.schedules.isEmpty)
    }

    @Test func `a goal that is there already is said to be, beside the plan`() async throws {
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "11:00", "--energy", "22")
        #expect(home.output.notes == ["The goal is there already; the device's plan was made anew."])
        #expect(!home.output.lines.isEmpty)
    }

    @Test func `devices are listed and added`() async throws {
        try await run(home, "schedule", "add-device", "--device", "hp", "--name", "Pump")
        #expect(home.now.devices.last?.device.kind == .hvac)
        try await run(home, "schedule", "devices", "--json")
        let text = home.output.text
        #expect(text.contains("\"battery_capacity_mwh\" : 75000000"))
    }

    @Test(arguments: [
        ["guidance", "--action", "stop"], ["insights", "--last", "soon"], ["events", "--limit", "0"],
        ["insights", "--last", "3d", "--from", "today"], ["insights", "--to", "today"],
        ["schedule", "set", "--device", "a", "--ready-by", "7", "--soc", "80"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "80", "--energy", "1"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "101"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--energy", "nan"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "80", "--guarantee", "101"],
        ["schedule", "rules", "--device", "a", "--min-run", "25h"],
        ["schedule", "rules", "--device", "a", "--one-block", "--max-runs", "2"],
        ["schedule", "limits", "set"], ["schedule", "forecast", "set"],
        [
            "schedule", "add-device", "--device", "a", "--name", "b", "--battery", "70", "--power", "7", "--taper-from",
            "80",
        ],
        ["schedule", "add-device", "--device", "a", "--name", "b", "--battery", "70"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "80", "--every", "someday"],
        ["schedule", "set", "--device", "a", "--ready-by", "07:00", "--soc", "80", "--except", "2026-12-24"],
        ["schedule", "rules", "--device", "a", "--away", "mondays"],
        ["schedule", "rules", "--device", "a", "--away", "mon 8-17"], ["schedule", "now"],
        ["venues", "add", "--name", "a", "--zone", "Mars/Olympus", "--region", "x"],
        ["venues", "--timeout", "0s"], ["venues", "--timeout", "1d"], ["frobnicate"],
        ["venues", "weigh", "Home", "1.5"], ["venues", "weigh", "Home", "much"],
    ])
    func `wrong usage is exit status 64`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
    }

    @Test(arguments: [
        [], ["venues"], ["guidance"], ["events"], ["insights"], ["schedule"], ["schedule", "set"], ["health"],
        ["schedule", "rules"], ["schedule", "preview"], ["schedule", "objective"],
        ["watch"], ["venues", "remove"],
    ])
    func `help shows examples`(command: [String]) async {
        let error = await #expect(throws: (any Error).self) {
            var help = try await RootCommand.asyncParseAsRoot(command + ["--help"])
            try help.run()
        }
        #expect(error.map { RootCommand.fullMessage(for: $0).contains("EXAMPLES\n") } == true)
    }
}

struct UnavailableTests {
    private let home = FakeHome()

    @Test(arguments: [["guidance"], ["venues"]])
    func `a service that does not answer is named with its address and what to try`(arguments: [String]) async {
        home[.guidance].isDown = true
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, arguments[0]) }
        #expect(failure?.exit == .unavailable)
        #expect(
            failure?.message == "guidance-publisher at tcp://127.0.0.1:7400 does not answer. Is it running? Start all "
                + "services with make run-all; if that runs already, it says why this one is down, and tries it again "
                + "by itself.")
    }

    @Test func `streams say the same`() async {
        home[.insights].isDown = true
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, "insights") }
        #expect(failure?.exit == .unavailable)
        #expect(failure?.message.hasPrefix("insight-service at tcp://127.0.0.1:7420") == true)
    }

    @Test func `events are to be had without the guidance-publisher, by the venue's id`() async throws {
        home[.guidance].isDown = true
        try home.submit([Samples.load(.active)])
        try await run(home, "events", "--venue", Samples.home.id.text)
        #expect(home.output.lines.count == 1)
        #expect(home.output.notes.first?.contains("Times are shown in the zone of this machine") == true)
    }

    @Test func `health says who is up, who is not and why`() async throws {
        try await run(home, "health")
        #expect(home.output.lines[1].hasPrefix("guidance-publisher  SERVING  1.2.3"))
        home[.events].isDown = true
        home.change { $0.health[.schedule] = HealthCheckReply(status: .notServing, reason: "no guidance") }
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, "health") }
        #expect(failure?.exit == .failure)
        #expect(home.output.text.contains("event-ingestor      UNREACHABLE"))
        #expect(
            home.output.text.contains("scheduler           NOT SERVING  1.2.3    tcp://127.0.0.1:7430  no guidance"))
    }

    @Test func `health as JSON`() async throws {
        try await run(home, "health", "--json")
        let document = try json(home)
        #expect(document["serving"] as? Bool == true)
        #expect((document["services"] as? [[String: Any]])?.count == 4)
    }
}
