import Foundation
import Testing

extension EndToEnd {
    struct Flood {
        private static let interpreter = "\(Machine.package)/.venv/bin/python"

        /// Some seconds of `make flood`, which says nothing about times.
        @Test(
            .enabled(
                if: Machine.isCI || FileManager.default.isExecutableFile(atPath: Flood.interpreter),
                "there is no .venv with pyzmq and protobuf: make .venv"),
            .timeLimit(.minutes(2)))
        func `a flood loses no event, fills no memory and no log, and is counted`() async throws {
            try #require(
                FileManager.default.isExecutableFile(atPath: Self.interpreter), "make .venv, then run the tests again")
            var environment = ProcessInfo.processInfo.environment
            environment["BUILT"] = Machine.executables
            environment["FLOOD_SECONDS"] = "5"
            environment["MOST_TIMES"] = "0"
            let child = try await ChildProcess.start(
                .init(
                    executable: Self.interpreter, arguments: ["\(Machine.package)/Tests/flood.py"],
                    environment: environment))
            let status = try await child.end()
            await child.error.end()
            await child.output.end()
            #expect(status == .code(0), "\(child.output.text)\n\(child.error.text)")
        }
    }
}
