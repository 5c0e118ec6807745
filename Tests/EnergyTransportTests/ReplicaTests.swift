import Dispatch
import EnergyTestSupport
import EnergyTransport
import Foundation
import Synchronization
import Testing
import ZeroMQTransport

/// Replicas that are known by one name, which comes to stand for others.
@Suite struct ReplicaTests {
    private let name = Name()
    private let ports = (request: Ports.next(), publish: Ports.next())

    /// What a name server says.
    private final class Name: Sendable {
        let hosts = Mutex<[String]>([])
        var names: NameLookup {
            NameLookup(interval: .milliseconds(5)) { [self] name in
                name == .host("replicas.example") ? hosts.withLock { $0 } : []
            }
        }
    }

    private func serve(_ number: UInt8) throws -> ZeroMQServer {
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.\(number):\(ports.request)",
            publishAddress: "tcp://127.0.0.\(number):\(ports.publish)",
            publisherID: [UInt8](repeating: number, count: 16), epoch: 1)
        var methods = MethodTable()
        methods.unary("Test/Name") { (_, _) async throws(CallFailure) in [number] }
        server.serve(methods)
        return server
    }

    private func makeClient(patience: Duration = .seconds(60)) throws -> ZeroMQClient {
        var limits = ClientLimits()
        limits.connectionPatience = patience
        return try ZeroMQClient(
            requestAddresses: ["tcp://replicas.example:\(ports.request)"],
            publishAddresses: ["tcp://replicas.example:\(ports.publish)"], security: nil, limits: limits,
            context: nil, names: name.names)
    }

    /// Who answers the keys 0 to 19.
    private func answers(of client: ZeroMQClient) async throws -> [UInt8] {
        var answers: [UInt8] = []
        for key in UInt8(0)..<20 {
            let options = CallOptions(timeout: .seconds(60), isIdempotent: true, affinity: [key])
            answers += try await client.call("Test/Name", [], options: options)
        }
        return answers
    }

    @Test func `each address of a name is a replica, and calls go on when it comes to have others`() async throws {
        let servers = [try serve(1), try serve(2), try serve(3)]
        let client = try makeClient()
        name.hosts.withLock { $0 = ["127.0.0.1"] }
        #expect(try await answers(of: client) == Array(repeating: 1, count: 20))
        name.hosts.withLock { $0 = ["127.0.0.1", "127.0.0.2"] }
        while try await Set(answers(of: client)) != [1, 2] {}
        let before = try await answers(of: client)
        name.hosts.withLock { $0 = ["127.0.0.2", "127.0.0.3"] }
        while try await Set(answers(of: client)) != [2, 3] {}
        // What the second answered, it answers still, unless the third is preferred to it.
        for (old, new) in zip(before, try await answers(of: client)) where old == 2 { #expect(new != 1) }
        // A name server that is away takes nobody away.
        name.hosts.withLock { $0 = [] }
        #expect(try await Set(answers(of: client)) == [2, 3])
        await client.close()
        for server in servers { await server.close() }
    }

    @Test func `the publications of replicas that come later are followed too`() async throws {
        let servers = [try serve(1), try serve(2)]
        let client = try makeClient()
        var events = client.subscribe("g/").makeAsyncIterator()
        for (index, server) in servers.enumerated() {
            name.hosts.withLock { $0 = (0...index).map { "127.0.0.\($0 + 1)" } }
            #expect(await events.next() == .joined)
            try server.publisher.publish("g/\(index)/", [7])
            guard case .publication(let publication)? = await events.next() else {
                Issue.record("nothing was published")
                return
            }
            #expect(publication.topic == "g/\(index)/")
        }
        await client.close()
        for server in servers { await server.close() }
    }

    @Test func `what replicas publish under the same numbers is heard once, from whichever says it`() async throws {
        let servers = [try serve(1), try serve(2)]
        name.hosts.withLock { $0 = ["127.0.0.1", "127.0.0.2"] }
        let client = try makeClient()
        var events = client.subscribe("g/").makeAsyncIterator()
        for _ in servers { #expect(await events.next() == .joined) }
        let line = UUID()
        func publish(_ server: ZeroMQServer, _ sequence: UInt64, _ body: UInt8) throws {
            try server.publisher.publish(
                [SharedPublication(topic: "g/1/", head: [body], sequence: sequence)], tail: [])
        }
        func next() async -> Publication? {
            while let event = await events.next() {
                if case .publication(let publication) = event { return publication }
            }
            return nil
        }
        for epoch in UInt64(8)...9 {
            for server in servers { server.publisher.begin(PublicationEpoch(publisher: line, number: epoch)) }
            for server in servers { try publish(server, 1, 1) }
            // What is published before it has joined the new epoch the snapshot holds.
            var joins = 0
            while joins < 2, let event = await events.next() { joins += event == .joined ? 1 : 0 }
            var bodies: [UInt8] = []
            for sequence in UInt64(2)...6 {
                for server in servers { try publish(server, sequence, UInt8(sequence)) }
            }
            while bodies.last != 6 {
                guard let publication = await next() else { break }
                #expect(publication.epoch == epoch && publication.body == [UInt8(publication.sequence)])
                bodies += publication.body
            }
            #expect(bodies == Array(Set(bodies)).sorted())
        }
        await client.close()
        for server in servers { await server.close() }
    }

    @Test func `where a service answers belongs to where it publishes on the same host`() async throws {
        let servers = [try serve(1), try serve(2)]
        let (request, publish) = (ports.request, ports.publish)
        let names = NameLookup(interval: .milliseconds(5)) { name in
            switch name {
            case .service("_gt._tcp.example.org"): ["tcp://127.0.0.1:\(request)", "tcp://127.0.0.2:\(request)"]
            case .service("_gt-pub._tcp.example.org"): ["tcp://127.0.0.2:\(publish)", "tcp://127.0.0.1:\(publish)"]
            default: []
            }
        }
        #expect(
            names.replicas(["srv://_gt._tcp.example.org"], ["srv://_gt-pub._tcp.example.org"])
                == [1, 2].map {
                    Replica(
                        requestAddress: "tcp://127.0.0.\($0):\(request)",
                        publishAddress: "tcp://127.0.0.\($0):\(publish)")
                })
        let client = try ZeroMQClient(
            requestAddresses: ["srv://_gt._tcp.example.org"], publishAddresses: ["srv://_gt-pub._tcp.example.org"],
            security: nil, limits: ClientLimits(), context: nil, names: names)
        while try await Set(answers(of: client)) != [1, 2] {}
        await client.close()
        for server in servers { await server.close() }
    }

    @Test func `nobody is there while a name is not known`() async throws {
        let client = try makeClient(patience: .milliseconds(20))
        let failure = await #expect(throws: CallFailure.self) { try await client.call("Test/Name", []) }
        #expect(failure?.code == .unavailable)
        await client.close()
    }

    @Test func `servers are reached at IPv6 addresses`() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://[::1]:\(ports.request)", publishAddress: "tcp://[::1]:\(ports.publish)",
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1)
        var methods = MethodTable()
        methods.echo()
        server.serve(methods)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        #expect(try await client.call("Test/Echo", [5], options: CallOptions(timeout: .seconds(60))) == [5])
        await client.close()
        await server.close()
    }
}
