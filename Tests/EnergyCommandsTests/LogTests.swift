import ArgumentParser
import AuditFiles
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct LogTests {
    private let home = FakeHome()

    private func run<Command: EnergyCommand>(_: Command.Type, _ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["log"] + arguments)
        try await #require(command as? Command).perform(in: home.context())
    }

    private let samples = LogSamples.make()

    @Test(arguments: [EnergyError?.none, EnergyError(.dataLoss, "b.sqlite is damaged")])
    func `a backup is restored, it is said what became of the log before, and the audit log says who did it`(
        refusal: EnergyError?
    ) async throws {
        let place = try TemporaryFolder()
        let state = place.url.path
        let command = try await RootCommand.asyncParseAsRoot(["log", "restore", "b.sqlite", "--state", state])
        var context = home.context()
        context.tools.storeRestorer = ScriptedRestorer(
            refusals: refusal.map { [StoredService.eventIngestor: $0] } ?? [:])
        let restore = try #require(command as? LogRestore)
        if let refusal {
            let failure = await #expect(throws: CommandFailure.self) { try await restore.perform(in: context) }
            #expect(failure == CommandFailure(.refused, refusal.message))
        } else {
            try await restore.perform(in: context)
            let text = home.output.lines.joined(separator: "\n")
            #expect(text.contains("3 records") && text.contains("\(state)/events.sqlite.replaced-1"))
        }
        var lines: [AuditLine] = []
        var verifier = AuditVerifier(state: state)
        try verifier.run { lines.append($0) }
        #expect(verifier.faults == [])
        #expect(lines.map(\.event) == [.actionBegins, .actionEnds])
        #expect(lines.allSatisfy { $0.principal.hasPrefix("user:") && $0.method == "energyctl log restore" })
        #expect(lines[0].details?["backup"] == "b.sqlite")
        #expect(lines[1].status == (refusal == nil ? "OK" : "DATA_LOSS"))
        #expect(lines[1].details?["records"] == (refusal == nil ? "3" : nil))
    }

    @Test func `what cannot be written down in the audit log is not restored`() async throws {
        let place = try TemporaryFolder()
        // Something else stands where the folder should be.
        try Data().write(to: URL(filePath: place.path("audit")))
        var context = home.context()
        context.tools.storeRestorer = ScriptedRestorer()
        let command = try await RootCommand.asyncParseAsRoot(["log", "restore", "b", "--state", place.url.path])
        let failure = await #expect(throws: CommandFailure.self) {
            try await (try #require(command as? LogRestore)).perform(in: context)
        }
        #expect(failure?.message.contains("what cannot be written down there is not done") == true)
        #expect(home.output.lines == [])
    }

    @Test func `who may not read the log is told so, and nothing of a log without fault`() async throws {
        home.change { $0.mayReadLog = false }
        let failure = await #expect(throws: CommandFailure.self) { try await run(LogVerify.self, "verify") }
        #expect(failure?.exit == .denied)
        #expect(home.output.lines == [])
    }

    @Test func `readers are listed with what they are behind, and removed by name`() async throws {
        home.change { state in
            state.log = (1...9).map { LogSamples.record($0, [EventSamples.status()]) }
            state.removed = 2
            state.readers = [
                LogReaderState(
                    name: "gone", handled: [],
                    lastSeen: Samples.now.advanced(byMilliseconds: -40 * .millisecondsPerDay),
                    isGivenUp: true),
                LogReaderState(
                    name: "insight-service", handled: [LogHead(partition: 1, sequence: 8)], lastSeen: Samples.now,
                    isGivenUp: false),
            ]
        }
        func list() async throws {
            let command = try await RootCommand.asyncParseAsRoot(["log", "readers"])
            try await #require(command as? LogReadersList).perform(in: home.context())
        }
        try await list()
        let text = home.output.text
        #expect(text.contains("gone") && text.contains("7 records") && text.contains("not waited for"))
        #expect(text.contains("insight-service") && text.contains("1 record"))
        let remove = try await RootCommand.asyncParseAsRoot(["log", "readers", "remove", "gone"])
        try await #require(remove as? LogReadersRemove).perform(in: home.context())
        #expect(home.now.readers.map(\.name) == ["insight-service"])
        let failure = await #expect(throws: CommandFailure.self) {
            try await #require(remove as? LogReadersRemove).perform(in: home.context())
        }
        #expect(failure?.exit == .refused)
    }

    @Test func `a sound log is verified`() async throws {
        home.change { $0.log = samples }
        try await run(LogVerify.self, "verify")
        #expect(home.output.lines == ["2 records, 11 events, 3 sessions: no fault."])
    }

    @Test(arguments: [[2], [1, 2], [5, 6], [1, 3, 6], [1, 2, 3, 4, 5, 6]] as [Set<UInt64>])
    func `damaged records are passed over, all of them named, and the rest is checked`(damaged: Set<UInt64>)
        async throws
    {
        home.change { state in
            state.log = (1...6).map { LogSamples.record($0, [EventSamples.status()]) }
            state.damaged = damaged
        }
        let failure = await #expect(throws: CommandFailure.self) { try await run(LogVerify.self, "verify") }
        #expect(failure == CommandFailure(.failure, ""))
        #expect(
            home.output.lines == damaged.sorted().map { "record \($0) of partition 1: it is damaged on disk" } + [
                "\(6 - damaged.count) records, \(6 - damaged.count) events, 0 sessions: \(damaged.count) fault\(damaged.count == 1 ? "" : "s")."
            ])
    }

    @Test func `the report of a damaged log is JSON too, also when the service goes away meanwhile`() async throws {
        home.change { state in
            state.log = (1...3).map { LogSamples.record($0, [EventSamples.status()]) }
            state.damaged = [2]
        }
        await #expect(throws: CommandFailure.self) { try await run(LogVerify.self, "verify", "--json") }
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any])
        #expect(report["fault_count"] as? Int == 1)
        #expect((report["damaged_records"] as? [[String: Int]])?.map { $0["sequence"] } == [2])
        let other = FakeHome()
        other[.events].isDown = true
        let command = try await RootCommand.asyncParseAsRoot(["log", "verify", "--json"])
        await #expect(throws: CommandFailure.self) {
            try await #require(command as? LogVerify).perform(in: other.context())
        }
        let empty = try #require(
            try JSONSerialization.jsonObject(with: Data(other.output.text.utf8)) as? [String: Any])
        #expect(empty["error"] is String)
    }

    @Test func `export goes on past damaged records, says which are left out, and fails`() async throws {
        home.change { state in
            state.log = (1...4).map { LogSamples.record($0, [EventSamples.status()]) }
            state.damaged = [2, 3]
        }
        let failure = await #expect(throws: CommandFailure.self) { try await run(LogExport.self, "export") }
        #expect(failure == CommandFailure(.failure, ""))
        #expect(home.output.written.count { $0 == UInt8(ascii: "\n") } == 2)
        #expect(
            home.output.notes == [
                "Left out: record 2 of partition 1: it is damaged on disk",
                "Left out: record 3 of partition 1: it is damaged on disk", "2 records, 2 left out",
            ])
    }

    @Test func `records that retention removed are no fault, and said`() async throws {
        home.change { state in
            state.log = (1...4).map { LogSamples.record($0, [EventSamples.status()]) }
            state.removed = 3
        }
        try await run(LogVerify.self, "verify")
        #expect(
            home.output.lines == [
                "1 records, 1 events, 0 sessions, 3 older records were removed by retention: no fault."
            ])
    }

    @Test func `a gap, a repeat and a broken session are found`() async throws {
        let charge = EventSamples.charge()
        home.change {
            $0.log = [
                LogSamples.record(1, [charge[0]]), LogSamples.record(3, [charge[0]]),
                LogSamples.record(4, [EventSamples.hvac(.active)]),
            ]
        }
        let failure = await #expect(throws: CommandFailure.self) { try await run(LogVerify.self, "verify") }
        #expect(failure?.exit == .failure)
        let text = home.output.text
        #expect(text.contains("record 3 of partition 1: 2 should come next"))
        #expect(text.contains("event \(charge[0].id.uuidString.lowercased()) is in the log already"))
        #expect(text.contains("must be begin in a session's first event"))
    }

    @Test func `two venues may use the same ids`() async throws {
        let other = EventSamples.id(17)
        try #require(LogPartition.of(venueID: other) == LogPartition.of(venueID: EventSamples.venueID))
        let event = EventSamples.vehicle(.begin)
        let same = EventSamples.vehicle(id: event.id, venueID: other, .begin)
        home.change {
            $0.log = [
                LogSamples.record(1, [event]),
                LogRecord(
                    partition: 1, sequence: 2, venueID: other, received: EventSamples.now, principal: "local",
                    events: [same]),
            ]
        }
        try await run(LogVerify.self, "verify")
        #expect(home.output.lines == ["2 records, 2 events, 2 sessions: no fault."])
    }

    @Test func `sessions say how they were closed`() async throws {
        func session(_ number: UInt64, isEnded: Bool = false, isAbandoned: Bool = false) -> SessionProgress {
            SessionProgress(
                id: EventSamples.id(number), venueID: home.now.venues[0].id, deviceID: "car-1",
                kind: .electricVehicle, direction: .imported, began: EventSamples.now, last: EventSamples.now,
                energyMilliwattHours: 2_500_000, isEnded: isEnded, isAbandoned: isAbandoned)
        }
        let sessions = [session(1), session(2, isEnded: true), session(3, isAbandoned: true)]
        home.change { $0.sessions = sessions }
        let place = ["--venue", home.now.venues[0].id.uuidString]
        try await run(LogSessions.self, "sessions", place[0], place[1])
        let lines = home.output.lines.filter { $0.contains("2.5") }
        #expect(lines.map { $0.contains("open") } == [true, false, false])
        #expect(lines.map { $0.contains("ended") } == [false, true, false])
        #expect(lines.map { $0.contains("abandoned") } == [false, false, true])
        try await run(LogSessions.self, "sessions", "--open", "--json", place[0], place[1])
        #expect(
            home.output.text.contains("\"is_abandoned\":true") || home.output.text.contains("\"is_abandoned\" : true"))
    }

    @Test func `a backup says where it is`() async throws {
        try await run(LogBackUp.self, "backup")
        #expect(home.output.lines == ["/backups/events.sqlite, 4096 bytes"])
    }
}
