import ArgumentParser
import EnergyModel
import EnergyStore
import Foundation
import Testing

@testable import EnergyCommands

/// `energyctl store migrate`, as far as it is the command's: what it asks for, and what it says.
struct StoreTests {
    private let home = FakeHome()

    /// - Parameters:
    ///   - results: by service; one that is absent has stored nothing.
    ///   - stored: which have, where somebody can tell without moving them.
    private func run(
        _ arguments: [String], _ results: [StoredService: Result<MigrationReport, EnergyError>],
        stored: [StoredService]? = nil, style: Style = .plain
    ) async throws {
        var context = home.context(style)
        if let stored { context.tools.backupMaker = ScriptedStores(stored: stored) }
        context.tools.storeMigrator = ScriptedMigrator(results: results)
        let command = try await RootCommand.asyncParseAsRoot(
            ["store", "migrate", "--state", "/state", "--connection", "postgresql://db/gridtide"] + arguments)
        try await #require(command as? StoreMigrate).perform(in: context)
    }

    private func report(_ service: StoredService, _ state: MigrationReport.State) -> MigrationReport {
        MigrationReport(
            service: service, state: state,
            tables: [
                .init(name: "device", rows: 1_200, written: 1_100, removed: 7),
                .init(name: "goal", rows: 34, written: 34, removed: 0),
            ])
    }

    @Test func `what was moved is told by service, and what is to be done next`() async throws {
        try await run(
            [],
            [
                .guidancePublisher: .success(report(.guidancePublisher, .finished)),
                .eventIngestor: .success(report(.eventIngestor, .copied)),
                .scheduler: .success(.init(service: .scheduler, state: .finishedBefore(Samples.now))),
            ])
        #expect(
            home.output.lines == [
                "service             rows  written  removed  state",
                "guidance-publisher  1234     1134        7  finished",
                "event-ingestor      1234     1134        7  copied",
                "scheduler                                   finished before",
                "event-ingestor still runs: stop it and run this again, for what came meanwhile and to compare every row.",
                "guidance-publisher: every row was compared. Set store.postgresql for it before the next start. The files keep "
                    + "what they held, and no service starts on them: remove them when all is well.",
                "scheduler was moved at \(Samples.now.iso8601(in: .gmt)) already, and its file still holds what it held then: nothing was written.",
            ])
        // Somebody who looks sees how far it is.
        let shown = home.output.progress.compactMap(\.self)
        #expect(shown.first == "guidance-publisher  \(Style.plain.bar(0.25, cells: 24)) 25 %  device", "\(shown)")
        #expect(home.output.progress.last == .some(nil))
    }

    @Test func `programs are told every table`() async throws {
        try await run(["--json", "--service", "scheduler"], [.scheduler: .success(report(.scheduler, .finished))])
        let text = home.output.lines.joined(separator: "\n")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]])
        let service = try #require(document["services"]?.first)
        #expect(service["service"] as? String == "scheduler" && service["state"] as? String == "finished")
        #expect((service["tables"] as? [[String: Any]])?.map { $0["rows"] as? Int } == [1_200, 34])
    }

    @Test func `what fails is told after what was moved, with what was not, and nothing follows it`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(
                [],
                [
                    .guidancePublisher: .success(report(.guidancePublisher, .finished)),
                    .eventIngestor: .failure(EnergyError(.conflict, "the schema event_ingestor is in use")),
                    .scheduler: .success(report(.scheduler, .finished)),
                ])
        }
        #expect(
            failure
                == CommandFailure(
                    .refused,
                    "event-ingestor: the schema event_ingestor is in use. Not finished: event-ingestor. Not begun: "
                        + "insight-service, scheduler."))
        #expect(home.output.lines.contains { $0.hasPrefix("guidance-publisher") })
        #expect(!home.output.lines.contains { $0.hasPrefix("scheduler") })
    }

    @Test func `of those that were not begun only services that have stored something are named`() async throws {
        let results = [
            StoredService.eventIngestor: Result<MigrationReport, EnergyError>.failure(
                EnergyError(.conflict, "the schema event_ingestor is in use"))
        ]
        let said = "event-ingestor: the schema event_ingestor is in use."
        let alone = await #expect(throws: CommandFailure.self) {
            try await run([], results, stored: [.eventIngestor])
        }
        #expect(alone == CommandFailure(.refused, said))
        let two = await #expect(throws: CommandFailure.self) {
            try await run([], results, stored: [.eventIngestor, .scheduler])
        }
        #expect(two == CommandFailure(.refused, "\(said) Not finished: event-ingestor. Not begun: scheduler."))
        let named = await #expect(throws: CommandFailure.self) {
            try await run(
                ["--service", "event-ingestor", "--service", "scheduler"], results, stored: [.eventIngestor])
        }
        #expect(named == two)
    }

    @Test func `a folder without anything, a service without a file and an unknown one are told`() async throws {
        let none = await #expect(throws: CommandFailure.self) { try await run([], [:]) }
        #expect(none == .usage("No service has stored anything in /state. Name another with --state."))
        let one = await #expect(throws: CommandFailure.self) { try await run(["--service", "scheduler"], [:]) }
        #expect(one == .usage("scheduler: there is no file."))
        await #expect(throws: (any Error).self) { try await run(["--service", "sched"], [:]) }
        await #expect(throws: (any Error).self) { try await run(["--to", "sqlite"], [:]) }
    }

    @Test func `without a database it says how to name one`() async throws {
        var context = home.context()
        context.tools.storeMigrator = ScriptedMigrator(results: [:])
        let command = try await RootCommand.asyncParseAsRoot(
            ["store", "migrate", "--state", "/state", "--connection", ""])
        let failure = await #expect(throws: CommandFailure.self) {
            try await #require(command as? StoreMigrate).perform(in: context)
        }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains("--connection postgresql://USER@HOST/DATABASE") == true)
    }
}

private struct ScriptedStores: StoreBackupMaker {
    let stored: [StoredService]

    func services(in state: String) throws(EnergyError) -> [StoredService] { stored }

    func checkTarget(_ folder: String) throws(EnergyError) {}

    func backUp(
        _ service: StoredService, in state: String, to folder: String, now: Timestamp,
        tell: @escaping @Sendable (_ part: Double) -> Void
    ) async throws(EnergyError) -> StoreBackup { throw EnergyError(.notFound, "there is no file") }
}

private struct ScriptedMigrator: StoreMigrator {
    let results: [StoredService: Result<MigrationReport, EnergyError>]

    func migrate(
        _ service: StoredService, state: String, connection: String, now: Timestamp,
        tell: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws(EnergyError) -> MigrationReport {
        #expect(state == "/state" && connection == "postgresql://db/gridtide")
        guard let result = results[service] else { throw EnergyError(.notFound, "there is no file") }
        tell(MigrationProgress(service: service, table: "device", done: 1, total: 4))
        return try result.get()
    }
}
