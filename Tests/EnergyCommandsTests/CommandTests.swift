import ArgumentParser
import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Synchronization
import Testing

@testable import EnergyCommands

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

    @Test func `a device is removed once the person agrees, and one that there is not is named`() async throws {
        let id = Samples.car.id
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "remove-device", "--device", id)
        }
        #expect(failure?.exit == .usage && failure?.message.contains("--yes") == true)
        home.answer.withLock { $0 = "y" }
        try await run(home, "schedule", "remove-device", "--device", id)
        #expect(home.now.removedDevices == [Samples.car.id])
        #expect(home.output.lines == ["\(Samples.car.id) was removed."])
        let unknown = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "remove-device", "--device", "nope", "--yes")
        }
        #expect(unknown?.exit == .refused && unknown?.message.contains("nope") == true)
        #expect(home.now.removedDevices.count == 1)
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
        #expect(home.output.lines.suffix(2).first?.hasPrefix("total            22.35") == true)
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
        #expect(
            home.output.text.contains(
                "18:00 car-1: 10.00 kWh, at once at 10.00 kW from 18:00 to 19:00; 4.00 - 1.50 = 2.50 EUR"))
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

    @Test func `a trend says of how much of the energy carbon and price were not known`() async throws {
        home.change { home in
            for index in home.records.indices {
                let energy = home.records[index].total.energy
                home.records[index].worth = InsightWorth(
                    costs: [Money(micros: 100_000, currency: "EUR")], pricedEnergy: Energy(milliwattHours: 0),
                    carbon: [CarbonMass(milligrams: 5_000, kind: .averageDirect, energy: energy)])
            }
        }
        try await run(home, "insights", "trend", "--granularity", "daily", "--last", "4d")
        #expect(home.output.text.contains("kWh no price was known: they are not in the cost."))
        #expect(!home.output.text.contains("carbon intensity was not known"))
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
        ["watch"], ["venues", "remove"], ["rate-plans", "remove"],
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
