import Testing

@Suite(.enabled(if: PythonOracle.isInstalled, "no .venv with protobuf for Python: `make test` makes one"))
struct `Another implementation of protobuf agrees` {
    @Test func `Python reads every message, knows every field, and writes what we read back`() throws {
        let oracle = try PythonOracle()
        defer { #expect(throws: Never.self) { try oracle.stop() } }
        for seed in UInt64(0)..<20 {
            var values = RandomValues(seed: seed)
            for message in AnyMessage.one(ofEach: &values) {
                let echoed = try oracle.ask("echo", message.name, message.bytes)
                #expect(try message.decodesToItself(from: echoed), "seed \(seed): \(message.value)")
            }
        }
    }

    @Test func `each field has the contract's name`() throws {
        let oracle = try PythonOracle()
        defer { #expect(throws: Never.self) { try oracle.stop() } }
        for sample in try Sample.all {
            let bytes = try oracle.ask("parse", sample.message.name, Array(sample.text.utf8))
            #expect(try sample.message.decodesToItself(from: bytes), "\(sample.text)")
            #expect(
                try oracle.ask("print", sample.message.name, sample.message.bytes)
                    == oracle.ask("print", sample.message.name, bytes))
        }
    }
}
