import ArgumentParser
import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// What 'insights' and 'sessions' say beside their numbers.
struct InsightWordsTests {
    private let home = FakeHome()

    private func run(_ style: Style = .plain, _ arguments: String...) async throws { try await run(style, arguments) }

    private func run(_ style: Style, _ arguments: [String]) async throws {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context(style))
    }

    private static func heating(kind: Device.Kind? = .hvac) -> InsightRecord {
        let amount = InsightAmount(
            energy: .zero, runtimeMilliseconds: 7_200_000, weightedRuntimeMilliseconds: 2_880_000)
        return InsightRecord(
            interval: Samples.day(20, energy: 1).interval, deviceKind: kind, total: amount,
            worth: InsightWorth(costs: [Money(micros: 0, currency: "EUR")]), byCleanliness: [.cleaner: amount])
    }

    @Test(arguments: [Device.Kind.hvac, nil])
    func `heating shows run time, weighted too, and no energy or cost`(kind: Device.Kind?) async throws {
        home.change { ($0.records, $0.sessionInsights) = ([Self.heating(kind: kind)], []) }
        try await run(.plain, "insights", "--by", "cleanliness", "--last", "7d")
        let text = home.output.text
        #expect(!text.contains("0.00") && !text.contains("EUR"))
        let row = try #require(home.output.lines.first { $0.hasPrefix("Fri 20 Nov 2026") })
        #expect(row.split(separator: " ").suffix(4) == ["-", "2:00", "0:48", "2:00"])
        #expect(text.contains("Heating and cooling report run time, and no energy: where kWh are missing"))
        #expect(text.contains("By stage: run time times how hard it ran"))
    }

    @Test(arguments: [["--type", "vehicle"], ["--device", "car-1"], []])
    func `what a car measured is 0 where it took nothing`(which: [String]) async throws {
        var taken = Samples.day(19, energy: 10)
        (taken.deviceID, taken.deviceKind) = ("car-1", .electricVehicle)
        let nothing = InsightRecord(
            interval: Samples.day(20, energy: 1).interval,
            total: InsightAmount(energy: .zero, runtimeMilliseconds: 7_200_000))
        home.change { ($0.records, $0.sessionInsights) = ([taken, nothing], []) }
        try await run(.plain, ["insights", "--last", "7d"] + which)
        #expect(!home.output.text.contains("Heating"))
        let row = try #require(home.output.lines.first { $0.hasPrefix("Fri 20 Nov 2026") })
        #expect(row.contains("0.00"))
        try await run(.plain, ["insights", "--json", "--last", "7d"] + which)
        #expect(home.output.text.contains(#""energy_mwh" : 0"#))
    }

    @Test func `the explanation of heating says no cost`() async throws {
        home.change { ($0.records, $0.sessionInsights) = ([Self.heating()], []) }
        try await run(.plain, "insights", "--explain", "--last", "7d")
        #expect(!home.output.text.contains("Cost"))
    }

    @Test func `periods without use are shown of the whole only`() async throws {
        await #expect(throws: (any Error).self) { try await run(.plain, "insights", "--all", "--per", "device") }
    }

    @Test func `JSON has no energy of heating, and both run times`() async throws {
        home.change { $0.records = [Self.heating()] }
        try await run(.plain, "insights", "--json", "--last", "7d")
        #expect(!home.output.text.contains("\"energy_mwh\" : 0"))
        #expect(home.output.text.contains("\"weighted_runtime_ms\" : 2880000"))
        #expect(home.output.text.contains("\"costs\" : [\n\n"))
    }

    @Test func `columns that a narrow terminal has no room for are named`() async throws {
        home.change { state in
            state.records = state.records.map { record in
                var record = record
                record.worth = InsightWorth(
                    costs: [Money(micros: 1_000_000, currency: "EUR")], pricedEnergy: record.total.energy)
                return record
            }
        }
        try await run(Style(hasColor: false, hasUnicode: true, width: 40), "insights", "--last", "7d")
        #expect(home.output.text.contains("No room for run time, EUR, EUR/kWh,"))
        try await run(.plain, "sessions")
        #expect(!home.output.lines.suffix(2).joined().contains("No room"))
    }

    @Test(arguments: [
        ["insights"], ["insights", "--json"], ["insights", "trend"], ["sessions"], ["activity"],
        ["activity", "--json"],
    ])
    func `a device that does not exist is an error, and those that do are named`(command: [String]) async throws {
        let parsed = try await RootCommand.asyncParseAsRoot(command + ["--device", "car-x"])
        let failure = await #expect(throws: CommandFailure.self) {
            try await #require(parsed as? any EnergyCommand).perform(in: home.context())
        }
        #expect(failure?.exit == .refused)
        #expect(failure?.message == "There is no device 'car-x' at Home. Did you mean 'car-1'? Known are: car-1.")
    }

    @Test func `carbon that is known of no energy has no column`() {
        func worth(_ energy: Int64) -> InsightWorth {
            InsightWorth(
                carbon: [
                    CarbonMass(
                        milligrams: energy * 300 / 1_000, kind: .averageDirect,
                        energy: Energy(milliwattHours: energy))
                ])
        }
        #expect(WorthColumns([worth(0)]).titles.isEmpty)
        let columns = WorthColumns([worth(0), worth(1_000_000)])
        #expect(columns.titles == ["kg CO2", "g/kWh"])
        #expect(columns.cells(worth(0)) == ["-", "-"])
        #expect(columns.cells(worth(1_000_000)) == ["0.30", "300"])
    }

    @Test func `a device of which something was counted is known`() async throws {
        var record = Self.heating()
        record.deviceID = "heatpump-1"
        home.change { [record] in $0.records = [record] }
        try await run(.plain, "insights", "--device", "heatpump-1", "--from", "2026-11-01", "--to", "2026-11-02")
    }

    @Test func `a time that is too long is told on the venue's clocks`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(.plain, "insights", "--from", "2018-01-01", "--to", "2026-07-01")
        }
        #expect(
            failure?.message == "Mon 1 Jan 2018 00:00 to Wed 1 Jul 2026 00:00 is more than one question may be about, "
                + "5 years: ask in parts.")
    }

    @Test func `tiers are said to follow what the contract expects`() async throws {
        home.change { state in
            var plan = Samples.ratePlan
            plan.zones[0].tiers = [
                RateTier(above: Energy(milliwattHours: 100_000_000), price: Price(microsPerKilowattHour: 400_000))
            ]
            plan.monthlyEnergy = Energy(milliwattHours: 350_000_000)
            state.ratePlans = [plan]
            state.records[0].worth = InsightWorth(
                costs: [Money(micros: 1_000_000, currency: "EUR")], pricedEnergy: state.records[0].total.energy)
        }
        try await run(.plain, "insights", "--explain")
        #expect(home.output.text.contains("taken to be the 350.00 kWh that the contract expects"))
        home.change { $0.ratePlans[0].monthlyEnergy = nil }
        try await run(.plain, "insights", "--explain")
        #expect(home.output.text.contains("all is priced by the first tier"))
    }

    @Test func `sessions without a baseline are counted, with why`() async throws {
        let whole = Samples.sessionInsight()
        func session(_ kind: Device.Kind = .electricVehicle, isOver: Bool = true) -> SessionInsight {
            SessionInsight(
                key: SessionKey(venueID: Samples.home.id, sessionID: UUID()), deviceID: "car-1", deviceKind: kind,
                direction: .imported, began: whole.began, last: whole.last, isOver: isOver,
                wasFollowingGuidance: false, amount: whole.amount, worth: .none)
        }
        home.change { $0.sessionInsights = [whole, session(), session(), session(.hvac), session(isOver: false)] }
        try await run(.plain, "insights", "--explain")
        let text = home.output.text
        #expect(text.contains("Not compared: 2 sessions whose full power is not known"))
        #expect(text.contains("Not compared: 1 session of heating or cooling"))
        #expect(text.contains("Not compared: 1 session not over yet."))
    }

    private static func session(
        _ kind: Device.Kind = .electricVehicle, follows: Bool = false, energy: Int64 = 10_000_000,
        direction: FlowDirection = .imported
    ) -> SessionInsight {
        let whole = Samples.sessionInsight()
        let amount = InsightAmount(
            energy: Energy(milliwattHours: kind == .hvac ? 0 : energy), runtimeMilliseconds: 3_600_000)
        return SessionInsight(
            key: SessionKey(venueID: Samples.home.id, sessionID: UUID()), deviceID: "\(kind)", deviceKind: kind,
            direction: direction, began: whole.began, last: whole.last, isOver: true, wasFollowingGuidance: follows,
            amount: amount, worth: .none)
    }

    @Test func `energy that was given back is told from what was used, where there is any`() async throws {
        home.change { $0.sessionInsights = [Self.session()] }
        try await run(.plain, "sessions")
        #expect(!home.output.text.contains("flow"))
        home.change { $0.sessionInsights = [Self.session(), Self.session(direction: .exported)] }
        try await run(.plain, "sessions")
        #expect(home.output.lines.contains { $0.hasPrefix("began") && $0.contains("flow") })
        #expect(home.output.lines.filter { $0.contains("given back") }.count == 1, "\(home.output.text)")
    }

    @Test func `what is not known to be saved is counted as such, and is no 0`() async throws {
        home.change { $0.sessionInsights = [Samples.sessionInsight(), Self.session(), Self.session()] }
        try await run(.plain, "insights", "--explain")
        let sentence = "2.50 EUR, 3.00 kg CO2. Of 3 sessions, 2 have no baseline: what they saved is not known."
        #expect(home.output.lines.contains("Together: " + sentence), "\(home.output.text)")
        try await run(.plain, "sessions")
        #expect(home.output.lines.contains("Saved: " + sentence))
        try await run(.plain, "sessions", "--json")
        #expect(home.output.text.contains("\"without_baseline\" : 2"))
        home.change { $0.sessionInsights = [Self.session()] }
        try await run(.plain, "sessions")
        #expect(home.output.lines.last == "Of 1 session, 1 has no baseline: what it saved is not known.")
    }

    @Test func `what was saved is said below the periods, and not of energy that was given back`() async throws {
        try await run(.plain, "insights", "--last", "7d", "--direction", "exported")
        #expect(!home.output.text.contains("Saved"))
        try await run(.plain, "insights", "--last", "7d")
        #expect(home.output.lines.last == "Saved: 2.50 EUR, 3.00 kg CO2.")
        try await run(.plain, "insights", "--last", "7d", "--json")
        #expect(home.output.text.contains("\"saved\" : {"))
    }

    @Test func `only sessions that guidance could have moved are said to follow it or not`() async throws {
        home.change {
            $0.sessionInsights = [
                Samples.sessionInsight(), Self.session(), Self.session(.hvac), Self.session(.hvac, follows: true),
                Self.session(energy: 0),
            ]
        }
        try await run(.plain, "insights", "--explain")
        let text = home.output.text
        #expect(text.contains("1 session followed guidance: 10.00 kWh"))
        #expect(text.contains("1 session did not follow guidance: 10.00 kWh."))
        #expect(text.contains("Left out: 3 sessions with nothing to move"))
        home.change { $0.sessionInsights = [Self.session(.hvac)] }
        let before = home.output.lines.count
        try await run(.plain, "insights", "--explain")
        #expect(!home.output.lines.dropFirst(before).joined().contains("follow guidance"))
        try await run(.plain, "sessions")
        let row = try #require(home.output.lines.last { $0.contains("hvac") })
        #expect(!row.contains(" no "))
    }

    @Test func `everything that is said fits into a terminal of 80 columns`() async throws {
        home.change { state in
            state.records = [Self.heating()]
            state.sessionInsights = [Samples.sessionInsight(), Self.session(), Self.session(.hvac)]
        }
        let style = Style(hasColor: false, hasUnicode: true, width: 80)
        try await run(style, "insights", "--explain", "--by", "cleanliness", "--last", "7d")
        try await run(style, "sessions")
        for line in home.output.lines { #expect(TerminalText.width(line) <= 80, "\(line)") }
        #expect(home.output.lines.contains { $0.hasPrefix("  Fri 20 Nov 2026 18:00 car-1: 10.00 kWh, at once") })
    }

    @Test(arguments: [
        ("4d", "Nothing was used in the periods of this time that are complete."),
        ("1d", "No period of this time is complete."),
    ])
    func `a trend of nothing says whether nothing was used or nothing is over`(last: String, text: String) async throws
    {
        home.change { $0.records = [] }
        try await run(.plain, "insights", "trend", "--granularity", "daily", "--last", last)
        #expect(home.output.lines == [text])
        try await run(
            Style(hasColor: false, hasUnicode: true, width: 25), "insights", "trend", "--granularity", "daily",
            "--last",
            last)
        #expect(home.output.lines.dropFirst().joined(separator: " ") == text)
        #expect(home.output.lines.dropFirst().allSatisfy { $0.count <= 25 })
    }

    @Test func `a trend has no column of what nothing is known of`() async throws {
        home.change { $0.records = [18, 19].map { Samples.day($0, energy: 10_000_000) } }
        try await run(.plain, "insights", "trend", "--granularity", "daily", "--last", "4d")
        let title = try #require(home.output.lines.first { $0.hasPrefix("period") })
        #expect(title.contains("change") && !title.contains("g/kWh change") && !title.contains("price"), "\(title)")
        home.change { state in
            state.records = state.records.map { record in
                var record = record
                record.worth = InsightWorth(
                    carbon: [CarbonMass(milligrams: 1_000, kind: .marginal, energy: record.total.energy)])
                return record
            }
        }
        let before = home.output.lines.count
        try await run(.plain, "insights", "trend", "--granularity", "daily", "--last", "4d")
        #expect(home.output.lines[before...].contains { $0.contains("g/kWh change") })
    }

    @Test func `a time is exact, or widened to the calendar's windows`() async throws {
        let arguments = ["insights", "--from", "2026-11-18", "--to", "2026-11-20", "--json"]
        func bounds(_ flags: [String]) async throws -> (String?, String?) {
            let before = home.output.lines.count
            let command = try await RootCommand.asyncParseAsRoot(arguments + flags)
            try await #require(command as? any EnergyCommand).perform(in: home.context())
            let text = home.output.lines.dropFirst(before).joined(separator: "\n")
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return (document?["start"] as? String, document?["end"] as? String)
        }
        #expect(try await bounds([]) == ("2026-11-18T00:00:00+01:00", "2026-11-20T00:00:00+01:00"))
        #expect(try await bounds(["--exact"]) == ("2026-11-18T00:00:00+01:00", "2026-11-20T00:00:00+01:00"))
        #expect(try await bounds(["--no-exact"]) == ("2026-11-01T00:00:00+01:00", "2026-12-01T00:00:00+01:00"))
    }

    @Test func `a baseline over midnight says the day`() throws {
        let began = Samples.time("2026-11-20T17:00:00Z")
        let line = try explained(
            after: 1_500_000, before: 4_000_000, Interval(start: began, milliseconds: 30 * 3_600_000))
        #expect(line.contains("kW from 18:00 to Sun 00:00; 4.00 - 1.50 = 2.50 EUR"))
    }

    @Test(arguments: [
        (Int64(880_000), Int64(-780_000), "0.88 - 1.66 = -0.78"), (2_257_000, 1_001_000, "2.26 - 1.26 = 1.00"),
        (2_257_000, 1_004_500, "2.2570 - 1.2525 = 1.0045"), (884_000, -783_000, "0.884 - 1.667 = -0.783"),
        (10_315_000, 10_310_000, "10.32 - 0.01 = 10.31"), (3_700, 3_700, "0.00 - 0.00 = 0.00"),
        (-5_000, -1, "-0.005 - -0.005 = 0.000"), (1_234_567, 617_284, "1.2346 - 0.6173 = 0.6173"),
    ])
    func `each figure of a difference is rounded by itself, and the sum is right as it is read`(
        before: Int64, saved: Int64, text: String
    ) throws {
        #expect(Quantities.difference(before - saved, saved) == text)
        #expect(
            try explained(after: before - saved, before: before).contains(
                "; \(Quantities.difference(before - saved, saved)) EUR"))
    }

    @Test(arguments: UInt64(0)..<100)
    func `a difference is right as it is read, whatever the figures`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let before = Int64.random(in: -2_000_000...9_000_000, using: &random)
        let after = Int64.random(in: -2_000_000...9_000_000, using: &random)
        let words = Quantities.difference(after, before - after).split(separator: " ")
        let figures = try [0, 2, 4].map { try #require(Decimal(string: String(words[$0]))) }
        #expect(figures[0] - figures[1] == figures[2])
        for (figure, exact) in zip(figures, [before, after, before - after]) {
            #expect(abs(figure - Decimal(exact) / 1_000_000) <= Decimal(string: "0.005") ?? 0)
        }
    }

    @Test func `what percents of energy were rated adds up to 100`() throws {
        var total = Samples.day(20, energy: 3_000_000)
        let third = InsightAmount(energy: Energy(milliwattHours: 1_000_000), runtimeMilliseconds: 1)
        total.byBand = [.good: third, .fair: third, .avoid: third]
        let text = InsightExplanation(
            records: [total], sessions: [], direction: .imported, venue: Samples.home, style: .plain
        ).lines().joined()
        #expect(text.contains("34 % in times rated"), "\(text)")
        #expect(text.components(separatedBy: "33 % in times rated").count == 3)
    }

    @Test func `what the grid was given is paid for, and was no use that guidance rates`() throws {
        var total = Samples.day(20, energy: 3_000_000)
        total.byBand = [.good: total.total]
        total.worth = InsightWorth(
            costs: [Money(micros: 300_000, currency: "EUR")], pricedEnergy: total.total.energy)
        let text = InsightExplanation(
            records: [total], sessions: [], direction: .exported, venue: Samples.home, style: .plain
        ).lines().joined(separator: "\n")
        #expect(text.contains("Paid for: 3.00 kWh") && !text.contains("Cost:") && !text.contains("rated"), "\(text)")
    }

    /// The line of a session that is compared, with these costs.
    private func explained(after: Int64, before: Int64, _ interval: Interval? = nil) throws -> String {
        let energy = Energy(milliwattHours: 10_000_000)
        func worth(_ micros: Int64) -> InsightWorth {
            InsightWorth(costs: [Money(micros: micros, currency: "EUR")], pricedEnergy: energy)
        }
        let began = Samples.time("2026-11-20T17:00:00Z")
        let session = SessionInsight(
            key: SessionKey(venueID: Samples.home.id, sessionID: UUID()), deviceID: "car-1",
            deviceKind: .electricVehicle, direction: .imported, began: began,
            last: Samples.time("2026-11-25T05:00:00Z"), isOver: true, wasFollowingGuidance: true,
            amount: InsightAmount(energy: energy, runtimeMilliseconds: 1), worth: worth(after),
            baseline: SessionBaseline(
                interval: interval ?? Interval(start: began, milliseconds: 3_600_000),
                power: try Power(milliwatts: 1_000_000), worth: worth(before)))
        let lines = InsightExplanation(
            records: [Samples.day(20, energy: 10_000_000)], sessions: [session], direction: .imported,
            venue: Samples.home,
            style: .plain
        ).lines()
        return try #require(lines.first { $0.contains("car-1:") })
    }
}
