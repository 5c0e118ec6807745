import Foundation
import Testing

extension EndToEnd {
    struct PythonClient {
        private static let script = "\(Machine.package)/clients/python/test_contract.py"

        @Test(
            .enabled(if: PythonScript.isInstalled, PythonScript.reason), .timeLimit(.minutes(2)),
            arguments: Installation.Addressing.allCases)
        func `a client in Python, written from proto/ alone, does the main flow`(
            addressing: Installation.Addressing
        ) async throws {
            try PythonScript.requireInterpreter()
            try await Installation.with(addressing) { installation in
                _ = try await Household.move(into: installation)
                if addressing == .keys { try await announceKeys(installation) }
                let descriptors = "\(Machine.package)/Sources/Core/EnergyWire/energy.v1.descriptorset"
                var arguments = [Self.script, "--descriptors", descriptors]
                for service in ServiceName.servers {
                    let name = service == .scheduler ? "schedules" : service.endpointName
                    let address = try installation.address(service)
                    arguments += ["--\(name)", address.requests, "--\(name)-publications", address.publications]
                }
                if let file = installation.clientFile { arguments += ["--client-file", file] }
                let child = try await ChildProcess.start(
                    .init(
                        executable: PythonScript.interpreter, arguments: arguments,
                        environment: Installation.environment(installation.folder)))
                let status = try await child.end()
                await child.error.end()
                await child.output.end()
                #expect(status == .code(0), "\(child.output.text)\n\(child.error.text)")
            }
        }

        /// The client's file then has two keys of the guidance-publisher, of which the second is the one that it still has,
        /// and two of the scheduler, of which it has the first.
        private func announceKeys(_ installation: Installation) async throws {
            for arguments in [["guidance-publisher"], ["guidance-publisher", "--finish"], ["scheduler"]] {
                _ = try await installation.json(["keys", "rotate"] + arguments + ["--keys", installation.keyFolder])
            }
            _ = try await installation.json("keys", "bundle", "owner", "--keys", installation.keyFolder)
        }
    }
}
