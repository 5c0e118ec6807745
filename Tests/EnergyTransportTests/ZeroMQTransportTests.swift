import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing
import ZeroMQ
import ZeroMQTransport

/// What only sockets can get wrong.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ZeroMQTransportTests {
    private static let publisherID = [UInt8](repeating: 1, count: 16)

    private func makeServer(
        _ requestAddress: String = "tcp://127.0.0.1:*", _ publishAddress: String = "tcp://127.0.0.1:*"
    ) throws(CallFailure) -> ZeroMQServer {
        try ZeroMQServer(
            requestAddress: requestAddress, publishAddress: publishAddress, publisherID: Self.publisherID, epoch: 1)
    }

    @Test func `a wildcard port becomes a port that can be asked for`() async throws {
        let server = try makeServer()
        #expect(server.requestAddress.wholeMatch(of: /tcp:\/\/127\.0\.0\.1:[0-9]+/) != nil)
        #expect(server.requestAddress != server.publishAddress)
        await server.close()
    }

    @Test(arguments: [
        "tcp://0.0.0.0:*", "tcp://*:5555", "tcp://192.168.1.2:5555", "tcp://[::]:1", "udp://127.0.0.1:1", "nonsense",
    ])
    func `an address that strangers reach is refused without keys`(address: String) {
        for isRequest in [true, false] {
            let failure = #expect(throws: CallFailure.self) {
                isRequest ? try makeServer(address) : try makeServer("tcp://127.0.0.1:*", address)
            }
            #expect(failure?.code == .invalidArgument)
            #expect(failure?.message.contains(address) == true)
        }
        #expect(throws: CallFailure.self) { try ZeroMQClient(requestAddresses: [address], publishAddresses: []) }
    }

    @Test(arguments: ZeroMQTransportUnderTest.Scheme.allCases)
    func `an address in use is refused, by its name`(scheme: ZeroMQTransportUnderTest.Scheme) async throws {
        let addresses = try ZeroMQTransportUnderTest(scheme)
        let server = try makeServer(addresses.requestAddress, addresses.publishAddress)
        let failure = #expect(throws: CallFailure.self) {
            try makeServer(addresses.requestAddress, "tcp://127.0.0.1:*")
        }
        #expect(failure?.code == .failedPrecondition)
        #expect(failure?.message == "\(addresses.requestAddress) is in use by another process")
        await server.close()
        // Free again as soon as it is closed.
        try await makeServer(addresses.requestAddress, addresses.publishAddress).close()
    }

    @Test func `an ipc directory is made for its owner only, and one that others may enter is refused`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "gt-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await makeServer("ipc://\(directory)/r", "ipc://\(directory)/p").close()
        let made = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
        #expect(made == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
        let failure = #expect(throws: CallFailure.self) {
            try makeServer("ipc://\(directory)/r", "ipc://\(directory)/p")
        }
        #expect(failure?.message.contains("other users may enter \(directory)") == true)
    }

    @Test func `an abstract socket, which has no permissions, is refused`() throws {
        let name = "@gridtide-\(UUID().uuidString.prefix(8))"
        let failure = #expect(throws: CallFailure.self) { try makeServer("ipc://\(name)-r", "ipc://\(name)-p") }
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.message.contains("use ipc:///PATH") == true)
    }

    @Test func `calls that come before the methods are known wait for them`() async throws {
        let server = try makeServer()
        let probe = try Probe(.dealer, server.requestAddress)
        var header = Header(.request, callID: 4)
        header.method = "Test/Echo"
        try await probe.send([Frame(header).encoded])
        var methods = MethodTable()
        methods.echo()
        server.serve(methods)
        #expect(try await probe.receiveOne()?.callID == 4)
        await server.close()
    }

    @Test func `requests that are not taken wait at their sender, not in the server's memory`() async throws {
        let server = try makeServer()
        // The probe is in this process, too: it must keep nothing itself.
        let probe = try Probe(.dealer, server.requestAddress, sendQueueMax: 1)
        var header = Header(.request, callID: 1)
        header.method = "Test/Echo"
        let request = Frame(header, body: [UInt8](repeating: 1, count: 1_000_000)).encoded
        // As nobody serves, nothing is taken. Some megabytes fit into the network.
        var count = 0
        while count < 200, try await probe.trySend(request, withinMs: 500) { count += 1 }
        #expect(count < 100)
        await server.close()
    }

    @Test func `another address is called when the one that was called is gone`() async throws {
        let servers = try (0...1).map { (name: UInt8) in
            let server = try makeServer("tcp://127.0.0.1:\(Ports.next())", "tcp://127.0.0.1:\(Ports.next())")
            var methods = MethodTable()
            methods.unary("Test/Name") { (_, _) async throws(CallFailure) in [name] }
            server.serve(methods)
            return server
        }
        let client = try ZeroMQClient(requestAddresses: servers.map(\.requestAddress), publishAddresses: [])
        let options = CallOptions(timeout: .seconds(30), isIdempotent: true)
        let first = try #require(try await client.call("Test/Name", [], options: options).first)
        await servers[Int(first)].close()
        #expect(try await client.call("Test/Name", [], options: options) == [1 - first])
        await client.close()
        await servers[1 - Int(first)].close()
    }

    @Test func `connections that come and go do not hold up the others`() async throws {
        let server = try makeServer()
        var methods = MethodTable()
        methods.echo()
        server.serve(methods)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        for number in 0..<100 {
            let passing = try makeServer()
            passing.serve(methods)
            let visitor = try ZeroMQClient(
                requestAddresses: [passing.requestAddress], publishAddresses: [passing.publishAddress])
            if number % 2 == 0 { #expect(try await visitor.call("Test/Echo", [1]) == [1]) }
            // A monitor that is let go too early would stop libzmq's I/O thread, and with it everybody.
            async let first: Void = passing.close()
            async let second: Void = visitor.close()
            _ = await (first, second)
            #expect(try await client.call("Test/Echo", [2]) == [2])
        }
        await client.close()
        await server.close()
    }

    @Test func `a caller that does not read holds up nobody, and loses nothing`() async throws {
        let server = try makeServer()
        var methods = MethodTable()
        methods.echo()
        methods.unary("Test/Large") { (body, _) async throws(CallFailure) in bytes(1, count: 20_000) }
        server.serve(methods)
        let probe = try Probe(.dealer, server.requestAddress)
        let count = 3_000
        for number in 1...count {
            var header = Header(.request, callID: UInt64(number))
            header.method = "Test/Large"
            try await probe.send([Frame(header).encoded])
        }
        let client = try ZeroMQClient(requestAddresses: [server.requestAddress], publishAddresses: [])
        while server.statistics.framesParked == 0 { #expect(try await client.call("Test/Echo", [1]) == [1]) }
        var answered: Set<UInt64> = []
        for _ in 1...count { answered.insert(try #require(try await probe.receiveOne()).callID) }
        #expect(answered.count == count)
        #expect(server.statistics.framesUndeliverable == 0)
        await client.close()
        await server.close()
    }

    @Test func `what a slow subscriber does not get is counted, and nobody waits for it`() async throws {
        let server = try makeServer()
        server.serve(MethodTable())
        let slow = try Probe(.sub, server.publishAddress)
        try slow.subscribe("")
        #expect(try await slow.receiveOne()?.kind == .welcome)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        var events = client.subscribe("g/").makeAsyncIterator()
        #expect(await events.next() == .joined)
        for sequence in 1...3_000 {
            try server.publisher.publish("g/a/", bytes(sequence, count: 20_000))
            guard case .publication(let publication)? = await events.next() else { break }
            #expect(publication.sequence == UInt64(sequence))
        }
        #expect(server.statistics.publicationsDropped > 0)
        await client.close()
        await server.close()
    }

    @Test func `a gap is fetched at the publisher's request address, and what cannot be had is said`() async throws {
        let server = try makeServer()
        var methods = MethodTable()
        methods.unary(FetchRequest.method) { (body, _) async throws(CallFailure) in
            let request = try FetchRequest(decoding: body)
            #expect(request.epoch == 3)
            guard request.topic == "g/a/" else { throw CallFailure(.outOfRange, "gone") }
            let newest = UInt64(6)
            return FetchReply(
                publications: (request.fromSequence...newest).map {
                    RetainedPublication(sequence: $0, publishedUnixMs: 5, body: bytes(Int($0)))
                }, newestSequence: newest
            ).encoded
        }
        server.serve(methods)
        let publisher = try FakePublisher("tcp://127.0.0.1:\(Ports.next())", epoch: 3)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [publisher.address])
        var events = client.subscribe("g/").makeAsyncIterator()
        try await publisher.welcome()
        #expect(await events.next() == .joined)
        for sequence in [UInt64(1), 2, 2, 6] { try publisher.publish("g/a/", sequence) }
        for sequence in 1...6 {
            #expect(
                await events.next()
                    == .publication(
                        Publication(topic: "g/a/", epoch: 3, sequence: UInt64(sequence), body: bytes(sequence))))
        }
        for sequence in [UInt64(1), 4, 5] { try publisher.publish("g/b/", sequence) }
        let rest: [SubscriptionEvent] = [
            .publication(Publication(topic: "g/b/", epoch: 3, sequence: 1, body: bytes(1))), .missed(topic: "g/b/"),
            .publication(Publication(topic: "g/b/", epoch: 3, sequence: 4, body: bytes(4))),
            .publication(Publication(topic: "g/b/", epoch: 3, sequence: 5, body: bytes(5))),
        ]
        for event in rest { #expect(await events.next() == event) }
        #expect(client.statistics.publicationsDuplicate >= 1)
        await client.close()
        await server.close()
    }
}
