import EnergyTestSupport
import Foundation

/// `Tests/Oracles/planning_oracle.py`, running: scipy's HiGHS, with a model of its own.
///
/// Unchecked: its parts are for one thread at a time, and whoever asks waits for the answer before asking again.
final class PlanningOracle: @unchecked Sendable {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let python = root.appending(path: ".venv/bin/python3")

    /// `make test` makes `.venv`.
    static func isInstalled() async throws -> Bool {
        try await onThread {
            let check = Process()
            check.executableURL = python
            check.arguments = ["-c", "import scipy.optimize"]
            check.standardError = FileHandle.nullDevice
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        }
    }

    /// Runs it for as long as `body` takes, on a thread of its own.
    static func with(_ body: @escaping @Sendable (PlanningOracle) throws -> Void) async throws {
        try await onThread {
            let oracle = try PlanningOracle()
            defer { oracle.stop() }
            try body(oracle)
        }
    }

    private init() throws {
        process.executableURL = PlanningOracle.python
        process.arguments = [PlanningOracle.root.appending(path: "Tests/Oracles/planning_oracle.py").path]
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    /// Ends the process, which reads to the end of its input.
    private func stop() {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    struct Silence: Error {}

    func ask(_ request: String) throws -> String {
        try requests.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let data = answers.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Silence() }
            unread += data
        }
    }
}
