import Testing

@testable import EnergyTransport

@Suite struct SharedPublicationTests {
    private func engine(_ limits: ServerLimits = ServerLimits()) -> PublisherEngine {
        PublisherEngine(publisherID: [UInt8](repeating: 1, count: 16), epoch: 1, limits: limits)
    }

    @Test func `what shares an end arrives whole, published and fetched`() throws {
        var engine = engine()
        let now = MonotonicTime(nanoseconds: 0)
        try engine.publish("a/", [1, 2], tail: [3, 4, 5], sharers: 2, unixMs: 1, at: now)
        try engine.publish("b/", [9], tail: [3, 4, 5], sharers: 2, unixMs: 1, at: now)
        #expect(engine.outgoing.map { Array($0.frame.encoded.suffix(4)) } == [[2, 3, 4, 5], [9, 3, 4, 5]])
        let reply = try engine.fetch(FetchRequest(topic: "a/", epoch: 1, fromSequence: 1))
        #expect(FetchReply(decoding: reply.encoded)?.publications.map(\.body) == [[1, 2, 3, 4, 5]])
    }

    @Test func `a shared end counts once against what is kept`() throws {
        var limits = ServerLimits()
        limits.retainedBytesMax = 20_000
        let tail = [UInt8](repeating: 7, count: 1_000)
        func kept(sharers: Int) throws -> Int {
            var engine = engine(limits)
            for index in 0..<100 {
                try engine.publish(
                    "t\(index)/", [1], tail: tail, sharers: sharers, unixMs: 1, at: MonotonicTime(nanoseconds: 0))
            }
            return engine.topics.values.count { !$0.retained.isEmpty }
        }
        #expect(try kept(sharers: 1) < 20)
        #expect(try kept(sharers: 100) == 100)
    }

    @Test func `a body that is too long with its end is refused`() {
        var engine = engine()
        let tail = [UInt8](repeating: 7, count: Frame.bodyByteCountMax)
        #expect(throws: CallFailure.self) {
            try engine.publish("a/", [1], tail: tail, sharers: 1, unixMs: 1, at: MonotonicTime(nanoseconds: 0))
        }
    }
}
