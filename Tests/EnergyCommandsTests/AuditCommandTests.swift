import ArgumentParser
import AuditFiles
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing

@testable import EnergyCommands

/// Audit logs are read from their files, without any service.
struct AuditCommandTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// - Returns: how it ended, `nil` for well, and what it said.
    private func run(_ arguments: String...) async throws -> (failure: CommandFailure?, output: TestOutput) {
        let home = FakeHome()
        let command = try await RootCommand.asyncParseAsRoot(["audit"] + arguments)
        do {
            try await (try #require(command as? any EnergyCommand)).perform(in: home.context())
            return (nil, home.output)
        } catch let failure as CommandFailure { return (failure, home.output) }
    }

    private func write(_ service: String) async throws -> String {
        let state = place.path(service)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let log = AuditLog(state: state, service: service, clock: SystemWallClock())
        await log.note(.serviceStarted, ["keys": "demanded"])
        let action = AuditedAction(principal: "kai", method: "energy.v1.Venues/Put", venues: [UUID()])
        await log.end(try await log.begin(action), action, nil)
        await log.close()
        return state
    }

    @Test func `all logs below a folder are checked, and what was altered is named by service and line`() async throws {
        _ = try await write("scheduler")
        let state = try await write("guidance-publisher")
        let good = try await run("verify", "--state", place.url.path)
        #expect(good.failure == nil)
        #expect(good.output.lines.count == 2)
        #expect(good.output.lines.allSatisfy { $0.contains("4 lines: no fault. Head 4:") })

        let file = "\(state)/audit/audit-000000000001.jsonl"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing("kai", with: "eve", maxReplacements: 1).utf8).write(to: URL(filePath: file))
        let bad = try await run("verify", "--state", place.url.path)
        #expect(bad.failure?.exit == .failure)
        #expect(bad.output.text.contains("guidance-publisher: audit-000000000001.jsonl line 3: line 2 was altered"))
        let document = try await run("verify", "--state", state, "--json")
        #expect(document.failure?.exit == .failure)
        #expect(document.output.text.contains("\"fault_count\" : 1"))
    }

    @Test func `a list for spreadsheets has a row per line of each log`() async throws {
        _ = try await write("scheduler")
        _ = try await write("guidance-publisher")
        let found = try await run("list", "--state", place.url.path, "--csv")
        let rows = String(decoding: found.output.written, as: UTF8.self).split(separator: "\r\n")
        #expect(found.failure == nil && found.output.lines.isEmpty && rows.count == 9)
        #expect(
            rows.first?.hasSuffix(
                "service,time,sequence,event,principal,method,venues,more_venues,status,began,repeats,details") == true)
        #expect(rows.count { $0.contains("service_started") && $0.contains("keys=demanded") } == 2)
    }

    @Test func `a list says who did what and how it ended, of one key if asked`() async throws {
        let state = try await write("scheduler")
        let all = try await run("list", "--state", state)
        #expect(all.failure == nil)
        #expect(all.output.lines.count == 4)
        let one = try await run("list", "--state", state, "--principal", "kai", "--last", "1d")
        #expect(one.output.lines.count == 2)
        #expect(one.output.lines.last?.contains("kai  action ends  energy.v1.Venues/Put") == true)
        let lines = try await run("list", "--state", state, "--json").output.lines
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.contains("\"service\":\"scheduler\"") })
    }

    @Test func `a folder without logs, and a head that is none, are told`() async throws {
        #expect(try await run("verify", "--state", place.url.path).failure?.exit == .usage)
        await #expect(throws: (any Error).self) { try await run("verify", "--state", place.url.path, "--head", "42") }
        _ = try await write("scheduler")
        _ = try await write("event-ingestor")
        let head = "4:" + String(repeating: "ab", count: 32)
        #expect(try await run("verify", "--state", place.url.path, "--head", head).failure?.exit == .usage)
        let one = try await run("verify", "--state", place.path("scheduler"), "--head", head)
        #expect(one.failure?.exit == .failure)
        #expect(one.output.text.contains("line 4 was altered: the head names another"))
    }
}
