import ArgumentParser
import Foundation
import Testing

@testable import EnergyCommands

/// What `deploy/manuals.py` makes of the commands' help.
struct ManualTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "deploy/manuals.py")

    /// The manuals by their names.
    private func manuals() throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "manuals-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let help = folder.appending(path: "help.json")
        try Data(RootCommand._dumpHelp().utf8).write(to: help)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Self.script.path, folder.path, "1.2.3"]
        process.standardInput = try FileHandle(forReadingFrom: help)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".1") }
        return try names.reduce(into: [:]) {
            $0[$1] = try String(contentsOf: folder.appending(path: $1), encoding: .utf8)
        }
    }

    @Test func `examples and tables fit a terminal, commands as a shell takes them over several lines`() throws {
        let manuals = try manuals()
        #expect(manuals.count > 10)
        for (name, text) in manuals {
            let examples = text.split(separator: ".nf\n").dropFirst().compactMap { $0.split(separator: ".fi\n").first }
            for line in examples.flatMap({ $0.split(separator: "\n") }) {
                let shown = line.replacing("\\-", with: "-").replacing("\\(aq", with: "'").replacing("\\e", with: "\\")
                // A path or an address cannot be cut.
                let isCommand = shown.contains("--")
                #expect(
                    shown.count <= 69 || isCommand && !shown.dropLast(2).dropFirst(8).contains(" -"),
                    "\(name): \(shown)")
            }
        }
        let schedule = try #require(manuals["energyctl-schedule.1"])
        #expect(schedule.contains(".RE\n.PP\nA file has one load"))
    }

    @Test func `what there is to choose from stands where the option is, and a flag and its opposite are one`() throws {
        let insights = try #require(try manuals()["energyctl-insights.1"])
        #expect(insights.contains("\\fIimported|exported\\fR"))
        #expect(insights.contains("[\\fB\\-\\-exact\\fR|\\fB\\-\\-no\\-exact\\fR]"))
        #expect(!insights.contains("One of \\fBimported"))
    }

    @Test func `sentences below a heading are filled`() throws {
        let root = try #require(try manuals()["energyctl.1"])
        #expect(root.contains(".SH EXIT STATUS\n0 done, 64 wrong usage"))
        #expect(root.contains(".SH ENVIRONMENT\n.RS 4\n.nf\n"))
    }
}
