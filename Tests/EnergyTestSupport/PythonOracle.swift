internal import Foundation

/// A program of `Tests/Oracles`, running: it answers each line with a line.
///
/// Unchecked: its parts are for one thread at a time, and whoever asks waits for the answer before asking again.
public final class PythonOracle: @unchecked Sendable {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let python = root.appending(path: ".venv/bin/python3")

    /// Whether Python has a module. `make test` makes `.venv`.
    public static func has(_ module: String) async throws -> Bool {
        try await onThread {
            let check = Process()
            check.executableURL = python
            check.arguments = ["-c", "import \(module)"]
            check.standardError = FileHandle.nullDevice
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        }
    }

    /// - Parameters:
    ///   - script: its name in `Tests/Oracles`.
    ///   - files: paths from the package's folder, handed to it.
    public init(_ script: String, files: [String] = []) throws {
        process.executableURL = Self.python
        process.arguments = (["Tests/Oracles/\(script)"] + files).map { Self.root.appending(path: $0).path }
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    /// Ends the process, which reads to the end of its input.
    public func stop() throws {
        try requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    public struct Silence: Error {}

    /// Blocks until the answer is there.
    ///
    /// - Throws: ``Silence`` when the program has ended.
    public func ask(_ request: String) throws -> String {
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
