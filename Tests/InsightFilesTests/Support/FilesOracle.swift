import EnergyTestSupport
import Foundation

/// `Tests/Oracles/insight_files_oracle.py`: Python's readers of CSV and XML, and prometheus_client's of OpenMetrics.
enum FilesOracle {
    static func isInstalled() async throws -> Bool { try await PythonOracle.has("prometheus_client") }

    struct Refusal: Error, Decodable { let refused: String }

    /// What the reader of `format` finds in `text`.
    static func read<Answer: Decodable & Sendable>(
        _ text: String, as format: String, _: Answer.Type = Answer.self
    ) async throws -> Answer {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { withExtendedLifetime(folder) {} }
        return try await read(path: path, as: format)
    }

    static func read<Answer: Decodable & Sendable>(
        path: String, as format: String, _: Answer.Type = Answer.self
    ) async throws -> Answer {
        let said = try await onThread {
            let oracle = try PythonOracle("insight_files_oracle.py")
            defer { try? oracle.stop() }
            return Data(try oracle.ask("\(format) \(path)").utf8)
        }
        if let refusal = try? JSONDecoder().decode(Refusal.self, from: said) { throw refusal }
        return try JSONDecoder().decode(Answer.self, from: said)
    }
}

struct ESPIFile: Decodable, Sendable {
    struct Rule: Decodable, Hashable { let month, `operator`, day, weekday, hour, seconds: Int }
    struct Times: Decodable, Hashable {
        let tz: Int
        let dst: Int
        let start: Rule?
        let end: Rule?
    }
    struct ReadingType: Decodable, Hashable {
        let uom, powerOfTenMultiplier, flowDirection, currency, intervalLength: Int
    }
    struct Reading: Decodable, Hashable { let start, duration, value, cost: Int }
    struct Block: Decodable, Hashable {
        let up: String
        let readings: [Reading]
        let start, duration: Int
    }
    let ids: [String?]
    let times: [Times]
    let usagePoints: Int
    let readingTypes: [String: ReadingType]
    let meters: [String: [String]]
    let blocks: [Block]
}
