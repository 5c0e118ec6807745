import ArgumentParser
import Foundation
import Testing

@testable import EnergyCommands

struct ScheduleSolveTests {
    private let home = FakeHome()

    private static let slots = #"""
        [{"start": "2026-03-02T00:00:00+01:00", "end": "2026-03-02T01:00:00+01:00", "price": 0.3},
         {"start": "2026-03-02T01:00:00+01:00", "end": "2026-03-02T02:00:00+01:00", "price": 0.1}]
        """#

    /// A file with the text, for as long as the body runs.
    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "problem-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test func `a problem in a file is solved without any service`() async throws {
        try await withFile(#"{"slots": \#(Self.slots), "loads": [{"name": "car", "power_kw": 2, "energy_kwh": 2}]}"#) {
            try await run(home, "schedule", "solve", $0)
        }
        let text = home.output.lines.joined(separator: "\n")
        let plan = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(plan["status"] as? String == "optimal")
        #expect(plan["objective"] as? Double == 0.2)
        #expect(plan["bound"] as? Double == 0.2)
        let loads = try #require(plan["loads"] as? [[String: Any]])
        let runs = try #require(loads[0]["runs"] as? [[String: Any]])
        #expect(runs[0]["start"] as? String == "2026-03-02T01:00:00+01:00")
        #expect(runs[0]["reason"] as? String == "lower_electricity_rates")
    }

    @Test func `a mistake is named by its path`() async throws {
        try await withFile(#"{"slots": \#(Self.slots), "loads": [{"power": 2, "energy_kwh": 2}]}"#) { file in
            let failure = await #expect(throws: CommandFailure.self) { try await run(home, "schedule", "solve", file) }
            #expect(failure?.message.hasPrefix("$.loads[0].power: is no member of load. Did you mean") == true)
        }
        let missing = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "solve", "/nowhere")
        }
        #expect(missing?.message == "/nowhere cannot be read: no such file or directory.")
    }

    @Test func `nothing is not below nothing in any figure`() async throws {
        let limits = #""limits": {"export_kw": 0}, "pv_kw": 1"#
        try await withFile(
            #"{"slots": \#(Self.slots), \#(limits), "loads": [{"name": "car", "power_kw": 2, "energy_kwh": -0}]}"#
        ) { try await run(home, "schedule", "solve", $0) }
        #expect(home.output.text.contains("\"export_kw\" : 0"))
        #expect(home.output.text.firstMatch(of: #/-0(\.0*)?[,\s\]]/#) == nil)
    }

    @Test func `a time limit takes the place of the file's`() async throws {
        try await withFile(#"{"slots": \#(Self.slots), "loads": [{"power_kw": 2, "energy_kwh": 2}]}"#) {
            try await run(home, "schedule", "solve", $0, "--time-limit", "0.5")
        }
        #expect(home.output.text.contains("optimal"))
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "3601", "soon", "1e400"])
    func `a time limit that cannot be is refused`(limit: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["schedule", "solve", "p.json", "--time-limit", limit])
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { RootCommand.message(for: $0).contains("time-limit") } == true)
    }

    @Test func `the schema is printed without a problem`() async throws {
        try await run(home, "schedule", "solve", "--schema")
        #expect(home.output.lines.joined().contains("json-schema.org/draft/2020-12"))
        await #expect(throws: (any Error).self) { try await run(home, "schedule", "solve") }
    }

    @Test func `what is printed has a schema too`() async throws {
        try await run(home, "schedule", "solve", "--answer-schema")
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any])
        #expect(schema["$ref"] as? String == "#/$defs/answer")
        for more in [["--schema"], ["p.json"]] {
            await #expect(throws: (any Error).self) {
                _ = try await RootCommand.asyncParseAsRoot(["schedule", "solve", "--answer-schema"] + more)
            }
        }
    }
}
