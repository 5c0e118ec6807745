import EnergyModel
import EnergyTestSupport
import Testing

@testable import EnergyWire

@Suite struct `No bytes harm whoever decodes them` {
    private static let messages: [AnyMessage] = {
        var values = RandomValues(seed: 42)
        return AnyMessage.one(ofEach: &values)
    }()

    @Test(arguments: UInt64(0)..<200) func `random bytes are read or refused`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<Int.random(in: 0..<400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        for message in Self.messages { expectReadOrRefused(message, bytes) }
    }

    @Test(arguments: UInt64(0)..<200) func `damaged messages are read or refused`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for message in Self.messages where !message.bytes.isEmpty {
            var bytes = message.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = .random(in: 0...255, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.insert(.random(in: 0...255, using: &random), at: index)
                // A second, overlapping copy: protobuf-c merges what it finds twice.
                default: bytes += bytes[index...]
                }
            }
            expectReadOrRefused(message, bytes)
        }
    }

    @Test func `messages that end too early are read or refused`() {
        for message in Self.messages {
            for count in 0..<min(message.bytes.count, 600) {
                expectReadOrRefused(message, Array(message.bytes.prefix(count)))
            }
        }
    }

    @Test func `a message given twice is one message, the later fields on top`() throws {
        for message in Self.messages { expectReadOrRefused(message, message.bytes + message.bytes) }
        let twice: WireBytes = [.string(1, "first"), .string(1, "second")]
        #expect(try HealthCheckRequest(decoding: twice.bytes).service == "second")
    }

    @Test func `garbage inside a nested message is read or refused`() {
        for message in Self.messages {
            for field in UInt64(1)...17 {
                for inner in Self.messages {
                    expectReadOrRefused(message, WireBytes.bytes(field, inner.bytes).bytes)
                }
            }
        }
    }

    @Test func `a mebibyte of empty messages is refused, and takes at most about 16 times its size`() throws {
        let bytes = WireBytes.repeated(512 * 1024, .message(1, [])).bytes
        #expect(bytes.count == 1024 * 1024)
        var arena = Arena(unpacking: bytes.count)
        let batch = arena.unpack(EventBatch.Proto.self, bytes)
        #expect(batch == nil)
        #expect(8 << 20...18 << 20 ~= arena.reservedByteCount)
        #expect(throws: EnergyError.self) { try EventBatch(decoding: bytes) }
        #expect(throws: EnergyError.self) { try LogPage(decoding: bytes) }
        #expect(throws: EnergyError.self) { try InsightPage(decoding: bytes) }
    }

    @Test func `fields that nobody knows are ignored`() throws {
        let known: WireBytes = [.string(1, "energy.v1.Guidance")]
        let unknown: WireBytes = [
            .varint(100, UInt64.max), .double(101, .nan), .bytes(102, [0, 1, 2]), .message(103, [.uuid(1)]),
        ]
        #expect(try HealthCheckRequest(decoding: (unknown.bytes + known.bytes)).service == "energy.v1.Guidance")
        for message in Self.messages {
            #expect(throws: Never.self) { try message.decode(message.bytes + unknown.bytes) }
        }
    }

    @Test func `a mebibyte of unknown fields is refused`() {
        let bytes = WireBytes.repeated(512 * 1024 / 2, .varint(100, 0 as UInt64)).bytes
        #expect(throws: EnergyError.self) { try Empty(decoding: bytes) }
    }

    @Test func `an arena gives what its budget allows, and no more`() {
        var arena = Arena(firstChunk: 64, budget: 1_000)
        var taken = 0
        while let memory = arena.allocate(byteCount: 10) {
            #expect(Arena.byteCount(at: memory) == 10)
            #expect(Int(bitPattern: memory) % 8 == 0)
            memory.initializeMemory(as: UInt8.self, repeating: 0xff, count: 10)
            taken += 10
        }
        #expect(300...1_000 ~= taken)
        #expect(arena.allocate(byteCount: .max) == nil)
    }

    /// Whatever is read can be written again.
    private func expectReadOrRefused(_ message: AnyMessage, _ bytes: [UInt8]) {
        do throws(EnergyError) { try message.decode(bytes) } catch { #expect(error.code == .invalidInput) }
    }
}
