import Foundation
import Testing

extension EndToEnd {
    struct Dashboard {
        private static let chromium = "/usr/bin/chromium"

        @Test(
            .enabled(
                if: Machine.isCI || PythonScript.isInstalled && FileManager.default.isExecutableFile(atPath: chromium),
                "there is no chromium, or no .venv: make deps .venv/installed"),
            .timeLimit(.minutes(10)), arguments: ["test_dashboard.py", "test_settings.py"])
        func `people find their way in a browser`(script: String) async throws { try await run(script) }

        @Test(.enabled(if: PythonScript.isInstalled, PythonScript.reason), .timeLimit(.minutes(4)))
        func `the HTTP API keeps to its document`() async throws { try await run("test_api.py") }

        private func run(_ script: String) async throws {
            let folder = try Machine.temporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = Installation.environment(folder).merging(["BIN": Machine.executables]) { $1 }
            try await PythonScript.run("Browser/\(script)", environment)
        }
    }
}
