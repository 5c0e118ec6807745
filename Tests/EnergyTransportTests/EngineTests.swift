import EnergyTestSupport
import EnergyTransport
import Testing

/// The engines alone, in time that the test passes in.
@Suite struct EngineTests {
    private static func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    private static func server(_ limits: ServerLimits = .init()) -> ServerEngine {
        var methods = MethodTable()
        methods.untilCancelled(.init())
        methods.stream("Test/Stream") { (_, _, _) async throws(CallFailure) in }
        return ServerEngine(methods: methods, limits: limits)
    }

    private static func request(_ method: String = "Test/Wait", callID: UInt64 = 1, credit: UInt32 = 0) -> [UInt8] {
        var header = Header(.request, callID: callID)
        header.method = method
        header.credit = credit
        return Frame(header).encoded
    }

    private func receive(_ bytes: [UInt8], _ engine: inout ServerEngine, at seconds: Double) -> ServerEngine.Invocation?
    {
        bytes.withUnsafeBytes { engine.receive($0, from: 7, at: Self.time(seconds)) }
    }

    @Test func `a caller that says nothing for fifteen seconds loses its calls`() throws {
        var engine = Self.server()
        let invocation = try #require(receive(Self.request(), &engine, at: 0))
        #expect(engine.tick(at: Self.time(14.9)) == Self.time(15))
        #expect(engine.actions.isEmpty)
        _ = engine.tick(at: Self.time(15))
        guard case .cancelHandler(invocation.key)? = engine.actions.first else {
            Issue.record("not cancelled")
            return
        }
        #expect(engine.outgoing.isEmpty)
        #expect(engine.statistics.peersLost == 1)
        // The handler still counts until it returns.
        #expect(engine.callCount == 1)
        engine.finish(invocation.key, .success([1]))
        #expect(engine.callCount == 0)
        #expect(engine.outgoing.isEmpty)
    }

    @Test func `a call that is left to another replica is told so, and counts as no failure`() throws {
        var engine = Self.server()
        let invocation = try #require(receive(Self.request(), &engine, at: 0))
        engine.finish(invocation.key, .failure(.forAnother))
        let header = try #require(engine.outgoing.last?.frame.header)
        #expect(header.status == StatusCode.unavailable.rawValue && header.asksAnother)
        #expect(engine.statistics.callsLeft == 1)
        #expect(engine.statistics.repliesByStatus.allSatisfy { $0 == 0 })
    }

    @Test func `a ping keeps a caller's calls`() throws {
        var engine = Self.server()
        _ = try #require(receive(Self.request(), &engine, at: 0))
        for seconds in stride(from: 5.0, through: 50, by: 5) {
            _ = receive(Frame(Header(.ping)).encoded, &engine, at: seconds)
            _ = engine.tick(at: Self.time(seconds + 1))
        }
        #expect(engine.statistics.peersLost == 0)
        #expect(engine.outgoing.allSatisfy { $0.frame.header.kind == .pong })
    }

    @Test func `a writer without credit waits, and credit lets it go on in order`() throws {
        var engine = Self.server()
        let key = try #require(receive(Self.request("Test/Stream", credit: 2), &engine, at: 0)).key
        #expect(engine.write([0], to: key, ticket: 1) == .sent)
        #expect(engine.write([1], to: key, ticket: 2) == .sent)
        #expect(engine.write([2], to: key, ticket: 3) == .waits)
        #expect(engine.write([3], to: key, ticket: 4) == .waits)
        var credit = Header(.credit, callID: 1)
        credit.credit = 1
        _ = receive(Frame(credit).encoded, &engine, at: 1)
        #expect(engine.outgoing.map(\.frame.body) == [[0], [1], [2]])
        #expect(engine.outgoing.map(\.frame.header.sequence) == [0, 1, 2])
        engine.finish(key, .success([]))
        #expect(engine.outgoing.last?.frame.header.kind == .end)
        #expect(engine.outgoing.last?.frame.header.sequence == 3)
    }

    @Test func `a stream with endless credit is taken by the link in portions`() throws {
        var engine = Self.server()
        let key = try #require(receive(Self.request("Test/Stream", credit: .max), &engine, at: 0)).key
        let chunk = [UInt8](repeating: 1, count: 400_000)
        for ticket in UInt64(1)...3 { #expect(engine.write(chunk, to: key, ticket: ticket) == .sent) }
        #expect(engine.write(chunk, to: key, ticket: 4) == .waits)
        #expect(engine.actions.isEmpty)
        engine.outgoing = []
        engine.noteTaken()
        guard case .resumeWriter(4, .success)? = engine.actions.first else {
            Issue.record("the writer still waits")
            return
        }
        #expect(engine.outgoing.map(\.frame.header.sequence) == [3])
    }

    @Test func `replies that are not read count as calls in flight, and hold streams up`() throws {
        var engine = Self.server()
        let key = try #require(receive(Self.request("Test/Stream", credit: 9), &engine, at: 0)).key
        engine.noteUnsent(256, of: 7)
        #expect((receive(Self.request(callID: 2), &engine, at: 0) == nil) == (2 == 2))
        #expect(engine.outgoing.last?.frame.header.status == StatusCode.resourceExhausted.rawValue)
        #expect(engine.write([1], to: key, ticket: 1) == .waits)
        engine.noteUnsent(100, of: 7)
        #expect((receive(Self.request(callID: 3), &engine, at: 0) == nil) == (3 == 2))
        #expect(engine.actions.isEmpty)
        engine.noteUnsent(0, of: 7)
        guard case .resumeWriter(1, .success)? = engine.actions.first else {
            Issue.record("the writer still waits")
            return
        }
        #expect(engine.outgoing.last?.frame.body == [1])
    }

    @Test func `credit without end does not overflow`() throws {
        var engine = Self.server()
        let key = try #require(receive(Self.request("Test/Stream", credit: .max), &engine, at: 0)).key
        var credit = Header(.credit, callID: 1)
        credit.credit = .max
        for _ in 0..<100 { _ = receive(Frame(credit).encoded, &engine, at: 0) }
        #expect(engine.write([0], to: key, ticket: 1) == .sent)
    }

    @Test func `more callers than allowed are refused`() {
        var limits = ServerLimits()
        limits.peersMax = 2
        var engine = Self.server(limits)
        for peer in UInt64(1)...3 {
            _ = Self.request().withUnsafeBytes { engine.receive($0, from: peer, at: Self.time(0)) }
        }
        #expect(engine.callCount == 2)
        #expect(engine.outgoing.map(\.frame.header.status) == [StatusCode.resourceExhausted.rawValue])
    }

    @Test func `a server that does not answer pings loses its calls after three`() {
        var engine = ClientEngine(addresses: ["a"], limits: .init())
        engine.linkUp(0, at: Self.time(0))
        let token = engine.makeToken()
        engine.begin(token, "Test/Wait", [], CallOptions(timeout: .seconds(60)), at: Self.time(0))
        for seconds in [5.0, 10, 15] { _ = engine.tick(at: Self.time(seconds)) }
        #expect(engine.statistics.framesReceived == 0)
        guard case .finish(token, .failure(let failure))? = engine.actions.first else {
            Issue.record("still waiting")
            return
        }
        #expect(failure.code == .unavailable)
    }

    @Test func `keys spread over the servers, and only those of a server that goes move`() {
        func choices(_ addresses: [String], without gone: String? = nil) -> [String] {
            var engine = ClientEngine(addresses: addresses, limits: .init())
            for (link, address) in addresses.enumerated() where address != gone {
                engine.linkUp(link, at: Self.time(0))
            }
            return (0..<300).compactMap { key in
                let options = CallOptions(affinity: [UInt8(key / 256), UInt8(key % 256)])
                engine.begin(engine.makeToken(), "Test/A", [], options, at: Self.time(0))
                return engine.outgoing.last.map { addresses[$0.link] }
            }
        }
        let hosts = ["tcp://10.0.0.1:7410", "tcp://10.0.0.2:7410", "tcp://10.0.0.3:7410"]
        let before = choices(hosts)
        for host in hosts { #expect(70...130 ~= before.count { $0 == host }) }
        #expect(choices(hosts.reversed()) == before)
        let after = choices(hosts, without: hosts[1])
        for (old, new) in zip(before, after) where old != hosts[1] { #expect(new == old) }
        let moved = zip(before, after).filter { $0.0 == hosts[1] }.map(\.1)
        #expect(Set(moved) == [hosts[0], hosts[2]])
    }

    @Test func `calls without a key stay together, and clients spread`() {
        let links = (0..<64).map { _ -> Int in
            var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
            for link in 0...1 { engine.linkUp(link, at: Self.time(0)) }
            for _ in 0..<3 { engine.begin(engine.makeToken(), "Test/A", [], CallOptions(), at: Self.time(0)) }
            #expect(Set(engine.outgoing.map(\.link)).count == 1)
            return engine.outgoing.first?.link ?? -1
        }
        #expect(Set(links) == [0, 1])
    }

    @Test func `an idle publisher says the heads of a thousand topics a second, in turn`() throws {
        var engine = PublisherEngine(publisherID: [], epoch: 1, limits: .init())
        for topic in 0..<2_500 { try engine.publish("t/\(topic)/", [1], unixMs: 0, at: Self.time(0)) }
        engine.outgoing = []
        var said: Set<String> = []
        for second in 1...3 {
            _ = engine.tick(unixMs: 0, at: Self.time(Double(second)))
            #expect(engine.outgoing.count <= 1_000)
            said.formUnion(engine.outgoing.map(\.topic))
            engine.outgoing = []
        }
        #expect(said.count == 2_500)
    }

    @Test func `a welcome says how many topics there are, and their heads if they are not too many`() throws {
        var engine = PublisherEngine(publisherID: [], epoch: 1, limits: .init())
        for topic in 0..<600 { try engine.publish("t/\(topic)/", [1], unixMs: 0, at: Self.time(0)) }
        engine.outgoing = []
        engine.subscribed("t/1", unixMs: 5)
        #expect(engine.outgoing.first?.frame.header.kind == .welcome)
        #expect(engine.outgoing.first?.frame.header.sequence == 111)
        #expect(engine.outgoing.count == 112)
        engine.subscribed("t/", unixMs: 5)
        engine.outgoing = []
        // The heads of this second are used up.
        engine.subscribed("t/", unixMs: 5)
        #expect(engine.outgoing.map(\.frame.header.sequence) == [.max])
    }

    @Test func `what is forgotten is fetched no more, and sequences go on`() throws {
        var engine = PublisherEngine(publisherID: [], epoch: 1, limits: .init())
        for topic in ["events/a/car/", "events/a/heat/"] {
            for _ in 0..<3 { try engine.publish(topic, [1], unixMs: 0, at: Self.time(0)) }
        }
        engine.forget { $0.hasSuffix("/car/") }
        let failure = #expect(throws: CallFailure.self) {
            try engine.fetch(FetchRequest(topic: "events/a/car/", epoch: 1, fromSequence: 1))
        }
        #expect(failure?.code == .outOfRange)
        try engine.publish("events/a/car/", [2], unixMs: 0, at: Self.time(0))
        let reply = try engine.fetch(FetchRequest(topic: "events/a/car/", epoch: 1, fromSequence: 4))
        #expect(reply.publications.map(\.sequence) == [4])
        let others = try engine.fetch(FetchRequest(topic: "events/a/heat/", epoch: 1, fromSequence: 1))
        #expect(others.publications.count == 3)
    }

    @Test func `what is retained stays within its bytes, and what is left can be fetched`() throws {
        var limits = ServerLimits()
        limits.retainedBytesMax = 100_000
        limits.retainedPerTopicMax = 10
        var engine = PublisherEngine(publisherID: [], epoch: 1, limits: limits)
        try engine.publish("quiet/", [1], unixMs: 0, at: Self.time(0))
        for number in 0..<20_000 {
            try engine.publish(
                "t/\(number % 50)/", [UInt8](repeating: 1, count: number % 500), unixMs: 0, at: Self.time(0))
            engine.outgoing = []
        }
        var byteCount = 0
        for topic in 0..<50 {
            let newest = UInt64(400)
            for from in stride(from: newest, to: newest - 12, by: -1) {
                guard let reply = try? engine.fetch(FetchRequest(topic: "t/\(topic)/", epoch: 1, fromSequence: from))
                else {
                    break
                }
                #expect(reply.newestSequence == newest)
                #expect(reply.publications.map(\.sequence) == Array(from...newest))
                byteCount += reply.publications.first?.body.count ?? 0
            }
        }
        #expect(byteCount <= 100_000)
        #expect(byteCount > 40_000)
    }

    @Test func `heads beyond all numbers do not trap a subscriber`() {
        var engine = SubscriberEngine(linkCount: 1, limits: .init())
        engine.linkUp(0, at: Self.time(0))
        let id = engine.subscribe("g/", at: Self.time(0))
        var frames: [(String, Header)] = []
        var welcome = Header(.welcome)
        welcome.publishedUnixMs = 1
        frames.append(("g/", welcome))
        for sequence in [UInt64.max, 0, 1, UInt64.max - 1] {
            for kind in [FrameKind.head, .publication] {
                var header = Header(kind)
                header.topicSequence = sequence
                header.publishedUnixMs = 2
                frames.append(("g/\(frames.count % 3)/", header))
            }
        }
        for (topic, header) in frames {
            Array(topic.utf8).withUnsafeBytes { topic in
                Frame(header).encoded.withUnsafeBytes { engine.receive(topic: topic, $0, on: 0, at: Self.time(1)) }
            }
            for case .fetch(let key, _) in engine.actions {
                engine.fetched(key, .failure(CallFailure(.outOfRange, "")))
            }
            engine.actions = []
        }
        #expect(engine.take(id) == .joined)
    }
}
