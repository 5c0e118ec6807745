import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing
import ZeroMQ
import ZeroMQTransport

/// Who gets in, and who they are taken for.
@Suite(.serialized, .timeLimit(.minutes(2))) struct KeyTests {
    /// Keys and their principals, which a test may change.
    private final class Guests: Admission {
        let principals = Box<[String: Principal]>([:])
        func principal(ofKey key: String) -> Principal? { principals.value[key] }
        func isCurrent(_ principal: Principal) -> Bool { principals.value.values.contains(principal) }
    }

    private struct House {
        let guests = Guests()
        let keys: CurveKeyPair
        let server: ZeroMQServer
        let refusals: AsyncStream<Refusal>

        init(
            keys: CurveKeyPair? = nil, at addresses: (requests: String, publications: String)? = nil,
            mayRead: (@Sendable (Principal, String) -> Bool)? = nil
        ) throws {
            self.keys = try keys ?? CurveKeyPair.make()
            let (refusals, refused) = AsyncStream<Refusal>.makeStream()
            self.refusals = refusals
            server = try ZeroMQServer(
                requestAddress: addresses?.requests ?? "tcp://127.0.0.1:*",
                publishAddress: addresses?.publications ?? "tcp://127.0.0.1:*",
                publisherID: [UInt8](repeating: 1, count: 16), epoch: 1,
                security: ServerSecurity(keys: self.keys, admission: guests, subscription: .guidance),
                onRefusal: { refused.yield($0) })
            var methods = MethodTable()
            if let mayRead { methods.mayRead = mayRead }
            methods.add("Test/Who", .unary { (_, context) in Array(context.principal.name.utf8) })
            methods.add(
                "Test/Hold",
                .streaming { (_, _, writer) async throws(CallFailure) in
                    // Until the caller is gone: each chunk waits for the one before to be read.
                    while true { try await writer.write([1]) }
                })
            methods.add(
                "Test/Refuse",
                .unary { (_, _) async throws(CallFailure) in
                    var failure = CallFailure(.invalidArgument, "no message")
                    failure.isMalformed = true
                    throw failure
                })
            server.serve(methods)
        }

        func client(
            _ keys: CurveKeyPair?, serverKey: CurveKey? = nil, limits: ClientLimits = ClientLimits()
        ) throws(CallFailure) -> ZeroMQClient {
            try ZeroMQClient(
                requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress],
                security: keys.map { ClientSecurity(keys: $0, serverKey: serverKey ?? self.keys.publicKey) },
                limits: limits)
        }

        /// A key that is let in.
        func invite(_ principal: Principal) throws -> CurveKeyPair {
            let keys = try CurveKeyPair.make()
            guests.principals.update { $0[keys.publicKey.text] = principal }
            return keys
        }
    }

    private static let everywhere = Principal(name: "wall", permissions: [.guidance])

    @Test func `a known key calls, and is known by its name`() async throws {
        let house = try House()
        let client = try house.client(try house.invite(Self.everywhere))
        #expect(
            String(decoding: try await client.call("Test/Who", [], options: CallOptions()), as: UTF8.self) == "wall")
        await client.close()
        await house.server.close()
    }

    @Test func `a known key follows publications`() async throws {
        let house = try House()
        let client = try house.client(try house.invite(Self.everywhere))
        var events = client.subscribe("guidance/").makeAsyncIterator()
        #expect(await events.next() == .joined)
        try house.server.publisher.publish("guidance/a/", [7])
        #expect(
            await events.next() == .publication(Publication(topic: "guidance/a/", epoch: 1, sequence: 1, body: [7])))
        await client.close()
        await house.server.close()
    }

    enum Stranger: CaseIterable { case withoutKey, withUnknownKey }

    @Test(arguments: Stranger.allCases)
    func `a stranger is refused, told so, and counted`(stranger: Stranger) async throws {
        let house = try House()
        let before = house.server.statistics.connectionsRefused
        let client = try house.client(stranger == .withoutKey ? nil : try CurveKeyPair.make())
        let failure = await #expect(throws: CallFailure.self) {
            try await client.call("Test/Who", [], options: CallOptions())
        }
        #expect(failure?.code == .unauthenticated)
        let reason = stranger == .withoutKey ? "demands a key" : "is not known there, or was revoked"
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
        if stranger == .withUnknownKey {
            var refusals = house.refusals.makeAsyncIterator()
            #expect(await refusals.next()?.reason == .unknownKey)
            #expect(house.server.statistics.connectionsRefused > before)
        }
        await client.close()
        await house.server.close()
    }

    @Test func `who is let in later gets in without being started anew`() async throws {
        let house = try House()
        let keys = try CurveKeyPair.make()
        let client = try house.client(keys)
        var refusals = house.refusals.makeAsyncIterator()
        while await refusals.next()?.key != keys.publicKey.text {}
        house.guests.principals.update { $0[keys.publicKey.text] = Self.everywhere }
        house.server.admissionChanged()
        // Each try waits some seconds for a connection; the suite's time limit ends it.
        while (try? await client.call("Test/Who", [], options: CallOptions())) == nil {}
        await client.close()
        await house.server.close()
    }

    @Test func `a client that expects another server's key does not talk to this one`() async throws {
        let house = try House()
        let client = try house.client(
            try house.invite(Self.everywhere), serverKey: try CurveKeyPair.make().publicKey)
        let failure = await #expect(throws: CallFailure.self) {
            try await client.call("Test/Who", [], options: CallOptions())
        }
        #expect(failure?.code == .unauthenticated)
        #expect(failure?.message.contains("none of the keys that the client expects") == true)
        await client.close()
        await house.server.close()
    }

    @Test func `a key that is refused is said to be, though other keys of the service were tried, too`() async throws {
        let house = try House()
        let (known, other) = (house.keys.publicKey, try CurveKeyPair.make().publicKey)
        let client = try ZeroMQClient(
            requestAddresses: [house.server.requestAddress], publishAddresses: [house.server.publishAddress],
            security: ClientSecurity(keys: try CurveKeyPair.make(), serverKeys: { [known, other] }))
        let failure = await #expect(throws: CallFailure.self) {
            try await client.call("Test/Who", [], options: CallOptions())
        }
        #expect(failure?.message.contains("is not known there, or was revoked") == true)
        await client.close()
        await house.server.close()
    }

    @Test func `a server does not tell of the stranger that it sends itself at its start`() async throws {
        let house = try House()
        #expect(house.server.statistics.connectionsRefused == 0)
        let stranger = try CurveKeyPair.make()
        let client = try house.client(stranger)
        var refusals = house.refusals.makeAsyncIterator()
        #expect(await refusals.next()?.key == stranger.publicKey.text)
        await client.close()
        await house.server.close()
    }

    @Test(arguments: [[0x42], [0xA7, 1, 0, 9, 0xFF], [0xA7, 1, 0, 2, 0xFF, 0xFF]] as [[UInt8]])
    func `who sends what is no frame is named, and what others send is answered`(message: [UInt8]) async throws {
        let house = try House()
        let keys = try house.invite(Principal(name: "babbler", permissions: [.guidance]))
        let babbler = try Socket(.dealer, context: try Context())
        try babbler.set(.linger, 0)
        try babbler.present(keys, to: house.keys.publicKey)
        try babbler.connect(house.server.requestAddress)
        #expect(try babbler.send(message) == .done)
        var refusals = house.refusals.makeAsyncIterator()
        let refusal = await refusals.next()
        #expect(refusal?.reason == .malformed)
        #expect(refusal?.name == "babbler" && refusal?.address == "127.0.0.1")
        let client = try house.client(try house.invite(Self.everywhere))
        #expect(try await client.call("Test/Who", [], options: CallOptions()) == Array("wall".utf8))
        babbler.stopMonitoring()
        await client.close()
        await house.server.close()
    }

    @Test func `who sends too much, or what is no message, is named`() async throws {
        let house = try House()
        let client = try house.client(try house.invite(Principal(name: "bulky", permissions: [.guidance])))
        var refusals = house.refusals.makeAsyncIterator()
        for (method, body, reason) in [
            ("Test/Who", Array(repeating: 0, count: 100_000), Refusal.Reason.excessive),
            ("Test/Refuse", [], .malformed),
        ] as [(String, [UInt8], Refusal.Reason)] {
            await #expect(throws: CallFailure.self) {
                try await client.call(method, body, options: CallOptions())
            }
            let refusal = await refusals.next()
            #expect(refusal?.reason == reason)
            #expect(refusal?.name == "bulky")
        }
        await client.close()
        await house.server.close()
    }

    @Test func `localhost can be bound`() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://localhost:*", publishAddress: "tcp://localhost:*",
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1)
        #expect(server.requestAddress.hasPrefix("tcp://127.0.0.1:"))
        #expect(server.publishAddress.hasPrefix("tcp://127.0.0.1:"))
        await server.close()
    }

    @Test func `a client that knows the next key of a server finds it before and after the change`() async throws {
        let (old, new) = (try CurveKeyPair.make(), try CurveKeyPair.make())
        let house = try House(keys: old)
        let own = try house.invite(Self.everywhere)
        let (requests, publications) = (house.server.requestAddress, house.server.publishAddress)
        let client = try ZeroMQClient(
            requestAddresses: [requests], publishAddresses: [publications],
            security: ClientSecurity(keys: own, serverKeys: { [new.publicKey, old.publicKey] }))
        #expect(try await client.call("Test/Who", [], options: CallOptions()) == Array("wall".utf8))
        var events = client.subscribe("guidance/").makeAsyncIterator()
        #expect(await events.next() == .joined)
        await house.server.close()
        let changed = try House(keys: new, at: (requests, publications))
        changed.guests.principals.update { $0[own.publicKey.text] = Self.everywhere }
        // Each try waits some seconds for a connection; the suite's time limit ends it.
        while (try? await client.call("Test/Who", [], options: CallOptions())) == nil {}
        #expect(await events.next() == .joined)
        await client.close()
        await changed.server.close()
    }

    @Test func `who subscribes to too much is shut out, and others hear everything`() async throws {
        let house = try House()
        let other = try house.client(try house.invite(Self.everywhere))
        var events = other.subscribe("guidance/").makeAsyncIterator()
        #expect(await events.next() == .joined)
        let keys = try house.invite(Principal(name: "bomber", permissions: [.guidance]))
        let bomber = try Socket(.sub, context: try Context())
        try bomber.set(.sendQueueMax, 0)
        try bomber.set(.linger, 0)
        try bomber.present(keys, to: house.keys.publicKey)
        try bomber.connect(house.server.publishAddress)
        // Of 190 bytes each: 20,000 of them are far beyond the bound.
        let name = String(repeating: "x", count: 170)
        for number in 0..<20_000 { try bomber.subscribe("guidance/\(name)\(number)/") }
        var refusals = house.refusals.makeAsyncIterator()
        while let refusal = await refusals.next(), refusal.reason != .tooManySubscriptions {}
        let again = try house.client(keys)
        let kept = await refusals.next()
        #expect(kept?.reason == .tooManySubscriptions && kept?.name == "bomber")
        // The other one was disconnected, too, and is back.
        #expect(await events.next() == .joined)
        try house.server.publisher.publish("guidance/a/", [7])
        guard case .publication(let publication) = await events.next() else {
            Issue.record("the other subscriber hears nothing")
            return
        }
        #expect(publication.body == [7])
        #expect(house.server.statistics.subscriptionsOpen < 10)
        bomber.stopMonitoring()
        await again.close()
        await other.close()
        await house.server.close()
    }

    @Test func `connections that say nothing, or half a greeting, are ended, named and counted`() async throws {
        let house = try House()
        let client = try house.client(try house.invite(Self.everywhere))
        #expect(try await client.call("Test/Who", [], options: CallOptions()) == Array("wall".utf8))
        let port = try #require(house.server.requestAddress.split(separator: ":").last.flatMap { UInt16($0) })
        let greetings: [[UInt8]] = [[], [0xFF, 0, 0, 0], [0xFF] + Array(repeating: 0, count: 8) + [0x7F, 3, 0]]
        let connections = (0..<150).map { SilentConnection(port: port, saying: greetings[$0 % greetings.count]) }
        #expect(try await client.call("Test/Who", [], options: CallOptions()) == Array("wall".utf8))
        var refusals = house.refusals.makeAsyncIterator()
        var named = 0
        while named < 20, let refusal = await refusals.next() {
            guard refusal.reason == .handshake else { continue }
            #expect(refusal.address == "127.0.0.1")
            named += 1
        }
        while house.server.statistics.handshakesFailed < 150 {
            _ = try await client.call("Test/Who", [], options: CallOptions())
        }
        #expect(connections.count == 150)
        await client.close()
        await house.server.close()
    }

    @Test func `a revoked key ends its streams, and is refused on the connection that it still has`() async throws {
        let house = try House()
        let client = try house.client(try house.invite(Self.everywhere))
        var chunks = client.stream("Test/Hold", [], options: CallOptions()).makeAsyncIterator()
        #expect(try await chunks.next() == [1])
        house.guests.principals.set([:])
        house.server.admissionChanged()
        let ended = await #expect(throws: CallFailure.self) { while try await chunks.next() != nil {} }
        #expect(ended?.code == .unauthenticated)
        let refused = await #expect(throws: CallFailure.self) {
            try await client.call("Test/Who", [], options: CallOptions())
        }
        #expect(refused?.code == .unauthenticated)
        await client.close()
        await house.server.close()
    }

    @Test func `a revoked subscriber hears nothing more, and the others miss nothing`() async throws {
        let house = try House()
        let (revoked, other) = (try house.invite(Self.everywhere), try house.invite(.local))
        let clients = [try house.client(revoked), try house.client(other)]
        var first = clients[0].subscribe("guidance/").makeAsyncIterator()
        var second = clients[1].subscribe("guidance/").makeAsyncIterator()
        #expect(await first.next() == .joined)
        #expect(await second.next() == .joined)
        house.guests.principals.set([other.publicKey.text: .local])
        house.server.admissionChanged()
        try house.server.publisher.publish("guidance/a/", [7])
        // Either it came before the connection was closed, or the subscription is joined anew and a snapshot taken.
        let event = await second.next()
        if event == .joined {
            try house.server.publisher.publish("guidance/a/", [8])
            guard case .publication(let publication) = await second.next() else {
                Issue.record("the other subscriber hears nothing")
                return
            }
            #expect(publication.body == [8] || publication.body == [7])
        }
        let heard = Task { await first.next() }
        for _ in 0..<3 { try house.server.publisher.publish("guidance/a/", [9]) }
        await clients[0].close()
        #expect(await heard.value == nil)
        await clients[1].close()
        await house.server.close()
    }

    @Test func `a client that is limited to a venue follows it, and no other`() async throws {
        let house = try House(mayRead: { $1 == "guidance/mine/" || $0.venues == nil })
        let client = try house.client(
            try house.invite(Principal(name: "car", permissions: [.guidance], venues: [UUID()])))
        var mine = client.subscribe("guidance/mine/").makeAsyncIterator()
        var others = client.subscribe("guidance/").makeAsyncIterator()
        #expect(await mine.next() == .joined)
        for body in 1...3 as ClosedRange<UInt8> {
            try house.server.publisher.publish("guidance/other/", [body])
            try house.server.publisher.publish("guidance/mine/", [body])
            let expected = Publication(topic: "guidance/mine/", epoch: 1, sequence: UInt64(body), body: [body])
            #expect(await mine.next() == .publication(expected))
        }
        let denied = Task { await others.next() }
        await client.close()
        #expect(await denied.value == nil)
        await house.server.close()
    }

    @Test func `a follower that lags begins anew, and one that leaves is forgotten`() async throws {
        let house = try House(mayRead: { (_, _) in true })
        let keys = try house.invite(Principal(name: "car", permissions: [.guidance], venues: [UUID()]))
        let client = try house.client(keys)
        do {
            var events = client.subscribe("guidance/mine/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            for _ in 0..<2_000 { try house.server.publisher.publish("guidance/mine/", [0]) }
            try house.server.publisher.publish("guidance/mine/", [9])
            // Whatever was lost on the way is fetched, or the subscription joined anew; the last one comes.
            while case .publication(let publication)? = await events.next(), publication.body != [9] {}
        }
        await client.close()
        let other = try house.client(try house.invite(Self.everywhere))
        while house.server.statistics.streamsOpen > 0 {
            _ = try await other.call("Test/Who", [], options: CallOptions())
        }
        await other.close()
        await house.server.close()
    }

    @Test func `keys are 40 characters of Z85, and those of the manual are known`() throws {
        #expect(CurveKey("short") == nil)
        #expect(CurveKey(String(repeating: "\"", count: 40)) == nil)
        #expect(CurveKey(bytes: [1, 2]) == nil)
        let pair = try CurveKeyPair.make()
        #expect(CurveKey(pair.publicKey.text) == pair.publicKey)
        #expect(try CurveKeyPair(secretKey: pair.secretKey) == pair)
        #expect(!"\(pair) \(String(reflecting: pair))".contains(pair.secretKey.text))
        let printed = try #require(CurveKey("JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"))
        #expect(try CurveKeyPair(secretKey: printed).isPublished)
    }
}
