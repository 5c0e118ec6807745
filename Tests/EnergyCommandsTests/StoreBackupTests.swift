import ArgumentParser
import EnergyModel
import EnergyStore
import Foundation
import Testing

@testable import EnergyCommands

/// `energyctl store backup`, as far as it is the command's: what it asks for, and what it says.
struct StoreBackupTests {
    private let home = FakeHome()
    private typealias Results = [StoredService: Result<StoreBackup, EnergyError>]

    private func backUp(
        _ arguments: [String], _ results: Results, in state: String = "/state", style: Style = .plain
    ) async throws {
        var context = home.context(style)
        context.tools.backupMaker = ScriptedMaker(results: results)
        let command = try await RootCommand.asyncParseAsRoot(
            ["store", "backup", "--state", state, "--to", "/copies"] + arguments)
        try await #require(command as? StoreBackUp).perform(in: context)
    }

    private func made(_ service: StoredService, _ bytes: Int) -> Result<StoreBackup, EnergyError> {
        .success(StoreBackup(service: service, file: "/copies/\(service.rawValue)-1.sqlite", bytes: bytes))
    }

    private func object() throws -> [String: [[String: Any]]] {
        let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8))
        return try #require(object as? [String: [[String: Any]]])
    }

    @Test func `each copy is told with its size`() async throws {
        try await backUp(
            [], [.guidancePublisher: made(.guidancePublisher, 4_096), .scheduler: made(.scheduler, 12_345_678)])
        #expect(
            home.output.lines == [
                "service                size  file",
                "guidance-publisher   4.1 kB  /copies/guidance-publisher-1.sqlite",
                "scheduler           12.3 MB  /copies/scheduler-1.sqlite",
            ])
        // Somebody who looks sees how far it is.
        let shown = home.output.progress.compactMap(\.self)
        #expect(shown.first == "guidance-publisher  \(Style.plain.bar(0.25, cells: 24)) 25 %  copying", "\(shown)")
        #expect(shown.contains("scheduler  \(Style.plain.bar(1, cells: 24)) 100 %  checking"))
        #expect(home.output.progress.last == .some(nil))
    }

    @Test func `in a narrow terminal a path goes on below`() async throws {
        var style = Style.plain
        style.width = 40
        try await backUp([], [.guidancePublisher: made(.guidancePublisher, 812)], style: style)
        #expect(home.output.lines.allSatisfy { $0.count <= 40 }, "\(home.output.lines)")
        let text = home.output.lines.joined().replacing(" ", with: "")
        #expect(text.contains("/copies/guidance-publisher-1.sqlite"), "\(home.output.lines)")
    }

    @Test func `programs are told the bytes`() async throws {
        try await backUp(["--json", "--service", "scheduler"], [.scheduler: made(.scheduler, 812)])
        let backup = try #require(try object()["backups"]?.first)
        #expect(backup["service"] as? String == "scheduler" && backup["bytes"] as? Int == 812)
        #expect(backup["file"] as? String == "/copies/scheduler-1.sqlite")
    }

    @Test func `one that fails does not keep the others from a copy, and ends the command`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await backUp(
                [],
                [
                    .guidancePublisher: .failure(EnergyError(.conflict, "guidance.sqlite was moved")),
                    .eventIngestor: .failure(EnergyError(.unavailable, "the disk is full")),
                    .scheduler: made(.scheduler, 812),
                ])
        }
        #expect(
            failure
                == CommandFailure(
                    .refused, "guidance-publisher: guidance.sqlite was moved. event-ingestor: the disk is full."))
        #expect(home.output.lines.count == 2 && home.output.lines[1].hasPrefix("scheduler"))
    }

    @Test func `what keeps several from a copy is said once, with the names of all`() async throws {
        let missing = EnergyError(.notFound, "the folder /a/b cannot be made: no such file or directory")
        let failure = await #expect(throws: CommandFailure.self) {
            try await backUp(
                [],
                [
                    .guidancePublisher: .failure(missing),
                    .eventIngestor: .failure(EnergyError(.unavailable, "the disk is full")),
                    .scheduler: .failure(missing),
                ])
        }
        #expect(
            failure
                == .usage(
                    "guidance-publisher, scheduler: the folder /a/b cannot be made: no such file or directory. "
                        + "event-ingestor: the disk is full."))
    }

    @Test func `a folder without anything, one that is not there and a service without a file are told`() async throws {
        let none = await #expect(throws: CommandFailure.self) { try await backUp([], [:]) }
        #expect(none == .usage("No service has stored anything in /state. Name another with --state."))
        let one = await #expect(throws: CommandFailure.self) { try await backUp(["--service", "scheduler"], [:]) }
        #expect(one == .usage("scheduler: there is no file."))
        let missing = await #expect(throws: CommandFailure.self) {
            try await backUp([], [.scheduler: made(.scheduler, 1)], in: "/nowhere")
        }
        #expect(missing == .usage("there is no folder /nowhere"))
        await #expect(throws: (any Error).self) { try await backUp(["--service", "sched"], [:]) }
    }

    @Test func `a folder that may not have copies is told once, and nothing is copied`() async throws {
        var context = home.context()
        let refusal = EnergyError(.invalidInput, "/copies is the state directory of a service")
        context.tools.backupMaker = ScriptedMaker(results: [.scheduler: made(.scheduler, 812)], refusal: refusal)
        let command = try await RootCommand.asyncParseAsRoot([
            "store", "backup", "--state", "/state", "--to", "/copies",
        ])
        let failure = await #expect(throws: CommandFailure.self) {
            try await #require(command as? StoreBackUp).perform(in: context)
        }
        #expect(failure == CommandFailure(.refused, "/copies is the state directory of a service"))
        #expect(home.output.lines == [])
    }

    @Test(arguments: [
        (["store", "backup", "--state", "/state", "--to", ""], "--to is empty. Say which folder the copies go to."),
        (["store", "backup", "--state", "", "--to", "/copies"], "--state is empty. Say which folder."),
        (["store", "restore", "a.sqlite", "--state", ""], "--state is empty. Say which folder."),
        (["store", "migrate", "--state", ""], "--state is empty. Say which folder."),
        (["log", "restore", "a.sqlite", "--state", ""], "--state is empty. Say which folder."),
    ])
    func `an empty name is no folder, least of all the one that one is in`(arguments: [String], text: String) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        #expect(error.map { RootCommand.message(for: $0) } == text)
    }

    @Test(arguments: [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_960, "1.0 MB"), (53_240_000_000, "53.2 GB")])
    func `sizes have a unit that fits`(bytes: Int, text: String) {
        #expect(Quantities.size(bytes: bytes) == text)
    }
}

private struct ScriptedMaker: StoreBackupMaker {
    let results: [StoredService: Result<StoreBackup, EnergyError>]
    /// Of the folder for the copies.
    var refusal: EnergyError?

    func services(in state: String) throws(EnergyError) -> [StoredService] {
        guard state == "/state" else { throw EnergyError(.notFound, "there is no folder \(state)") }
        return StoredService.allCases.filter { results[$0] != nil }
    }

    func checkTarget(_ folder: String) throws(EnergyError) {
        #expect(folder == "/copies")
        if let refusal { throw refusal }
    }

    func backUp(
        _ service: StoredService, in state: String, to folder: String, now: Timestamp,
        tell: @escaping @Sendable (_ part: Double) -> Void
    ) async throws(EnergyError) -> StoreBackup {
        #expect(state == "/state" && folder == "/copies" && now == Samples.now)
        guard let result = results[service] else { throw EnergyError(.notFound, "there is no file") }
        tell(0.25)
        tell(1)
        return try result.get()
    }
}
