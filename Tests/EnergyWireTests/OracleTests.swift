import Testing

@Suite(
    .enabled("no .venv with protobuf for Python: `make test` makes one") { try await ProtobufOracle.isInstalled() },
    .timeLimit(.minutes(10)))
struct `Another implementation of protobuf agrees` {
    @Test func `Python reads every message, knows every field, and writes what we read back`() async throws {
        try await ProtobufOracle.with { oracle in
            for seed in UInt64(0)..<20 {
                var values = RandomValues(seed: seed)
                for message in AnyMessage.one(ofEach: &values) {
                    let echoed = try await oracle.ask("echo", message.name, message.bytes)
                    #expect(try message.decodesToItself(from: echoed), "seed \(seed): \(message.value)")
                }
            }
        }
    }

    @Test func `each field has the contract's name`() async throws {
        try await ProtobufOracle.with { oracle in
            for sample in try Sample.all {
                let bytes = try await oracle.ask("parse", sample.message.name, Array(sample.text.utf8))
                #expect(try sample.message.decodesToItself(from: bytes), "\(sample.text)")
                let printed = try await oracle.ask("print", sample.message.name, sample.message.bytes)
                #expect(try await oracle.ask("print", sample.message.name, bytes) == printed)
            }
        }
    }
}
