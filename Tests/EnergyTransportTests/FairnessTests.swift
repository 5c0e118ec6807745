import EnergyTestSupport
import EnergyTransport
import Synchronization
import Testing

/// One peer that sends much: the others are answered meanwhile, and it is not taken for silent.
@Suite struct FairnessTests {
    /// The time stands still but for handlers, which take as long as they say.
    private final class Work: Sendable {
        private let state = Mutex((now: Int64(0), order: [UInt64]()))
        var now: MonotonicTime { MonotonicTime(nanoseconds: state.withLock(\.now)) }
        var order: [UInt64] { state.withLock(\.order) }
        func advance(milliseconds: Int64) { state.withLock { $0.now += milliseconds * 1_000_000 } }
        func did(_ number: UInt64) { state.withLock { $0.order.append(number) } }
    }

    private let work = Work()

    /// - Parameter milliseconds: of each handler. It notes the call's number, which is its body.
    private func makeServer(milliseconds: Int64) -> ServerEndpoint {
        let work = work
        let server = ServerEndpoint(
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1, limits: ServerLimits(),
            clock: TransportClock(now: { work.now }, unixMilliseconds: { 0 }), wake: {})
        var methods = MethodTable()
        methods.add(
            "Test/Work", bodyBytesMax: 1 << 20,
            .unary { (body, _) async throws(CallFailure) in
                work.did(UInt64(body[0]))
                work.advance(milliseconds: milliseconds)
                return []
            })
        server.serve(methods)
        return server
    }

    private func request(_ number: UInt8, bodyByteCount: Int = 1) -> [UInt8] {
        var header = Header(.request, callID: UInt64(number))
        header.method = "Test/Work"
        var body = [UInt8](repeating: 0, count: bodyByteCount)
        body[0] = number
        return Frame(header, body: body).encoded
    }

    private struct Arrival {
        let peer: ServerEngine.PeerID
        let frame: [UInt8]
    }

    /// A link's turn: reads as a link does.
    ///
    /// - Returns: what was left for want of room.
    private func turn(_ server: ServerEndpoint, _ arrived: [Arrival] = []) -> ArraySlice<Arrival> {
        var rest = arrived[...]
        server.receiveTurn { (engine, waiting, now) in
            while waiting.hasRoom, let next = rest.popFirst() {
                let invocation = next.frame.withUnsafeBytes { engine.receive($0, from: next.peer, at: now) }
                if let invocation { waiting.append(invocation) }
            }
            return rest.isEmpty
        }
        return rest
    }

    private func answered(_ server: ServerEndpoint) -> [UInt64] {
        _ = server.tick()
        var outgoing = ServerEndpoint.Outgoing()
        server.takeOutgoing(&outgoing)
        return outgoing.replies.map(\.frame.header.callID)
    }

    @Test func `replies go out while other requests wait for their handlers`() {
        let server = makeServer(milliseconds: 5)
        _ = turn(server, (1...20).map { Arrival(peer: 1, frame: request($0)) })
        #expect(answered(server) == [1])
        #expect(server.isChanged)
        _ = turn(server)
        #expect(answered(server) == [2])
    }

    @Test func `a peer that sends little waits for one handler of a peer that sends much`() {
        let server = makeServer(milliseconds: 5)
        _ = turn(server, (1...20).map { Arrival(peer: 1, frame: request($0)) })
        _ = turn(server, [Arrival(peer: 2, frame: request(100)), Arrival(peer: 2, frame: request(101))])
        for _ in 0..<3 { _ = turn(server) }
        #expect(work.order == [1, 2, 100, 3, 101])
        while server.isChanged {
            _ = turn(server)
            _ = answered(server)
        }
        #expect(work.order == [1, 2, 100, 3, 101] + (4...20))
    }

    @Test func `quick handlers of many requests are one turn`() {
        let server = makeServer(milliseconds: 0)
        _ = turn(server, (1...200).map { Arrival(peer: 1, frame: request($0)) })
        #expect(work.order == Array(1...200))
        #expect(answered(server) == Array(1...200))
        #expect(!server.isChanged)
    }

    @Test func `what waits for handlers is bounded, in requests and in bytes`() {
        let server = makeServer(milliseconds: 5)
        let large = (1...20).map { Arrival(peer: 1, frame: request($0, bodyByteCount: 100_000)) }
        #expect(turn(server, large).count == 17)
        let small = (0...511).map { Arrival(peer: UInt64($0) + 2, frame: request(UInt8($0 % 256))) }
        let other = makeServer(milliseconds: 5)
        #expect(turn(other, small).count == 256)
    }

    @Test func `requests of a peer that has left are not started, whether read before or after`() {
        let server = makeServer(milliseconds: 5)
        _ = turn(server, (1...20).map { Arrival(peer: 1, frame: request($0)) })
        _ = turn(server, [Arrival(peer: 2, frame: request(100))])
        server.dropPeer(1, hasLeft: true)
        for number in UInt8(21)...30 { _ = turn(server, [Arrival(peer: 1, frame: request(number))]) }
        #expect(work.order == [1, 2, 100])
        #expect(server.statistics.callsInFlight == 0)
        #expect(server.statistics.framesUnexpected == 10)
    }

    @Test func `a cancelled request that waits is not started`() {
        let server = makeServer(milliseconds: 5)
        _ = turn(server, (1...3).map { Arrival(peer: 1, frame: request($0)) })
        _ = turn(server, [Arrival(peer: 1, frame: Frame(Header(.cancel, callID: 3)).encoded)])
        while server.isChanged {
            _ = turn(server)
            _ = answered(server)
        }
        #expect(work.order == [1, 2])
        #expect(server.statistics.callsInFlight == 0)
    }

    @Test func `a peer whose frames were not read yet is not silent`() {
        let server = makeServer(milliseconds: 16_000)
        // The first handler takes longer than the lease: meanwhile the second peer has sent a ping.
        _ = turn(server, [Arrival(peer: 1, frame: request(1)), Arrival(peer: 2, frame: request(2))])
        let ping = Frame(Header(.ping)).encoded
        server.receiveTurn { (_, _, _) in false }
        _ = server.tick()
        #expect(server.statistics.peersLost == 0)
        _ = turn(server, [Arrival(peer: 2, frame: ping)])
        _ = server.tick()
        #expect(server.statistics.peersLost == 0)
    }

    @Test func `silent peers are found also by a link that never has read all`() {
        var limits = ServerLimits()
        limits.peersMax = 10
        var engine = ServerEngine(methods: MethodTable(), limits: limits)
        let ping = Frame(Header(.ping)).encoded
        func read(_ count: Int, at seconds: Int64) {
            let now = MonotonicTime(nanoseconds: seconds * 1_000_000_000)
            for _ in 0..<count { _ = ping.withUnsafeBytes { engine.receive($0, from: 3, at: now) } }
            engine.noteRead(isAll: false, at: now)
        }
        engine.noteRead(isAll: true, at: MonotonicTime(nanoseconds: 0))
        read(5, at: 20)
        #expect(engine.heardUntil == MonotonicTime(nanoseconds: 0))
        read(9, at: 21)
        #expect(engine.heardUntil == MonotonicTime(nanoseconds: 0))
        read(1, at: 22)
        #expect(engine.heardUntil == MonotonicTime(nanoseconds: 20_000_000_000))
    }
}
