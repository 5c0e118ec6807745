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
        #expect(home.output.lines == ["The session of car-1 has 10.00 kWh, as before."])
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
        #expect(home.output.lines.count == 3)
        #expect(home.output.lines[1].contains("300.00 kWh  4.80 kWh    300.00 → 4.90  jumped"))
        #expect(home.output.lines[2].contains("4.80 kWh    never sent"))
    }

    @Test func `repairs go to a file and come back from it, each once`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("repairs.json")
        home.change { state in
            state.repairs = [1, 2].map { number in
                EventRepair(
                    venueID: Samples.home.id, sessionID: Samples.id(77), eventID: Samples.id(number),
                    action: number == 1 ? .ignore : .energy(Energy(milliwattHours: 7)), reason: "why",
                    principal: "anna",
                    made: Samples.now.advanced(byMilliseconds: 1))
            }
        }
        let kept = home.now.repairs
        try await run("insights", "repairs", "export", "--output", path)
        home.change { $0.repairs = [] }
        try await run("insights", "repairs", "import", path)
        #expect(home.output.lines.last == "2 repairs made, 0 known before.")
        #expect(home.now.repairs.map(\.action) == kept.map(\.action))
        #expect(home.now.repairs.allSatisfy { $0.principal == "anna" && $0.made == kept[0].made })
        #expect(home.now.repairs.allSatisfy { $0.takenOverBy == "local" })
        try await run("insights", "repairs", "import", path)
        #expect(home.output.lines.last == "0 repairs made, 2 known before.")
        // What cannot be made is told, and the rest goes on.
        home.change { state in
            state.repairs = []
            state.sessionInsights = []
        }
        let failure = await #expect(throws: CommandFailure.self) {
            try await run("insights", "repairs", "import", path)
        }
        #expect(failure?.exit == .refused)
        #expect(home.output.lines.last == "0 repairs made, 0 known before. Not made: 2.")
        try Data("{}".utf8).write(to: URL(filePath: path))
        await #expect(throws: CommandFailure.self) { try await run("insights", "repairs", "import", path) }
    }
}
