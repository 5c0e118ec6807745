import EnergyTestSupport
import EnergyTransport
import Testing

/// Which of several replicas a client asks, in time that the test passes in.
@Suite struct ReplicaChoiceTests {
    private static func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    /// What becomes of a call of 20 seconds to whom nobody listens.
    private static func end(of engine: inout ClientEngine, at seconds: Double) -> StatusCode? {
        _ = engine.tick(at: time(seconds))
        guard case .finish(_, .failure(let failure))? = engine.actions.first else { return nil }
        return failure.code
    }

    @Test func `that the only server is away is said soon, and of replicas one may take over until the deadline`() {
        let options = CallOptions(timeout: .seconds(20))
        var alone = ClientEngine(addresses: ["a"], limits: .init())
        alone.begin(alone.makeToken(), "Test/A", [], options, at: Self.time(0))
        #expect(Self.end(of: &alone, at: 1.9) == nil)
        #expect(Self.end(of: &alone, at: 2) == .unavailable)

        var replicas = ClientEngine(addresses: ["a", "b"], limits: .init())
        replicas.begin(replicas.makeToken(), "Test/A", [], options, at: Self.time(0))
        replicas.begin(replicas.makeToken(), "Test/B", [], options, at: Self.time(1))
        #expect(Self.end(of: &replicas, at: 19) == nil)
        var followed = replicas
        #expect(Self.end(of: &followed, at: 20) == .unavailable)
        replicas.linkUp(1, at: Self.time(19))
        #expect(replicas.outgoing.filter { $0.frame.header.kind == .request }.count == 2)

        var refused = ClientEngine(addresses: ["a", "b"], limits: .init())
        refused.linkRefused(1, .unknownKey)
        refused.begin(refused.makeToken(), "Test/A", [], options, at: Self.time(0))
        #expect(Self.end(of: &refused, at: 2) == .unauthenticated)
    }

    @Test func `a stream that has not begun is asked of another replica, and one that has is not`() {
        func links(isIdempotent: Bool, chunks: UInt32) -> [Int] {
            var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
            for link in [0, 1] { engine.linkUp(link, at: Self.time(0)) }
            let options = CallOptions(timeout: .seconds(20), isIdempotent: isIdempotent)
            engine.begin(engine.makeToken(), "Test/Stream", [], options, isStream: true, at: Self.time(0))
            var links: [Int] { engine.outgoing.filter { $0.frame.header.kind == .request }.map(\.link) }
            guard let (first, request) = engine.outgoing.last.map({ ($0.link, $0.frame.header) }) else { return [] }
            for sequence in 0..<chunks {
                var header = Header(.chunk, callID: request.callID)
                header.sequence = sequence
                Frame(header, body: [1]).encoded.withUnsafeBytes { engine.receive($0, on: first, at: Self.time(1)) }
            }
            let before = links
            engine.linkDown(first, at: Self.time(1))
            _ = engine.tick(at: Self.time(2))
            // What was on its way on a link that broke is forgotten.
            return (before + links).map { $0 == first ? 0 : 1 }
        }
        #expect(links(isIdempotent: true, chunks: 0) == [0, 1])
        #expect(links(isIdempotent: true, chunks: 1) == [0])
        #expect(links(isIdempotent: false, chunks: 0) == [0])
    }

    @Test(arguments: [false, true])
    func `what a replica leaves to another is asked of that one, though it may not be repeated`(isStream: Bool) {
        var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
        for link in [0, 1] { engine.linkUp(link, at: Self.time(0)) }
        let options = CallOptions(timeout: .seconds(20), affinity: [7])
        /// The requests that are to be sent now.
        func sent() -> [(link: Int, frame: Frame)] {
            defer { engine.outgoing = [] }
            return engine.outgoing.filter { $0.frame.header.kind == .request }
        }
        func answer(_ request: (link: Int, frame: Frame)?, _ failure: CallFailure?, at seconds: Double) {
            guard let request else { return }
            let (kind, id) = (isStream ? FrameKind.end : .reply, request.frame.header.callID)
            let header = failure.map { Header(kind, callID: id, failure: $0) } ?? Header(kind, callID: id)
            Frame(header).encoded.withUnsafeBytes { engine.receive($0, on: request.link, at: Self.time(seconds)) }
        }
        func begin(_ method: String, at seconds: Double) {
            engine.begin(engine.makeToken(), method, [5], options, isStream: isStream, at: Self.time(seconds))
        }
        begin("Test/Put", at: 0)
        let first = sent()
        answer(first.first, .forAnother, at: 1)
        let second = sent()
        #expect(first.count == 1 && second.count == 1 && first.first?.link != second.first?.link)
        #expect(second.first?.frame.body == [5])
        // Until it is asked again that one is the last to be asked, and only for this method.
        begin("Test/Put", at: 1)
        begin("Test/Get", at: 1)
        #expect(sent().map(\.link) == [second.first?.link, first.first?.link])
        // Both leave it to the other while one is about to take over.
        answer(second.first, .forAnother, at: 1.2)
        #expect(sent().isEmpty)
        let due = engine.tick(at: Self.time(1.4))
        #expect(due == Self.time(1.5))
        _ = engine.tick(at: due)
        let third = sent()
        #expect(third.map(\.link) == [first.first?.link])
        engine.actions = []
        answer(third.first, nil, at: 1.6)
        #expect(engine.actions.count == 1)
    }

    @Test func `what replicas leave to each other of one venue holds up nothing of another`() {
        var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
        for link in [0, 1] { engine.linkUp(link, at: Self.time(0)) }
        /// What is sent to whom, when a call of a venue begins and what is left to another is asked of that.
        func links(venue: UInt8, at seconds: Double, isLeft: Bool) -> [Int] {
            let options = CallOptions(timeout: .seconds(20), affinity: [venue])
            engine.begin(engine.makeToken(), "Test/Put", [], options, isStream: false, at: Self.time(seconds))
            var links: [Int] = []
            while let (link, frame) = engine.outgoing.first {
                engine.outgoing.removeFirst()
                guard frame.header.kind == .request else { continue }
                links.append(link)
                guard isLeft else { continue }
                let refusal = Header(.reply, callID: frame.header.callID, failure: .forAnother)
                Frame(refusal).encoded.withUnsafeBytes { engine.receive($0, on: link, at: Self.time(seconds)) }
            }
            return links
        }
        #expect(links(venue: 7, at: 0, isLeft: true).sorted() == [0, 1])
        // Another call of that venue waits, too; those of others go to whom they prefer.
        #expect(links(venue: 7, at: 0.1, isLeft: true) == [])
        let other = links(venue: 8, at: 0.2, isLeft: false)
        #expect(other.count == 1)
        #expect(links(venue: 8, at: 0.3, isLeft: false) == other)
    }

    @Test func `who took a venue that another left is asked first from then on, until that one leaves it or is gone`() {
        var engine = ClientEngine(addresses: ["a", "b", "c"], limits: .init())
        for link in [0, 1, 2] { engine.linkUp(link, at: Self.time(0)) }
        /// Whom a call is sent to until `taker` takes it.
        func links(taker: Int, at seconds: Double) -> [Int] {
            _ = engine.tick(at: Self.time(seconds))
            let options = CallOptions(timeout: .seconds(20), affinity: [7])
            engine.begin(engine.makeToken(), "Test/Put", [], options, at: Self.time(seconds))
            var links: [Int] = []
            while let (link, frame) = engine.outgoing.first {
                engine.outgoing.removeFirst()
                guard frame.header.kind == .request else { continue }
                links.append(link)
                let id = frame.header.callID
                let answer =
                    link == taker ? Header(.reply, callID: id) : Header(.reply, callID: id, failure: .forAnother)
                Frame(answer).encoded.withUnsafeBytes { engine.receive($0, on: link, at: Self.time(seconds)) }
            }
            return links
        }
        // Nobody takes it: all are asked, in the order in which they are preferred.
        let order = links(taker: -1, at: 0)
        guard order.count == 3 else { return #expect(order.count == 3) }
        let (first, last) = (order[0], order[2])
        engine.cancelAll(.noConnection)
        #expect(links(taker: last, at: 10) == order)
        #expect(links(taker: last, at: 20) == [last])
        // It gives the venue back to the first.
        #expect(links(taker: first, at: 30) == [last, first])
        #expect(links(taker: first, at: 40) == [first])
        #expect(links(taker: last, at: 50) == order)
        #expect(links(taker: last, at: 60) == [last])
        // It is another process when it comes back.
        engine.linkDown(last, at: Self.time(70))
        engine.linkUp(last, at: Self.time(70))
        #expect(links(taker: last, at: 80) == order)
    }

    @Test func `that every replica leaves it to another is said when one had the time to take over, or at once of one`()
    {
        func failure(of addresses: [String], at seconds: Double) -> CallFailure? {
            var engine = ClientEngine(addresses: addresses, limits: .init())
            for link in addresses.indices { engine.linkUp(link, at: Self.time(0)) }
            engine.begin(engine.makeToken(), "Test/Put", [], CallOptions(timeout: .seconds(99)), at: Self.time(0))
            for step in stride(from: 0, through: seconds, by: 0.25) {
                while !engine.outgoing.isEmpty {
                    let sent = engine.outgoing.filter { $0.frame.header.kind == .request }
                    engine.outgoing = []
                    for (link, frame) in sent {
                        let refusal = Header(.reply, callID: frame.header.callID, failure: .forAnother)
                        Frame(refusal).encoded.withUnsafeBytes { engine.receive($0, on: link, at: Self.time(step)) }
                    }
                }
                _ = engine.tick(at: Self.time(step))
            }
            guard case .finish(_, .failure(let failure))? = engine.actions.first else { return nil }
            return failure
        }
        #expect(failure(of: ["a", "b"], at: 29) == nil)
        #expect(failure(of: ["a", "b"], at: 31) == .forAnother)
        #expect(failure(of: ["a"], at: 0) == .forAnother)
    }

    @Test func `a replica that let a call run out without a word is not preferred for the next one`() {
        var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
        for link in [0, 1] { engine.linkUp(link, at: Self.time(0)) }
        func call(_ method: String, at seconds: Double) -> Int? {
            let options = CallOptions(timeout: .seconds(10), affinity: [7])
            engine.begin(engine.makeToken(), method, [], options, at: Self.time(seconds))
            return engine.outgoing.last { $0.frame.header.method == method }?.link
        }
        let preferred = call("Test/A", at: 0)
        for seconds in [5.0, 10] { _ = engine.tick(at: Self.time(seconds)) }
        #expect(call("Test/B", at: 11) == preferred.map { 1 - $0 })
    }

    @Test func `a call goes to the server that its key prefers, and to another while that is away`() {
        var engine = ClientEngine(addresses: ["a", "b"], limits: .init())
        engine.linkUp(0, at: Self.time(0))
        engine.linkUp(1, at: Self.time(0))
        func call(_ method: String, at seconds: Double) -> Int? {
            engine.begin(engine.makeToken(), method, [], CallOptions(affinity: [7]), at: Self.time(seconds))
            return engine.outgoing.last { $0.frame.header.method == method }?.link
        }
        guard let preferred = call("Test/A", at: 0) else {
            Issue.record("not sent")
            return
        }
        #expect(call("Test/B", at: 0) == preferred)
        Frame(Header(.goAway)).encoded.withUnsafeBytes { engine.receive($0, on: preferred, at: Self.time(1)) }
        #expect(call("Test/C", at: 1) == 1 - preferred)
        engine.linkDown(1 - preferred, at: Self.time(2))
        // One that stops would refuse it: it waits for the other to come back, or a third.
        #expect(call("Test/D", at: 2) == nil)
        engine.linkUp(1 - preferred, at: Self.time(3))
        #expect(engine.outgoing.last?.frame.header.method == "Test/D")
        #expect(call("Test/E", at: 3) == 1 - preferred)
        engine.linkDown(preferred, at: Self.time(4))
        engine.linkUp(preferred, at: Self.time(4))
        #expect(call("Test/F", at: 5) == preferred)
    }
}
