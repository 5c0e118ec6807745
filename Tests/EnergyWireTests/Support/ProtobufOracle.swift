import EnergyTestSupport

/// `Tests/Oracles/protobuf_oracle.py`: Google's protobuf for Python, which knows only the descriptor set.
struct ProtobufOracle {
    private let program: PythonOracle

    static func isInstalled() async throws -> Bool { try await PythonOracle.has("google.protobuf") }

    /// Runs it for as long as `body` takes.
    static func with(_ body: (ProtobufOracle) async throws -> Void) async throws {
        let program = try await onThread {
            try PythonOracle("protobuf_oracle.py", files: ["Sources/Core/EnergyWire/energy.v1.descriptorset"])
        }
        do { try await body(ProtobufOracle(program: program)) } catch {
            try await onThread { try program.stop() }
            throw error
        }
        try await onThread { try program.stop() }
    }

    struct Disagreement: Error {
        let answer: String
    }

    func ask(_ verb: String, _ message: String, _ argument: [UInt8]) async throws -> [UInt8] {
        let hex = argument.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let answer = try await onThread { try program.ask("\(verb) \(message) \(hex)") }
        guard !answer.hasPrefix("error"), answer.utf8.count.isMultiple(of: 2) else {
            throw Disagreement(answer: answer)
        }
        let digits = Array(answer.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
        }
    }
}
