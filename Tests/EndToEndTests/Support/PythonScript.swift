import Foundation
import Testing

/// Programs in Python, with the packages of `make .venv`.
enum PythonScript {
    static let interpreter = "\(Machine.package)/.venv/bin/python"

    /// In CI it must be; elsewhere what needs it is skipped.
    static let isInstalled = Machine.isCI || FileManager.default.isExecutableFile(atPath: interpreter)
    static let reason: Comment = "there is no .venv with pyzmq and protobuf: make .venv"

    static func requireInterpreter() throws {
        try #require(FileManager.default.isExecutableFile(atPath: interpreter), "make .venv, then run the tests again")
    }

    /// Runs one of the programs in `Tests/` that drive real processes by themselves, with the executables of this build, and
    /// expects that it ends well.
    ///
    /// - Parameter settings: of its environment.
    static func run(_ name: String, _ settings: [String: String]) async throws {
        try requireInterpreter()
        var environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        environment["BUILT"] = Machine.executables
        let child = try await ChildProcess.start(
            .init(executable: interpreter, arguments: ["\(Machine.package)/Tests/\(name)"], environment: environment))
        let status = try await child.end()
        await child.error.end()
        await child.output.end()
        #expect(status == .code(0), "\(complaint(child.error.text))\n\(child.output.text)\n\(child.error.text)")
    }

    /// What went wrong, in a line: of long outputs often only the first is read.
    private static func complaint(_ text: String) -> String {
        let lines = text.split(separator: "\n")
        let failures = lines.filter { $0.hasPrefix("FAIL: ") || $0.hasPrefix("ERROR: ") }
        return (failures.isEmpty ? lines.suffix(2) : failures.prefix(4)).joined(separator: "; ")
    }
}
