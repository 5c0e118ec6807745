import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// `sessions import`.
struct SessionImportTests {
    private let home: FakeHome
    private let folder: TemporaryFolder

    init() throws {
        home = FakeHome()
        folder = try TemporaryFolder()
    }

    private func run(_ text: String, _ arguments: String...) async throws {
        let path = folder.path("sessions.csv")
        try Data(text.utf8).write(to: URL(filePath: path))
        let all = ["sessions", "import", path, "--device", "car-1"] + arguments
        let command = try await RootCommand.asyncParseAsRoot(all)
        try await #require(command as? SessionsImport).perform(in: home.context())
    }

    private let table = """
        start,end,device,energy (kWh)
        2026-11-01 10:00:00,2026-11-01 12:00:00,A,10
        2026-11-02 10:00:00,2026-11-02 12:00:00,B,20.5
        """

    private var submitted: [Event] { home.now.submitted.flatMap(\.events) }

    @Test func `the id of a heat pump that was counted does not become a vehicle`() async throws {
        let day = Samples.day(19, energy: 0, split: false)
        home.change {
            $0.records = [
                InsightRecord(interval: day.interval, deviceID: "heat-pump", deviceKind: .hvac, total: day.total)
            ]
        }
        await #expect(throws: CommandFailure.self) { try await run(table, "--device", "heat-pump") }
        #expect(submitted.isEmpty)
    }

    @Test func `each row becomes a session, with the token of guidance that was asked for`() async throws {
        try await run(table)
        #expect(home.output.lines == ["2 sessions stored, 0 known before."])
        #expect(home.now.submitted.count == 1)
        #expect(submitted.compactMap(\.session?.state) == [.begin, .end, .begin, .end])
        #expect(submitted.allSatisfy { $0.session?.guidanceToken == Samples.id(100) })
        #expect(submitted.allSatisfy { $0.session?.wasFollowingGuidance == false })
        // As the scheduler calls it.
        #expect(submitted.allSatisfy { $0.device == Samples.car })
        #expect(home.output.progress.contains { $0?.contains("100 %") ?? false })
        #expect(home.output.progress.last == .some(nil))
    }

    @Test func `importing twice counts once, whether or not the first import is counted yet`() async throws {
        try await run(table)
        let first = submitted
        try await run(table)
        #expect(submitted == first)
        home.change { state in
            state.isCounted = false
            state.refusal = { _ in
                EnergyError(
                    .conflict, "no event was stored",
                    violations: [
                        RuleViolation(index: 0, field: "id", rule: "must not be that of another event", value: "1")
                    ])
            }
        }
        try await run(table)
        #expect(submitted == first)
        #expect(
            home.output.lines.suffix(2) == ["0 sessions stored, 2 known before.", "0 sessions stored, 2 known before."])
    }

    @Test func `an import ends when what it stored is counted, so that the next one sees it`() async throws {
        home.change { $0.isCounted = false }
        let importing = Task { try await run(table) }
        let topic = Topics.insights(venueID: Samples.home.id, deviceID: "car-1")
        await home[.insights].publications.waitForSubscriber(to: topic)
        #expect(home.output.lines.isEmpty)
        home.change { $0.isCounted = true }
        home[.insights].publications.send(.publication(Publication(topic: topic, epoch: 1, sequence: 1, body: [])))
        try await importing.value
        #expect(home.output.lines == ["2 sessions stored, 0 known before."])
        #expect(home.output.notes.isEmpty)
    }

    @Test func `an import does not wait for ever until it is counted, and says so`() async throws {
        home.change { $0.isCounted = false }
        let importing = Task { try await run(table) }
        await home.clock.waitForSleepers()
        home.clock.advance(by: .seconds(30))
        try await importing.value
        #expect(home.output.lines == ["2 sessions stored, 0 known before."])
        #expect(home.output.notes.last?.hasPrefix("The insight-service has not counted all of them yet.") == true)
    }

    @Test func `a row that says something else than before is refused`() async throws {
        try await run(table)
        await #expect(throws: CommandFailure(.refused, "")) { try await run(table.replacing("20.5", with: "21")) }
        #expect(
            home.output.notes.last?.hasPrefix("line 3: was imported before with other values, 20.50 kWh until") == true)
        #expect(submitted.count == 4)
    }

    private let overlapping = """
        start,end,device,energy (kWh)
        2026-11-01 10:00:00,2026-11-01 12:00:00,A,10
        2026-11-01 12:00:00,2026-11-01 13:00:00,A,5
        2026-11-01 11:59:59,2026-11-01 12:30:00,B,4
        2026-11-01 10:00:00,2026-11-01 12:00:00,A,10
        2026-11-01 08:00:00,2026-11-01 20:00:00,C,7
        """

    @Test(arguments: [false, true])
    func `rows that overlap others of the file are refused by line`(isDryRun: Bool) async throws {
        await #expect(throws: CommandFailure(.refused, "")) {
            try await run(overlapping, isDryRun ? "--dry-run" : "--json")
        }
        #expect(submitted.count == (isDryRun ? 0 : 4))
        let text = isDryRun ? home.output.notes.joined(separator: "\n") : home.output.text
        #expect(text.contains("overlaps that in line 3: one vehicle has one session at a time"))
        if isDryRun {
            #expect(home.output.lines.count == 2)
            #expect(home.output.notes.filter { $0.hasPrefix("line 4: ") || $0.hasPrefix("line 6: ") }.count == 2)
            #expect(text.contains("2 sessions would be stored, 1 known before. Not stored: 2 rows."))
        }
    }

    @Test(arguments: [["--skip-overlapping"], ["--skip-overlapping", "--dry-run"]])
    func `rows that overlap others are left out where that is asked for`(arguments: [String]) async throws {
        let path = folder.path("sessions.csv")
        try Data(overlapping.utf8).write(to: URL(filePath: path))
        let command = try await RootCommand.asyncParseAsRoot(
            ["sessions", "import", path, "--device", "car-1"] + arguments)
        try await #require(command as? SessionsImport).perform(in: home.context())
        let said = home.output.lines + home.output.notes
        #expect(said.last?.hasSuffix(", 1 known before, 2 overlapping rows left out.") == true, "\(said)")
    }

    @Test func `rows that overlap what is counted of the same vehicle are refused`() async throws {
        try await run(table)
        let other = """
            created,finished,vehicle,chargedenergy
            2026-11-01 09:00:00,2026-11-01 10:30:00,e-Golf,3
            2026-11-02 12:00:00,2026-11-02 13:00:00,e-Golf,3
            """.replacing("created,finished,vehicle,chargedenergy", with: "start,end,device,energy (kWh)")
        await #expect(throws: CommandFailure(.refused, "")) { try await run(other) }
        #expect(submitted.count == 6, "what only touches is stored")
        #expect(
            home.output.notes.first?.hasPrefix(
                "line 2: overlaps one that is counted already, 2026-11-01T10:00:00+01:00 to 2026-11-01T12:00:00+01:00")
                == true, "\(home.output.notes)")
        try await run(other, "--skip-overlapping")
        #expect(home.output.lines.last?.hasSuffix("1 overlapping row left out.") == true)
    }

    @Test func `a session that was counted from another program's file is known`() async throws {
        try await run(table)
        let first = submitted
        let evcc = """
            Created,Finished,Charging point,Vehicle,Energy (kWh)
            2026-11-01 10:00:00,2026-11-01 12:00:00,Garage,A,10.0004
            2026-11-02 10:00:00,2026-11-02 12:00:00,Garage,A,20.499
            """
        await #expect(throws: CommandFailure(.refused, "")) { try await run(evcc, "--format", "evcc") }
        #expect(submitted == first)
        #expect(home.output.notes.count == 1 && home.output.notes[0].hasPrefix("line 3: overlaps one that is counted"))
        try await run(evcc, "--format", "evcc", "--skip-overlapping")
        #expect(home.output.lines.last == "0 sessions stored, 1 known before, 1 overlapping row left out.")
    }

    @Test func `how long a session charged is shown, and submitted with its pauses`() async throws {
        let evcc = """
            Created,Finished,Vehicle,Energy (kWh),Duration
            2026-11-01 10:00:00,2026-11-01 12:00:00,A,6,1h30m0s
            2026-11-02 10:00:00,2026-11-02 12:00:00,A,6,2h0m0s
            """
        try await run(evcc, "--format", "evcc", "--dry-run")
        #expect(
            home.output.lines == [
                "Sun 1 Nov 2026 10:00 to 12:00  6.00 kWh in 1 h 30 min  4.00 kW  A",
                "Mon 2 Nov 2026 10:00 to 12:00  6.00 kWh  3.00 kW  A",
            ])
        try await run(evcc, "--format", "evcc")
        #expect(submitted.count == 18 && submitted.compactMap(\.session?.state).filter { $0 == .active }.count == 14)
        try await run(evcc, "--format", "evcc")
        #expect(home.output.lines.last == "0 sessions stored, 2 known before.")
    }

    @Test func `only one vehicle's rows are looked at, where one is asked for`() async throws {
        let others = """

            never,2026-11-03 12:00:00,A,1
            2026-11-01 11:00:00,2026-11-01 13:00:00,B,x
            2026-11-01 11:00:00,2026-11-01 13:00:00
            2026-11-01 11:00:00,2026-11-01 13:00:00,C,-1
            """
        try await run(
            table + others.split(separator: "\n").filter { !$0.contains(",B,") }.reduce("") { $0 + "\n" + $1 },
            "--only", "b")
        #expect(home.output.lines == ["1 session stored, 0 known before, 4 rows of other devices passed over."])
        await #expect(throws: CommandFailure(.refused, "")) { try await run(table + others, "--only", "B") }
        #expect(home.output.notes.last?.hasPrefix("line 5: energy (kWh) must be") == true)
    }

    @Test func `a name that no row is of is told, with those that there are`() async throws {
        await #expect(throws: CommandFailure(.refused, "No row is of 'a car'. Rows are of 'A', 'B'.")) {
            try await run(table, "--only", "a car")
        }
        #expect(submitted.isEmpty)
    }

    @Test func `a row that was left out because it overlaps is left out again`() async throws {
        let table = """
            start,end,device,energy (kWh)
            2026-11-01 09:00:00,2026-11-01 10:00:00,A,1
            2026-11-01 09:00:00,2026-11-01 10:00:00,A,2
            """
        try await run(table, "--skip-overlapping")
        try await run(table, "--skip-overlapping")
        #expect(
            home.output.lines == [
                "1 session stored, 0 known before, 1 overlapping row left out.",
                "0 sessions stored, 1 known before, 1 overlapping row left out.",
            ])
    }

    @Test func `a session of this very system is not counted again`() async throws {
        home.change { $0.sessionInsights = [ExportTests.session] }
        let text = """
            session,start,end,energy (kWh)
            \(Samples.id(50).text),2026-11-20T21:00:00+01:00,2026-11-21T02:00:00+01:00,12.345678
            """
        try await run(text)
        #expect(
            home.output.lines == ["0 sessions stored, 1 known before."])
        #expect(submitted.isEmpty)
    }

    @Test(arguments: [[], ["--dry-run"], ["--skip-overlapping"]])
    func `a session of this very system is refused of another device, which is named`(
        arguments: [String]
    ) async throws {
        home.change { $0.sessionInsights = [ExportTests.session] }
        let text = """
            session,start,end,energy (kWh)
            \(Samples.id(50).text),2026-11-20T21:00:00+01:00,2026-11-21T02:00:00+01:00,12.345678
            """
        let path = folder.path("sessions.csv")
        try Data(text.utf8).write(to: URL(filePath: path))
        let command = try await RootCommand.asyncParseAsRoot(
            ["sessions", "import", path, "--device", "car-2"] + arguments)
        await #expect(throws: CommandFailure(.refused, "")) {
            try await #require(command as? SessionsImport).perform(in: home.context())
        }
        #expect(
            home.output.notes.first
                == "line 2: is counted already, as a session of 'car-1': a session counts once, and not for 'car-2' too"
        )
        #expect(submitted.isEmpty)
    }

    @Test func `bad rows are told, and the rest goes on`() async throws {
        home.change { state in
            state.refusal = { batch in
                // Tuesday's is refused by the service.
                batch.events.contains { $0.timestamp > Samples.time("2026-11-02T23:00:00Z") }
                    ? .invalidInput(
                        RuleViolation(index: 0, field: "device.id", rule: "must be known", value: "car-1")) : nil
            }
        }
        await #expect(throws: CommandFailure(.refused, "")) {
            try await run(
                table + "\n2026-11-03 10:00:00,2026-11-03 12:00:00,A,1\n2026-11-04 10:00:00,x,A,1\n", "--json")
        }
        #expect(submitted.count == 4)
        let document = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any]
        #expect(document?["sessions_stored"] as? Int == 2)
        #expect(document?["rows_refused"] as? Int == 2)
        let faults = try #require(document?["faults"] as? [[String: Any]])
        #expect(faults.map { $0["line"] as? Int } == [5, 4])
        #expect(faults[0]["column"] as? String == "end")
    }

    @Test func `a dry run shows what would come and submits nothing`() async throws {
        try await run(table, "--dry-run", "--only", "b")
        #expect(home.output.lines == ["Mon 2 Nov 2026 10:00 to 12:00  20.50 kWh  10.25 kW  B"])
        #expect(home.output.notes == ["1 session would be stored, 0 known before, 1 row of other devices passed over."])
        #expect(submitted.isEmpty)
    }

    @Test func `a dry run refuses what the service would refuse`() async throws {
        let future = "\n2026-12-24 10:00:00,2026-12-24 12:00:00,A,1\n"
        await #expect(throws: CommandFailure(.refused, "")) { try await run(table + future, "--dry-run") }
        #expect(home.output.lines.count == 2)
        #expect(
            home.output.notes.first?.hasPrefix("line 4: start must not be in the future, but is '2026-12-24") == true)
        #expect(home.output.notes.last == "2 sessions would be stored, 0 known before. Not stored: 1 row.")
        #expect(submitted.isEmpty)
    }

    @Test(arguments: [
        ("", "is empty."), ("a,b\n1,2\n", "no column is called 'start'; there are 'a', 'b'."),
        ("start,end,energy (kWh)\n\"", "line 2: a quoted cell begins and does not end."),
    ])
    func `what is no table of sessions is refused`(text: String, message: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await run(text) }
        #expect(failure?.exit == .refused)
        #expect(failure?.message.hasSuffix(message) == true, "\(failure?.message ?? "")")
    }

    @Test func `heating and cooling is refused, and a zone that is none`() async throws {
        home.change { state in
            state.devices = [ManagedDevice(device: Samples.heatPump, venueID: Samples.home.id)]
        }
        let path = folder.path("sessions.csv")
        try Data(table.utf8).write(to: URL(filePath: path))
        let command = try await RootCommand.asyncParseAsRoot(["sessions", "import", path, "--device", "heatpump-1"])
        let failure = await #expect(throws: CommandFailure.self) {
            try await #require(command as? SessionsImport).perform(in: home.context())
        }
        #expect(failure?.exit == .usage)
        await #expect(throws: (any Error).self) { try await run(table, "--zone", "Europe/Atlantis") }
    }
}
