import Foundation
import Testing

extension EndToEnd {
    struct Torture {
        private static let interpreter = "\(Machine.package)/.venv/bin/python"

        /// A few of the rounds of `make torture`.
        @Test(
            .enabled(
                if: Machine.isCI || FileManager.default.isExecutableFile(atPath: Torture.interpreter),
                "there is no .venv with pyzmq and protobuf: make .venv"),
            .timeLimit(.minutes(2)))
        func `what was acknowledged outlives SIGKILL and a torn log, once`() async throws {
            try #require(
                FileManager.default.isExecutableFile(atPath: Self.interpreter), "make .venv, then run the tests again")
            var environment = ProcessInfo.processInfo.environment
            environment["BUILT"] = Machine.executables
            environment["ROUNDS"] = "6"
            let child = try await ChildProcess.start(
                .init(
                    executable: Self.interpreter, arguments: ["\(Machine.package)/Tests/torture.py"],
                    environment: environment))
            let status = try await child.end()
            await child.error.end()
            await child.output.end()
            #expect(status == .code(0), "\(child.output.text)\n\(child.error.text)")
        }
    }
}
