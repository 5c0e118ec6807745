import EnergyModel
import EnergyTestSupport
import Foundation

/// `Tests/Oracles/protobuf_oracle.py`, running: Google's protobuf for Python, which knows only the descriptor set.
///
/// Unchecked: its parts are for one thread at a time, and whoever asks waits for the answer before asking again.
final class PythonOracle: @unchecked Sendable {
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
            check.arguments = ["-c", "import google.protobuf"]
            check.standardError = FileHandle.nullDevice
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        }
    }

    /// Runs it for as long as `body` takes.
    static func with(_ body: (PythonOracle) async throws -> Void) async throws {
        let oracle = try await onThread { try PythonOracle() }
        do { try await body(oracle) } catch {
            try await onThread { try oracle.stop() }
            throw error
        }
        try await onThread { try oracle.stop() }
    }

    private init() throws {
        process.executableURL = PythonOracle.python
        process.arguments = [
            PythonOracle.root.appending(path: "Tests/Oracles/protobuf_oracle.py").path,
            PythonOracle.root.appending(path: "Sources/Core/EnergyWire/energy.v1.descriptorset").path,
        ]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    /// Ends the process, which reads to the end of its input.
    private func stop() throws {
        try requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    struct Disagreement: Error {
        let answer: String
    }

    func ask(_ verb: String, _ message: String, _ argument: [UInt8]) async throws -> [UInt8] {
        try await onThread { try self.answer(to: verb, message, argument) }
    }

    private func answer(to verb: String, _ message: String, _ argument: [UInt8]) throws -> [UInt8] {
        let hex = argument.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try requests.fileHandleForWriting.write(contentsOf: Data("\(verb) \(message) \(hex)\n".utf8))
        let answer = String(decoding: try line(), as: UTF8.self)
        guard !answer.hasPrefix("error"), answer.utf8.count.isMultiple(of: 2) else {
            throw Disagreement(answer: answer)
        }
        let digits = Array(answer.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
        }
    }

    private func line() throws -> [UInt8] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            let data = answers.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Disagreement(answer: "the oracle has ended") }
            unread += data
        }
    }
}
