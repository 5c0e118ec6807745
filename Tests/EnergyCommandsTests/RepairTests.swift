import ArgumentParser
import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// `insights repair` and `insights repairs`.
struct RepairTests {
    private let home = FakeHome()
    private let session = Samples.id(77).text
    private let event = Samples.id(5).text

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context())
    }

    @Test(arguments: [("10", Int64(10_000_000)), ("12.3456789", 12_345_679), ("12,5", 12_500_000), ("0", 0)])
    func `an energy is taken as it is written`(text: String, milliwattHours: Int64) async throws {
        try await run(
            "insights", "repair", "--session", session, "--event", event, "--energy", text, "--reason", "read off")
        #expect(home.now.repairs.first?.action == .energy(Energy(milliwattHours: milliwattHours)))
    }

    @Test(arguments: ["1e3", "0x10", "-1", "nan", "inf", "1000001", "", "ten"])
    func `what is no reading of a meter is no energy`(text: String) async throws {
        await #expect(throws: (any Error).self) {
            try await run(
                "insights", "repair", "--session", session, "--event", event, "--energy=\(text)", "--reason", "read off"
            )
        }
        #expect(home.now.repairs.isEmpty)
    }

    @Test func `what is said is what happened, and what is left to be done`() async throws {
        home.change {
            $0.remaining = RuleViolation(
                field: "vehicle_load.energy_mwh", rule: "must not rise by more than 1 MW delivers",
                value: "300000000 mWh, after 4800000 mWh")
        }
        try await run("insights", "repair", "--session", session, "--event", event, "--ignore", "--reason", "jumped")
        #expect(home.output.lines == ["The event counts as never sent. The session of car-1 has 10.00 kWh, as before."])
        #expect(
            home.output.notes == [
                "Its next event is wrong too and should be repaired: vehicle_load.energy_mwh must not rise by more than "
                    + "1 MW delivers, but is 300.00 kWh, after 4.80 kWh."
            ])
    }

    @Test func `every repair is listed, in order, with what was and what became`() async throws {
        home.change { state in
            func repair(_ action: EventRepair.Action, _ before: EventRepair.Action, _ reason: String) -> EventRepair {
                EventRepair(
                    venueID: Samples.home.id, sessionID: Samples.id(77), eventID: Samples.id(5), action: action,
                    reason: reason, principal: "anna", made: Samples.now, before: before,
                    sessionBefore: Energy(milliwattHours: 300_000_000), sessionAfter: Energy(milliwattHours: 4_900_000))
            }
            let energy = EventRepair.Action.energy(Energy(milliwattHours: 4_800_000))
            state.repairs = [
                repair(energy, .energy(Energy(milliwattHours: 300_000_000)), "jumped"),
                repair(.ignore, energy, "never mind"),
            ]
        }
        try await run("insights", "repairs")
        #expect(
            home.output.lines == [
                "event \(event)  Sat 21 Nov 2026 08:20",
                "  300.00 kWh → 4.80 kWh, session 300.00 → 4.90 kWh, by anna: jumped (replaced since)",
                "event \(event)  Sat 21 Nov 2026 08:20",
                "  4.80 kWh → never sent, session 300.00 → 4.90 kWh, by anna: never mind",
            ])
        home.change { $0.repairs[0].before = nil }
        try await run("insights", "repairs")
    }

    @Test func `the list fits into a terminal of 80 columns`() async throws {
        home.change { state in
            state.repairs = [
                EventRepair(
                    venueID: Samples.home.id, sessionID: Samples.id(77), eventID: Samples.id(5), action: .ignore,
                    reason: String(repeating: "the meter jumped ", count: 12), principal: "anna of the second floor",
                    made: Samples.now, takenOverBy: "berta of the third floor",
                    before: .energy(Energy(milliwattHours: 300_000_000)),
                    sessionBefore: Energy(milliwattHours: 300_000_000), sessionAfter: Energy(milliwattHours: 4_900_000))
            ]
        }
        let command = try await RootCommand.asyncParseAsRoot(["insights", "repairs"])
        try await #require(command as? any EnergyCommand).perform(
            in: home.context(Style(hasColor: false, hasUnicode: true, width: 80)))
        #expect(home.output.lines.allSatisfy { TerminalText.width($0) <= 80 }, "\(home.output.text)")
    }

    @Test func `a repair is withdrawn by its event, and once`() async throws {
        try await run("insights", "repair", "--session", session, "--event", event, "--ignore", "--reason", "jumped")
        try await run("insights", "repairs", "withdraw", event, "--reason", "the meter was right")
        #expect(home.now.repairs.map(\.action) == [.ignore, .asSent])
        #expect(home.now.repairs.last?.reason == "the meter was right")
        #expect(
            home.output.lines.last?.hasPrefix(
                "The repair is withdrawn: the event counts as it was sent. The session of car-1") == true)
        try await run("insights", "repairs", "withdraw", event, "--reason", "the meter was right")
        #expect(home.now.repairs.count == 2)
        #expect(home.output.notes == ["What was set right of this event is withdrawn already."])
        try await run("insights", "repairs")
        #expect(home.output.text.contains("withdrawn: - → as sent, by"))
        #expect(home.output.text.contains("jumped (withdrawn since)"))
        let failure = await #expect(throws: CommandFailure.self) {
            try await run("insights", "repairs", "withdraw", Samples.id(6).text, "--reason", "no")
        }
        #expect(failure?.exit == .refused)
        await #expect(throws: (any Error).self) {
            try await run("insights", "repairs", "withdraw", "1", "--reason", "no")
        }
    }

    @Test func `of several venues each is looked at, unless one is said`() async throws {
        home.change { $0.venues.insert(Samples.cabin, at: 0) }
        try await run("insights", "repair", "--session", session, "--event", event, "--ignore", "--reason", "jumped")
        #expect(home.now.repairs.map(\.venueID) == [Samples.home.id])
        try await run("insights", "repairs")
        #expect(home.output.lines.suffix(3).first == Samples.home.name)
        try await run("insights", "repairs", "withdraw", event, "--reason", "the meter was right")
        #expect(home.now.repairs.map(\.action) == [.ignore, .asSent])
        let (folder, kept) = (try TemporaryFolder(), home.now.repairs)
        try await run("insights", "repairs", "export", "--output", folder.path("repairs.json"))
        home.change { $0.repairs = [] }
        try await run("insights", "repairs", "import", folder.path("repairs.json"))
        #expect(home.now.repairs.map(\.venueID) == kept.map(\.venueID))
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(
                "insights", "repair", "--session", Samples.id(78).text, "--event", event, "--ignore", "--reason", "no")
        }
        #expect(failure?.exit == .refused)
    }

    @Test func `a negative energy is told as what it is`() async throws {
        let error = await #expect(throws: (any Error).self) {
            try await run(
                "insights", "repair", "--session", session, "--event", event, "--energy", "-5", "--reason", "read off")
        }
        let message = RootCommand.message(for: try #require(error))
        #expect(message.contains("must be 0 to 1,000,000 kWh, such as 12.5, but is '-5'"), "\(message)")
    }

    @Test func `repairs go to a file and come back from it, each once`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("repairs.json")
        home.change { state in
            state.repairs = [1, 2, 3].map { number in
                EventRepair(
                    venueID: Samples.home.id, sessionID: Samples.id(77), eventID: Samples.id(number),
                    action: [.ignore, .energy(Energy(milliwattHours: 7)), .asSent][Int(number) - 1], reason: "why",
                    principal: "anna",
                    made: Samples.now.advanced(byMilliseconds: 1))
            }
        }
        let kept = home.now.repairs
        try await run("insights", "repairs", "export", "--output", path)
        home.change { $0.repairs = [] }
        try await run("insights", "repairs", "import", path)
        #expect(home.output.lines.last == "3 repairs made, 0 known before.")
        #expect(home.now.repairs.map(\.action) == kept.map(\.action))
        #expect(home.now.repairs.allSatisfy { $0.principal == "anna" && $0.made == kept[0].made })
        #expect(home.now.repairs.allSatisfy { $0.takenOverBy == "local" })
        try await run("insights", "repairs", "import", path)
        #expect(home.output.lines.last == "0 repairs made, 3 known before.")
        // What cannot be made is told, and the rest goes on.
        home.change { state in
            state.repairs = []
            state.sessionInsights = []
        }
        let failure = await #expect(throws: CommandFailure.self) {
            try await run("insights", "repairs", "import", path)
        }
        #expect(failure?.exit == .refused)
        #expect(home.output.lines.last == "0 repairs made, 0 known before. Not made: 3.")
        try Data("{}".utf8).write(to: URL(filePath: path))
        await #expect(throws: CommandFailure.self) { try await run("insights", "repairs", "import", path) }
    }
}
