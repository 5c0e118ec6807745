import Foundation
import Testing

extension EndToEnd {
    struct Dashboard {
        private static let interpreter = "\(Machine.package)/.venv/bin/python"
        private static let scripts = "\(Machine.package)/Tests/Browser"
        private static let chromium = "/usr/bin/chromium"

        private static var canRun: Bool { FileManager.default.isExecutableFile(atPath: interpreter) }

        @Test(
            .enabled(
                if: Machine.isCI || canRun && FileManager.default.isExecutableFile(atPath: chromium),
                "there is no chromium, or no .venv: make deps .venv/installed"),
            .timeLimit(.minutes(10)), arguments: ["test_dashboard.py", "test_settings.py"])
        func `people find their way in a browser`(script: String) async throws { try await run(script) }

        @Test(.enabled(if: Machine.isCI || canRun, "there is no .venv: make .venv/installed"), .timeLimit(.minutes(4)))
        func `the HTTP API keeps to its document`() async throws { try await run("test_api.py") }

        private func run(_ script: String) async throws {
            try #require(Self.canRun, "make deps .venv/installed, then run the tests again")
            let folder = try Machine.temporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var environment = Installation.environment(folder)
            environment["BIN"] = Machine.executables
            let child = try await ChildProcess.start(
                .init(
                    executable: Self.interpreter, arguments: ["\(Self.scripts)/\(script)"], environment: environment))
            let status = try await child.end()
            await child.error.end()
            await child.output.end()
            #expect(status == .code(0), "\(child.output.text)\n\(child.error.text)")
        }
    }
}
