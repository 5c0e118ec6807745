import EnergyTestSupport
import EnergyTransport
import Testing

@Suite struct EnvelopeTests {
    @Test func `a frame has the bytes that the contract says`() {
        var header = Header(.request, callID: 300)
        header.method = "a/B"
        let expected: [UInt8] =
            [0xA7, 1, 0, 10, 0x08, 1, 0x10, 0xAC, 0x02, 0x1A, 3, 0x61, 0x2F, 0x42] + [9, 8]
        #expect(Frame(header, body: [9, 8]).encoded == expected)
    }

    @Test(arguments: UInt64(0)..<200)
    func `every header survives the wire`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let header = Header.random(using: &random)
        let body = (0..<Int.random(in: 0..<100, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        Frame(header, body: body).encoded.withUnsafeBytes { bytes in
            guard case .frame(let read, let readBody) = Frame.parse(bytes) else {
                Issue.record("does not parse")
                return
            }
            #expect(read == header)
            #expect(Array(readBody) == body)
        }
    }

    @Test(arguments: UInt64(0)..<2_000)
    func `no bytes whatever trap the parser`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bytes = Frame(Header.random(using: &random), body: [1, 2, 3]).encoded
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        bytes.removeLast(.random(in: 0...bytes.count, using: &random))
        bytes.withUnsafeBytes { _ = Frame.parse($0) }
        _ = try? FetchRequest(decoding: bytes)
        _ = FetchReply(decoding: bytes)
    }

    @Test func `fields and kinds of later versions are passed over`() {
        // Kind 77, call id 5, and fields 100 of every wire type.
        let fields: [UInt8] = [
            0x08, 77, 0x10, 5, 0xA0, 0x06, 1, 0xA2, 0x06, 2, 0, 0, 0xA5, 0x06, 0, 0, 0, 0, 0xA1, 0x06, 0, 0, 0, 0, 0, 0,
            0, 0,
        ]
        ([0xA7, 1, 0, UInt8(fields.count)] + fields).withUnsafeBytes { bytes in
            guard case .frame(let header, _) = Frame.parse(bytes) else {
                Issue.record("does not parse")
                return
            }
            #expect(header == Header(.unspecified, callID: 5))
        }
    }

    @Test func `text that is not UTF-8 is refused`() {
        ([0xA7, 1, 0, 6, 0x10, 5, 0x1A, 2, 0xC3, 0x28] as [UInt8]).withUnsafeBytes { bytes in
            guard case .badHeader(callID: 5) = Frame.parse(bytes) else {
                Issue.record("accepted")
                return
            }
        }
    }

    @Test func `fetched publications survive the wire`() {
        let reply = FetchReply(
            publications: [
                RetainedPublication(sequence: 1, publishedUnixMs: -5, body: []),
                RetainedPublication(sequence: .max, publishedUnixMs: .max, body: [1, 2, 3]),
            ], newestSequence: 9)
        #expect(FetchReply(decoding: reply.encoded) == reply)
        let request = FetchRequest(topic: "g/a/", epoch: .max, fromSequence: 3)
        #expect((try? FetchRequest(decoding: request.encoded)) == request)
    }
}

extension Header {
    fileprivate static func random(using random: inout SplitMix64) -> Header {
        func number() -> UInt64 {
            Bool.random(using: &random) ? 0 : random.next() >> UInt64.random(in: 0..<64, using: &random)
        }
        func data(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        func few(_ max: Int) -> Int { Int.random(in: 0...max, using: &random) }
        var header = Header(FrameKind(rawValue: UInt32(few(12))) ?? .unspecified, callID: number())
        header.method = String(repeating: "ü/", count: few(60))
        header.timeoutMicroseconds = number()
        header.idempotencyKey = data(few(32))
        header.attempt = UInt32(truncatingIfNeeded: number())
        header.traceID = data(few(16))
        header.credit = UInt32(truncatingIfNeeded: number())
        header.sequence = UInt32(truncatingIfNeeded: number())
        header.status = UInt32(few(20))
        header.message = String(repeating: "x", count: few(1_024))
        header.retryAfterMilliseconds = number()
        header.details = data(few(4_000))
        header.publisher = data(few(16))
        header.epoch = number()
        header.topicSequence = number()
        header.publishedUnixMs = Int64(bitPattern: number())
        header.asksAnother = number() % 2 == 0
        return header
    }
}
