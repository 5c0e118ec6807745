import AuditFiles
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import KeyFiles
import Logging
import Testing

@testable import ServiceRuntime

/// How a process finds its key, and what it writes down of the list of keys.
@Suite(.timeLimit(.minutes(10))) struct ServiceKeysTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let keys: KeyFolder
    private let definition = ServiceDefinition(
        .eventIngestor, summary: "keeps the log", services: ["energy.v1.Events"], peers: [])

    init() throws {
        folder = try TemporaryFolder()
        keys = KeyFolder(path: "\(folder.path)/keys")
        try keys.make()
    }

    /// Starts the process, stops it once it serves, and returns at its end.
    private func run(
        _ arguments: [String], _ environment: [String: String] = [:], clock: any Clock<Duration> = ContinuousClock(),
        while body: @escaping @Sendable () async throws -> Void = {}
    ) async throws {
        let usual = [
            "--http-address", "ipc://\(folder.path)/h", "--requests-address", "ipc://\(folder.path)/r",
            "--publications-address", "ipc://\(folder.path)/p", "--state-directory", "\(folder.path)/state",
        ]
        let endpoint = FakeEndpoint(journal)
        var process = ServiceProcess(
            definition: definition,
            configuration: try definition.loader.load(arguments: usual + arguments, environment: environment),
            environment: environment,
            transport: ServiceTransport(bind: { _ in endpoint }, connect: { [journal] _ in FakeConnection(journal) }),
            metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        process.clock = clock
        let (stop, askToStop) = AsyncStream<String>.makeStream()
        try await process.run(
            stop: stop,
            whenReady: {
                do { try await body() } catch { Issue.record(error) }
                askToStop.yield("SIGTERM")
            }, build: { _ in })
    }

    private func audit() throws -> [AuditLine] {
        var verifier = AuditVerifier(state: "\(folder.path)/state")
        var lines: [AuditLine] = []
        try verifier.run { lines.append($0) }
        #expect(verifier.faults == [])
        return lines
    }

    @Test func `a key without the folder that says who may do what is a wrong setting`() async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await run(["--keys-file", keys.keyPath("event-ingestor")])
        }
        #expect(error?.problems.first?.key == "keys.file")
        #expect(error?.problems.first?.reason.contains("a key needs keys.directory") == true)
    }

    @Test func `another service's key is refused`() async throws {
        let error = await #expect(throws: StartError.self) {
            try await run(["--keys-directory", keys.path, "--keys-file", keys.keyPath("scheduler")])
        }
        #expect(error?.description.contains("is the key of scheduler, not of event-ingestor") == true)
    }

    @Test func `the folder is the environment's, too, and one without keys is told with what makes them`() async throws
    {
        try await run([], ["GRIDTIDE_KEYS_DIRECTORY": keys.path])
        #expect(try audit().first?.details?["keys"] == "demanded")
        let error = await #expect(throws: StartError.self) {
            try await run([], ["GRIDTIDE_KEYS_DIRECTORY": "\(folder.path)/none"])
        }
        #expect(error?.description.contains("energyctl keys init --keys \(folder.path)/none") == true)
    }

    @Test func `a change of the list is written down though the service was stopped when it was made`() async throws {
        let arguments = ["--keys-directory", keys.path]
        _ = try keys.admit("tablet", permissions: [.guidance], venues: nil)
        try await run(arguments)
        let first = try audit().filter { $0.event == .accessChanged }
        #expect(first.count == 1)
        #expect(first.first?.details?["when"] == "first start")
        #expect(first.first?.details?["added"]?.contains("tablet") == true)

        try await run(arguments)
        #expect(try audit().count { $0.event == .accessChanged } == 1, "nothing was changed")

        _ = try keys.admit("charger", permissions: [.events], venues: [UUID()])
        try keys.revoke("tablet")
        try await run(arguments)
        let last = try audit().filter { $0.event == .accessChanged }
        #expect(last.count == 2)
        #expect(last.last?.details == ["added": "charger", "revoked": "tablet", "when": "while stopped"])
    }

    @Test func `a change that was made meanwhile is written down once`() async throws {
        let (arguments, clock) = (["--keys-directory", keys.path], ManualClock())
        try await run(arguments, clock: clock) { [self] in
            _ = try keys.admit("tablet", permissions: [.guidance], venues: nil)
            // Only the list is looked at so often; it is known, and told to the endpoint, before the line is written.
            while !journal.all.contains("admission changed") {
                clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        try await run(arguments)
        let changes = try audit().filter { $0.event == .accessChanged }.map { $0.details?["added"] ?? "" }
        #expect(changes.count == 2)
        #expect(changes.last == "tablet")
    }
}
