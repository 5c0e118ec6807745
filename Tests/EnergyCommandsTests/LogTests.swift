import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct LogTests {
    private let home = FakeHome()

    private func run<Command: EnergyCommand>(_: Command.Type, _ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["log"] + arguments)
        try await #require(command as? Command).perform(in: home.context())
    }

    private let samples = LogTests.makeSamples()

    private static func record(_ sequence: UInt64, _ events: [Event]) -> LogRecord {
        LogRecord(
            partition: LogPartition.of(venueID: EventSamples.venueID), sequence: sequence,
            venueID: EventSamples.venueID, received: EventSamples.now, principal: "local", events: events)
    }

    /// Once: event ids are made anew each time.
    private static func makeSamples() -> [LogRecord] {
        let target = ChargingTarget(
            stateOfCharge: 80, estimatedCompletion: EventSamples.now, scheduledStart: EventSamples.now,
            estimatedRangeMillimetres: 7)
        return [
            record(1, EventSamples.charge()),
            record(
                2,
                [
                    EventSamples.hvac(.begin), EventSamples.hvac(.active, stage: 40),
                    EventSamples.vehicle(session: UUID(), .begin, direction: .exported, range: 5, temperature: 290_000),
                    EventSamples.status(.unplugged), EventSamples.status(.pluggedIn, range: 4),
                    EventSamples.status(.active(.loadBalancingCompleted), target: target, session: UUID()),
                    EventSamples.status(.idle(.waitingForCleanerEnergy)),
                ]),
        ]
    }

    @Test func `a sound log is verified`() async throws {
        home.change { $0.log = samples }
        try await run(LogVerify.self, "verify")
        #expect(home.output.lines == ["2 records, 11 events, 3 sessions: no fault."])
    }

    @Test func `a gap, a repeat and a broken session are found`() async throws {
        let charge = EventSamples.charge()
        home.change {
            $0.log = [
                Self.record(1, [charge[0]]), Self.record(3, [charge[0]]),
                Self.record(4, [EventSamples.hvac(.active)]),
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
                Self.record(1, [event]),
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
