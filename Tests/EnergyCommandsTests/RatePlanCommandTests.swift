import ArgumentParser
import EnergyModel
import Foundation
import Synchronization
import Testing

@testable import EnergyCommands

struct RatePlanCommandTests {
    private let home = FakeHome()

    /// A file with the text, for as long as the body runs.
    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tariff-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    private let zones =
        #"{"price": 0.3, "zones": [{"hours": "0-6", "price": 0.1}, {"months": "jul", "hours": "16:30-20", "price": 0.5}]}"#

    @Test func `a plan is shown by month and hour`() async throws {
        try await run(home, "rate-plans", "show", "tou")
        let lines = home.output.lines
        #expect(lines[0] == "Day and night (tou) · EUR per kWh · times in Europe/Berlin")
        #expect(lines.contains("every day"))
        #expect(lines.contains("Jan  A A A A A A  A A A A A A  A A A A A A  A A A A B B"))
        #expect(lines.contains("A  0.310  on peak"))
        #expect(lines.contains("B  0.220  off peak"))
        let unknown = await #expect(throws: CommandFailure.self) { try await run(home, "rate-plans", "show", "x") }
        #expect(unknown?.message == "There is no rate plan 'x'. There are: tou")
    }

    @Test func `a plan is removed once the person agrees, or at once with --yes`() async throws {
        home.answer.withLock { $0 = "" }
        let kept = await #expect(throws: CommandFailure.self) { try await run(home, "rate-plans", "remove", "tou") }
        #expect(kept?.message == "Nothing was removed." && home.now.ratePlans.count == 1)
        let plans = home.now.ratePlans
        home.answer.withLock { $0 = "y" }
        try await run(home, "rate-plans", "remove", "tou")
        #expect(home.now.ratePlans.isEmpty)
        #expect(home.output.lines == ["Day and night (tou) was removed."])
        home.change { $0.ratePlans = plans }
        try await run(home, "rate-plans", "remove", "tou", "--yes", "--json")
        #expect(home.output.text.contains("\"removed\" : \"2026-11-21T08:20:00+01:00\""))
        let unknown = await #expect(throws: CommandFailure.self) {
            try await run(home, "rate-plans", "remove", "tou", "-y")
        }
        #expect(unknown?.message == "There is no rate plan 'tou'. There is none yet.")
    }

    @Test func `a file is checked, and nothing is stored`() async throws {
        try await withFile(zones) { file in
            try await run(home, "rate-plans", "check", file, "--time-zone", "Europe/Berlin")
        }
        #expect(home.output.notes == ["Read as evcc."])
        #expect(home.output.lines.contains("Jul  A A A A A A  C C C C C C  C C C C * D  D D C C C C"))
        #expect(home.now.ratePlans.count == 1)
    }

    @Test func `a file is imported under an id`() async throws {
        try await withFile(zones) { file in
            try await run(
                home, "rate-plans", "import", file, "--id", "evcc-1", "--time-zone", "Europe/Berlin", "--holiday",
                "easter+1", "--holiday", "12-25")
        }
        let plan = try #require(home.now.ratePlans.last)
        #expect(plan.id == "evcc-1" && plan.holidays.count == 2 && plan.timeZone == Samples.berlin)
        #expect(home.output.lines.last?.contains("0.100 – 0.500 EUR") == true)
    }

    @Test func `a contract with hours that cost nothing known is not stored without force`() async throws {
        try await withFile(#"{"zones": [{"hours": "0-6", "price": 0.1}]}"#) { file in
            let refusal = await #expect(throws: CommandFailure.self) {
                try await run(home, "rate-plans", "import", file, "--id", "A", "--time-zone", "Europe/Berlin")
            }
            #expect(refusal?.exit == .refused)
            #expect(home.output.notes.contains { $0.hasPrefix("error: zones: no zone gives a price") })
            #expect(home.now.ratePlans.count == 1)
            try await run(home, "rate-plans", "import", file, "--id", "A", "--time-zone", "Europe/Berlin", "--force")
            #expect(home.now.ratePlans.count == 2)
        }
        let broken = await #expect(throws: CommandFailure.self) {
            try await withFile(#"{"zones": [{"hours": "22-6", "price": 0.1}]}"#) { file in
                try await run(home, "rate-plans", "check", file, "--time-zone", "Europe/Berlin")
            }
        }
        #expect(broken?.message.contains("zones[0].hours must be hours like") == true)
    }

    @Test func `a plan is written in another format`() async throws {
        try await run(home, "rate-plans", "export", "tou", "--format", "urdb")
        #expect(home.output.text.contains("\"energyratestructure\""))
        let refusal = await #expect(throws: CommandFailure.self) {
            try await run(home, "rate-plans", "export", "none", "--format", "evcc")
        }
        #expect(refusal?.exit == .refused)
    }

    @Test func `an event is declared on the venue's clock, listed and cancelled`() async throws {
        try await run(
            home, "demand-response", "add", "--start", "16:00", "--for", "5h", "--venue", "Home", "--reason", "heat",
            "--price", "2.5", "--currency", "EUR")
        let event = try #require(home.now.demandResponse.first)
        #expect(event.scope == .venue(Samples.home.id) && event.kind == .criticalPeak)
        #expect(event.interval.start.iso8601(in: Samples.berlin) == "2026-11-21T16:00:00+01:00")
        #expect(event.interval.milliseconds == 5 * .millisecondsPerHour)
        #expect(event.price?.microsPerKilowattHour == 2_500_000)
        try await run(home, "demand-response")
        #expect(home.output.text.contains("Sat 21 Nov 16:00  21:00  critical peak  Home  2.500 EUR  ahead  heat"))
        try await run(home, "demand-response", "cancel", event.id.uuidString)
        #expect(home.output.text.contains("cancelled"))
        await #expect(throws: (any Error).self) {
            try await run(home, "demand-response", "add", "--start", "now", "--for", "1h", "--price", "2")
        }
        await #expect(throws: (any Error).self) {
            try await run(
                home, "demand-response", "add", "--start", "now", "--for", "1h", "--venue", "Home", "--region", "X")
        }
    }

    @Test func `of homes on several clocks a time of day says too little`() async throws {
        home.change { $0.venues.append(Samples.cabin) }
        let refusal = await #expect(throws: CommandFailure.self) {
            try await run(home, "demand-response", "add", "--start", "16:00", "--for", "5h")
        }
        #expect(refusal?.message.contains("several time zones: say --venue") == true)
        #expect(home.now.demandResponse.isEmpty)
        try await run(home, "demand-response", "add", "--start", "2026-11-22T16:00-08:00", "--for", "5h")
        #expect(home.now.demandResponse.first?.interval.start == Timestamp(iso8601: "2026-11-23T00:00:00Z"))
    }

    @Test func `events of a file are declared, those that are over left out`() async throws {
        let text = """
            [{"start": "2026-11-20T07:00:00Z", "duration": "PT1H"},
             {"start": "2026-11-22T07:00:00Z", "duration": "PT1H", "kind": "reduce", "region": "DE"}]
            """
        try await withFile(text) { file in try await run(home, "demand-response", "import", file, "--json") }
        #expect(home.now.demandResponse.map(\.scope) == [.region("DE")])
        #expect(home.output.text.contains("\"kind\" : \"reduce\""))
    }
}
