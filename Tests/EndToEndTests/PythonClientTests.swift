import Foundation
import Testing

extension EndToEnd {
    struct PythonClient {
        private static let interpreter = "\(Machine.package)/.venv/bin/python"
        private static let script = "\(Machine.package)/clients/python/main_flow.py"

        @Test(
            .enabled(
                if: Machine.isCI || FileManager.default.isExecutableFile(atPath: PythonClient.interpreter),
                "there is no .venv with pyzmq and protobuf: make .venv"),
            .timeLimit(.minutes(1)), arguments: Installation.Addressing.allCases)
        func `a client in Python, written from proto/ alone, does the main flow`(
            addressing: Installation.Addressing
        ) async throws {
            try #require(
                FileManager.default.isExecutableFile(atPath: Self.interpreter), "make .venv, then run the tests again")
            try await Installation.with(addressing) { installation in
                _ = try await Household.move(into: installation)
                var arguments = [Self.script]
                for service in ServiceName.servers {
                    let address = try installation.address(service)
                    arguments += ["--\(service.endpointName)", address.requests, address.publications]
                }
                let child = try await ChildProcess.start(
                    .init(
                        executable: Self.interpreter, arguments: arguments,
                        environment: Installation.environment(installation.folder)))
                let status = await child.exit()
                await child.error.end()
                await child.output.end()
                #expect(status == .code(0), "\(child.output.text)\n\(child.error.text)")
            }
        }
    }
}
