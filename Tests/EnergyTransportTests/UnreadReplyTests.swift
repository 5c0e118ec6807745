import EnergyTestSupport
import EnergyTransport
import Foundation
import Synchronization
import Testing
import ZeroMQ
import ZeroMQTransport

/// A peer that sends faster than it reads: every request still gets its one reply, and what is kept for it is bounded.
@Suite(.serialized, .timeLimit(.minutes(2))) struct UnreadReplyTests {
    private let losses = Losses()

    private final class Losses: Sendable {
        private let all = Mutex<[TransportLoss]>([])
        func append(_ loss: TransportLoss) { all.withLock { $0.append(loss) } }
        var kinds: [TransportLoss.Kind] { all.withLock { $0.map(\.kind) } }
        var names: [String?] { all.withLock { $0.map(\.name) } }
        var frameCount: Int { all.withLock { $0.reduce(0) { $0 + $1.frameCount } } }
    }

    private func makeServer(_ limits: ServerLimits = .init()) throws -> ZeroMQServer {
        let losses = losses
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1, limits: limits, onLoss: { losses.append($0) })
        let large = [UInt8](repeating: 7, count: 200_000)
        var methods = MethodTable()
        methods.echo()
        methods.unary("Test/Large") { (_, _) async throws(CallFailure) in large }
        methods.stream("Test/Endless") { (_, _, writer) async throws(CallFailure) in
            while true { try await writer.write(large) }
        }
        server.serve(methods)
        return server
    }

    private func send(_ count: Int, _ method: String, over probe: Probe, credit: UInt32 = 0) async throws {
        for number in 1...count {
            var header = Header(.request, callID: UInt64(number))
            header.method = method
            header.credit = credit
            try await probe.send([Frame(header).encoded])
        }
    }

    @Test(arguments: [5_000, 50_000])
    func `requests sent all at once each get exactly one reply, read afterwards`(count: Int) async throws {
        let server = try makeServer()
        let before = residentMiB()
        let probe = try Probe(.dealer, server.requestAddress)
        try await send(count, "Test/Echo", over: probe)
        var statuses: [UInt64: UInt32] = [:]
        while statuses.count < count {
            let header = try #require(try await probe.receiveOne())
            #expect(statuses.updateValue(header.status, forKey: header.callID) == nil)
            if header.status != 0 {
                #expect(header.status == StatusCode.resourceExhausted.rawValue && header.retryAfterMilliseconds > 0)
            }
        }
        // What is sent last is answered last: nothing came twice.
        #expect(try await probe.answer(to: [echoRequest(callID: .max)])?.callID == .max)
        #expect(statuses.values.contains(0))
        #expect(server.statistics.framesUndeliverable == 0)
        #expect(losses.kinds.isEmpty)
        #expect(residentMiB() < before + 64)
        await server.close()
    }

    @Test func `large replies that nobody reads take bounded memory, and each call still gets a status`() async throws {
        let server = try makeServer()
        // The probe is in this process, too: what it has received and not read must not count.
        let probe = try Probe(.dealer, server.requestAddress, receiveQueueMax: 2)
        let before = residentMiB()
        // 400 MB of replies, if all of them were kept.
        try await send(2_000, "Test/Large", over: probe)
        let client = try ZeroMQClient(requestAddresses: [server.requestAddress], publishAddresses: [])
        while server.statistics.framesReceived < 2_000 { #expect(try await client.call("Test/Echo", [1]) == [1]) }
        #expect(residentMiB() < before + 100)
        var answered: Set<UInt64> = []
        for _ in 0..<2_000 { answered.insert(try #require(try await probe.receiveOne()).callID) }
        #expect(answered.count == 2_000)
        await client.close()
        await server.close()
    }

    @Test func `a stream with endless credit waits for its reader`() async throws {
        let server = try makeServer()
        // The probe is in this process, too: what it has received and not read must not count.
        let probe = try Probe(.dealer, server.requestAddress, receiveQueueMax: 2)
        let before = residentMiB()
        try await send(1, "Test/Endless", over: probe, credit: .max)
        let client = try ZeroMQClient(requestAddresses: [server.requestAddress], publishAddresses: [])
        while server.statistics.framesParked == 0 { #expect(try await client.call("Test/Echo", [1]) == [1]) }
        for number in 0..<1_000 { #expect(try await client.call("Test/Echo", bytes(number)) == bytes(number)) }
        #expect(residentMiB() < before + 100)
        for sequence in 0..<UInt32(200) {
            let header = try #require(try await probe.receiveOne())
            #expect(header.kind == .chunk && header.sequence == sequence)
        }
        await client.close()
        await server.close()
    }

    @Test func `a peer that never reads loses replies, which are counted, and told once`() async throws {
        var limits = ServerLimits()
        limits.unsentBytesPerPeerMax = 64 * 1_024
        let server = try makeServer(limits)
        let probe = try Probe(.dealer, server.requestAddress)
        // Whoever has called a method is known by name.
        try await send(1, "Test/Echo", over: probe)
        // Its own receive queue and the network between take some megabytes before anything is kept here.
        try await send(60_000, "Test/Nothing" + String(repeating: "-", count: 180), over: probe)
        let client = try ZeroMQClient(requestAddresses: [server.requestAddress], publishAddresses: [])
        while server.statistics.framesReceived < 60_000 { #expect(try await client.call("Test/Echo", [1]) == [1]) }
        let statistics = server.statistics
        #expect(statistics.framesUndeliverable > 0)
        #expect(losses.kinds == [.unread])
        #expect(losses.names == [Principal.local.name])
        await client.close()
        await server.close()
    }

    private func echoRequest(callID: UInt64) -> [UInt8] {
        var header = Header(.request, callID: callID)
        header.method = "Test/Echo"
        return Frame(header).encoded
    }
}
