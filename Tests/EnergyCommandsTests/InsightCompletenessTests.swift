import ArgumentParser
import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// What answers about the past say of what is not in them, or in them twice.
struct InsightCompletenessTests {
    private let home = FakeHome()
    private let partition = LogPartition.of(venueID: Samples.home.id)

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context(.plain))
    }

    private func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any])
    }

    /// Records with one event each; the first came at 10:15:01 on the venue's clock, the others each a second later.
    private func log(_ count: Int, counted: UInt64, of venueID: UUID = Samples.home.id) {
        home.change { state in
            state.applied = [LogHead(partition: partition, sequence: counted)]
            state.log = (1...count).map { number in
                LogRecord(
                    partition: partition, sequence: UInt64(number), venueID: venueID,
                    received: Samples.time("2026-11-20T09:15:00Z").advanced(byMilliseconds: Int64(number) * 1_000),
                    principal: "local", events: [Samples.status(.pluggedIn)])
            }
        }
    }

    @Test(arguments: [["insights", "--last", "7d"], ["sessions"], ["insights", "trend", "--granularity", "daily"]])
    func `a table that is behind the log says up to when it is true, and how much came since`(
        arguments: [String]
    ) async throws {
        log(5, counted: 3)
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context(.plain))
        #expect(
            home.output.lines.last
                == "Up to Fri 20 Nov 2026 10:15:03; 2 events that came since are not in it yet.")
    }

    @Test(arguments: ["insights", "sessions"])
    func `a file that is behind the log is told to be, beside it`(command: String) async throws {
        let folder = try TemporaryFolder()
        log(5, counted: 3)
        try await run(command, "export", "--last", "7d", "--output", folder.path("1.csv"))
        #expect(
            home.output.notes.first == "Up to Fri 20 Nov 2026 10:15:03; 2 events that came since are not in it yet.")
        let told = home.output.notes.count
        log(5, counted: 5)
        try await run(command, "export", "--last", "7d", "--output", folder.path("2.csv"))
        #expect(!home.output.notes.dropFirst(told).contains { $0.contains("in it") })
    }

    @Test(arguments: [["insights", "--json"], ["sessions", "--json"], ["insights", "trend", "--json"]])
    func `JSON that is behind the log says so`(arguments: [String]) async throws {
        log(5, counted: 4)
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context(.plain))
        let behind = try #require(try json()["behind"] as? [String: Any])
        #expect(behind["counted_through"] as? String == "2026-11-20T10:15:04+01:00")
        #expect(behind["events"] as? Int == 1 && behind["known"] as? Bool == true)
    }

    @Test func `an answer that has all of the log, or lacks only what is of other venues, says nothing`() async throws {
        log(5, counted: 5)
        try await run("insights", "--last", "7d")
        log(5, counted: 2, of: Samples.cabin.id)
        try await run("insights", "--last", "7d")
        #expect(!home.output.text.contains("in it"))
    }

    @Test(arguments: [["insights", "--last", "7d"], ["sessions"], ["insights", "trend", "--granularity", "daily"]])
    func `who may not look into the log is told that more may have come`(arguments: [String]) async throws {
        home.change { $0.mayReadLog = false }
        log(5, counted: 2)
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context(.plain))
        #expect(home.output.lines.last?.hasPrefix("Whether all events are in it is not known") == true)
        let written = home.output.lines.count
        let json = try await RootCommand.asyncParseAsRoot(arguments + ["--json"])
        try await #require(json as? any EnergyCommand).perform(in: home.context(.plain))
        let text = home.output.lines[written...].joined(separator: "\n")
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let behind = try #require(document?["behind"] as? [String: Any])
        #expect(behind["known"] as? Bool == false && behind["events"] == nil)
    }

    @Test func `of two currencies each is explained`() async throws {
        func record(_ day: Int, _ costs: [Money]) -> InsightRecord {
            var record = Samples.day(day, energy: 10_000_000)
            record.worth = InsightWorth(costs: costs, pricedEnergy: record.total.energy)
            return record
        }
        let (euros, dollars) = (Money(micros: 2_500_000, currency: "EUR"), Money(micros: 3_000_000, currency: "USD"))
        home.change { $0.records = [record(18, [euros]), record(19, [euros]), record(20, [dollars])] }
        try await run("insights", "--last", "7d", "--explain")
        #expect(home.output.lines.contains("Cost: 20.00 kWh at 0.250 EUR/kWh on average is 5.00 EUR."))
        #expect(home.output.lines.contains("Cost: 10.00 kWh at 0.300 USD/kWh on average is 3.00 USD."))
        // Of a day with both nobody knows which energy had which.
        home.change { $0.records = [record(18, [euros]), record(20, [euros, dollars])] }
        try await run("insights", "--last", "7d", "--explain")
        #expect(home.output.lines.suffix(20).contains("Cost: 5.00 EUR."))
        #expect(home.output.lines.suffix(20).contains("Cost: 3.00 USD."))
    }

    @Test func `hours of two years are told apart`() async throws {
        func hour(_ time: String) -> InsightRecord {
            InsightRecord(
                interval: Interval(start: Samples.time(time), milliseconds: .millisecondsPerHour),
                total: InsightAmount(energy: Energy(milliwattHours: 5_000_000), runtimeMilliseconds: 1))
        }
        home.change { $0.records = [hour("2025-11-20T09:00:00Z"), hour("2026-11-20T09:00:00Z")] }
        try await run("insights", "--granularity", "hourly", "--from", "2025-11-01", "--to", "2026-11-21")
        #expect(home.output.lines.contains { $0.contains("Thu 20 Nov 2025") })
        #expect(home.output.lines.contains { $0.contains("Fri 20 Nov 2026") })
    }

    private func session(
        _ began: String, _ last: String, device: String = "car-1", _ direction: FlowDirection = .imported,
        baseline: Interval? = nil
    ) throws -> SessionInsight {
        let power = try Power(milliwatts: 7_000_000)
        return SessionInsight(
            key: SessionKey(venueID: Samples.home.id, sessionID: UUID()), deviceID: device,
            deviceKind: .electricVehicle, direction: direction, began: Samples.time(began), last: Samples.time(last),
            isOver: true, wasFollowingGuidance: true,
            amount: InsightAmount(energy: Energy(milliwattHours: 5_000_000), runtimeMilliseconds: 1), worth: .none,
            baseline: baseline.map { SessionBaseline(interval: $0, power: power, worth: .none) })
    }

    @Test func `sessions of one device that overlap are told, those that touch are not`() async throws {
        let apart = [
            try session("2026-11-19T20:00:00Z", "2026-11-19T22:00:00Z"),
            try session("2026-11-19T22:00:00Z", "2026-11-19T23:00:00Z"),
            try session("2026-11-19T20:30:00Z", "2026-11-19T21:00:00Z", device: "car-2"),
            try session("2026-11-19T20:30:00Z", "2026-11-19T21:00:00Z", .exported),
        ]
        #expect(OverlappingSessions(apart).sentence == nil)
        let inside = try session("2026-11-19T21:00:00Z", "2026-11-19T21:10:00Z")
        let later = try session("2026-11-19T21:30:00Z", "2026-11-19T21:50:00Z")
        #expect(OverlappingSessions([later] + apart + [inside]).ids == [apart[0].id, inside.id, later.id])
        home.change { $0.sessionInsights = apart + [inside] }
        try await run("sessions")
        #expect(home.output.lines.last?.hasPrefix("2 sessions of car-1 overlap: each counts") == true)
    }

    @Test func `a session of which no price is known says so, and one over a change of the clocks both offsets`()
        async throws
    {
        let change = Interval(start: Samples.time("2026-10-24T23:40:00Z"), milliseconds: 110 * 60_000)
        home.change {
            $0.sessionInsights = []
            $0.records = [Samples.day(20, energy: 5_000_000)]
        }
        let session = try session("2026-10-24T23:40:00Z", "2026-10-25T04:00:00Z", baseline: change)
        let text = InsightExplanation(
            records: [Samples.day(20, energy: 5_000_000)], sessions: [session], direction: .imported,
            venue: Samples.home, style: .plain
        ).lines().joined(separator: "\n")
        #expect(text.contains("from 01:40 (+02:00) to 02:30 (+01:00); no price was known"), "\(text)")
    }
}
