import ArgumentParser
import AuditFiles
import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyCommands

/// `energyctl store restore`, as far as it is the command's: what it asks for, in which order, and what it says.
struct StoreRestoreTests {
    private let home = FakeHome()
    private let place: TemporaryFolder
    private var state: String { place.url.path }

    init() throws { place = try TemporaryFolder() }

    private func restore(_ files: [String], _ restorer: ScriptedRestorer, _ arguments: [String] = []) async throws {
        var context = home.context()
        context.tools.storeRestorer = restorer
        let command = try await RootCommand.asyncParseAsRoot(
            ["store", "restore"] + files + ["--state", state] + arguments)
        try await #require(command as? StoreRestore).perform(in: context)
    }

    private func failure(_ files: [String], _ restorer: ScriptedRestorer) async -> CommandFailure? {
        await #expect(throws: CommandFailure.self) { try await restore(files, restorer) }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: state) }

    @Test func `what was restored is told, and each service's audit log says who did it`() async throws {
        let restorer = ScriptedRestorer(services: ["b": .scheduler])
        try await restore(["a", "b"], restorer)
        #expect(
            home.output.lines == [
                "event-ingestor: \(state)/events.sqlite now is the backup: 3 records. What was there is kept as "
                    + "\(state)/events.sqlite.replaced-1.",
                "scheduler: \(state)/scheduler.sqlite now is the backup.",
                "Start event-ingestor, scheduler, then look: energyctl health. Remove what was kept when all is well.",
            ])
        // All are ready before the first is put in place.
        #expect(
            restorer.acts.value == [
                "prepare event-ingestor", "prepare scheduler", "put event-ingestor", "put scheduler",
                "end event-ingestor", "end scheduler",
            ])
        var lines: [AuditLine] = []
        var verifier = AuditVerifier(state: state)
        try verifier.run { lines.append($0) }
        #expect(verifier.faults == [])
        #expect(lines.map(\.event) == [.actionBegins, .actionEnds, .actionBegins, .actionEnds])
        #expect(lines.allSatisfy { $0.method == "energyctl store restore" })
        #expect(lines.compactMap { $0.details?["backup"] } == ["a", "b"])
    }

    @Test func `all that stands in the way is told at once, and nothing is restored`() async throws {
        let restorer = ScriptedRestorer(
            services: ["b": .scheduler, "c": .insightService],
            hindrances: [
                .scheduler: EnergyError(.conflict, "scheduler uses /state; stop it first"),
                .insightService: EnergyError(.notFound, "/state is no state directory of insight-service"),
            ])
        #expect(
            await failure(["a", "b", "c"], restorer)
                == CommandFailure(
                    .refused,
                    "scheduler uses /state; stop it first. /state is no state directory of insight-service. "
                        + "Nothing was restored."))
        #expect(restorer.acts.value == [])
        #expect(home.output.lines == [])
        #expect(try names() == [])
    }

    @Test func `a damaged backup keeps all from being restored, also what is ready`() async throws {
        let restorer = ScriptedRestorer(
            services: ["b": .scheduler, "c": .insightService],
            damages: [.scheduler: EnergyError(.dataLoss, "b is damaged")])
        #expect(
            await failure(["a", "b", "c"], restorer)
                == CommandFailure(.refused, "b is damaged. Nothing was restored."))
        #expect(restorer.acts.value == ["prepare event-ingestor", "end event-ingestor"])
        #expect(home.output.lines == [])
        #expect(try names() == [])
    }

    @Test func `an audit log that cannot be written keeps all from being restored`() async throws {
        // Something else stands where the folder should be.
        try Data().write(to: URL(filePath: place.path("audit")))
        let restorer = ScriptedRestorer(services: ["b": .scheduler])
        let failure = await failure(["a", "b"], restorer)
        #expect(failure?.exit == .unavailable)
        #expect(failure?.message.contains("what cannot be written down there is not done") == true)
        #expect(restorer.acts.value == ["prepare event-ingestor", "end event-ingestor"])
    }

    @Test func `what fails is told after what was restored, with what was not, and nothing follows it`() async throws {
        let restorer = ScriptedRestorer(
            services: ["b": .scheduler, "c": .insightService],
            refusals: [.scheduler: EnergyError(.unavailable, "/state/schedules.sqlite cannot be replaced")])
        let failure = await #expect(throws: CommandFailure.self) {
            try await restore(["a", "b", "c"], restorer, ["--json"])
        }
        #expect(
            failure
                == CommandFailure(
                    .unavailable,
                    "/state/schedules.sqlite cannot be replaced. Not restored: scheduler, insight-service."))
        let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8))
        let restored = try #require((object as? [String: [[String: Any]]])?["restored"])
        #expect(restored.map { $0["service"] as? String } == ["event-ingestor"])
        #expect(restored.first?["records"] as? Int == 3)
        #expect(restorer.acts.value.filter { $0.hasPrefix("put") } == ["put event-ingestor"])
        #expect(restorer.acts.value.count { $0.hasPrefix("end") } == 3)
    }

    @Test func `where nothing was kept nothing is to be removed`() async throws {
        let restorer = ScriptedRestorer(
            services: ["a": .scheduler, "b": .insightService],
            refusals: [.insightService: EnergyError(.unavailable, "the disk is full")])
        let failure = await failure(["a", "b"], restorer)
        #expect(failure?.message == "the disk is full. Not restored: insight-service.")
        #expect(
            home.output.lines == [
                "scheduler: \(state)/scheduler.sqlite now is the backup.",
                "Start scheduler, then look: energyctl health.",
            ])
    }

    @Test func `two backups of one service, and a file that is not there, keep all from being restored`() async throws {
        #expect(
            await failure(["a", "b"], ScriptedRestorer())
                == .usage("a and b are both backups of event-ingestor: say one of them."))
        #expect(await failure(["a", "nowhere"], ScriptedRestorer()) == .usage("there is no file nowhere"))
        #expect(home.output.lines == [])
        #expect(try names() == [])
    }
}
