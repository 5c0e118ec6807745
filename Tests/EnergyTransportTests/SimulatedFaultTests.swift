import EnergyTestSupport
import EnergyTransport
import Testing

/// Frames are lost, doubled, late, in disorder; connections break. What is promised then: an answer is the right one or
/// none, nothing waits beyond its deadline, and a subscriber knows what it did not get.
@Suite(.serialized) struct SimulatedFaultTests {
    private static func faults(seed: UInt64) -> SimulatedTransport.Faults {
        var random = SplitMix64(seed: seed &+ 99)
        var faults = SimulatedTransport.Faults()
        faults.dropChance = [0, 0.02, 0.1].randomElement(using: &random) ?? 0
        faults.duplicateChance = [0, 0.05].randomElement(using: &random) ?? 0
        faults.isReordering = Bool.random(using: &random)
        faults.breakChance = [0, 0.005].randomElement(using: &random) ?? 0
        return faults
    }

    @Test(arguments: UInt64(0)..<60)
    func `a call ends with the right answer or a failure that says it is none`(seed: UInt64) async throws {
        let network = SimulatedTransport(seed: seed, faults: Self.faults(seed: seed))
        try await network.run {
            let server = try await network.startServer { methods in
                methods.unary("Test/Double") { (body, _) async throws(CallFailure) in
                    if body[7] % 3 == 0 { await network.sleep(.milliseconds(20)) }
                    return body + body
                }
            }
            let client = try await network.makeClient()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let options = CallOptions(timeout: .seconds(5), isIdempotent: number % 2 == 0)
                        do throws(CallFailure) {
                            let reply = try await client.call("Test/Double", bytes(number), options: options)
                            #expect(reply == bytes(number) + bytes(number))
                        } catch {
                            #expect(
                                [.unavailable, .deadlineExceeded].contains(error.code), "\(error)")
                        }
                    }
                }
            }
            await client.close()
            await server.stop()
        }
    }

    @Test(arguments: UInt64(0)..<60)
    func `a stream that ends well was complete, any other was in order as far as it came`(seed: UInt64) async throws {
        let network = SimulatedTransport(seed: seed, faults: Self.faults(seed: seed))
        try await network.run {
            let server = try await network.startServer { methods in
                methods.stream("Test/Count") { (_, _, writer) async throws(CallFailure) in
                    for number in 0..<60 { try await writer.write(bytes(number)) }
                }
            }
            let client = try await network.makeClient()
            for _ in 0..<10 {
                var count = 0
                do {
                    let options = CallOptions(timeout: .seconds(5))
                    for try await chunk in client.stream("Test/Count", [], options: options) {
                        #expect(chunk == bytes(count))
                        count += 1
                    }
                    #expect(count == 60)
                } catch {
                    let code = (error as? CallFailure)?.code
                    // A credit that arrives twice lets the server send more than the client has room for.
                    let isExcess = code == .internalError && network.faults.duplicateChance > 0
                    #expect(code == .unavailable || code == .deadlineExceeded || isExcess, "\(error)")
                }
            }
            await client.close()
            await server.stop()
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `a subscriber gets every publication once and in order, or is told what to ask for`(seed: UInt64) async throws
    {
        var faults = Self.faults(seed: seed)
        // The last rounds are undisturbed, so that every topic is heard once more.
        faults.end = .seconds(15)
        let network = SimulatedTransport(seed: seed, faults: faults)
        try await network.run {
            var limits = ServerLimits()
            limits.retainedPerTopicMax = seed % 3 == 0 ? 3 : 256
            let server = try await network.startServer(limits: limits)
            let client = try await network.makeClient()
            let topics = ["g/a/", "g/b/", "g/c/"]
            async let checked: Void = Self.check(client.subscribe("g/"), until: 100, of: topics, seed: seed)
            for number in 1...100 {
                for topic in topics { try server.publisher.publish(topic, bytes(number)) }
                await network.sleep(.milliseconds(200))
            }
            try await checked
            await client.close()
            await server.stop()
        }
    }

    /// Follows the stream as a consumer does: `joined` forgets what was known, `missed` forgets it for one topic. Between
    /// these, sequences grow by one. Ends when every topic has been followed to its end, by publication or by notice.
    private static func check(
        _ subscription: Subscription, until newest: UInt64, of topics: [String], seed: UInt64
    ) async throws {
        var last: [String: UInt64] = [:]
        for await event in subscription {
            switch event {
            case .joined: last = [:]
            case .missed(let topic): last[topic] = nil
            case .publication(let publication):
                #expect(publication.body == bytes(Int(publication.sequence)), "seed \(seed)")
                if let before = last[publication.topic] {
                    #expect(publication.sequence == before + 1, "seed \(seed), \(publication.topic)")
                }
                last[publication.topic] = publication.sequence
                if topics.allSatisfy({ last[$0] == newest }) { return }
            }
        }
    }

    @Test func `a lost last publication is noticed while the publisher is idle, and fetched`() async throws {
        let network = SimulatedTransport(seed: 1)
        try await network.run {
            let server = try await network.startServer()
            let client = try await network.makeClient()
            var events = client.subscribe("g/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            try server.publisher.publish("g/a/", bytes(1))
            #expect(
                await events.next()
                    == .publication(Publication(topic: "g/a/", epoch: 1, sequence: 1, body: bytes(1))))
            network.loseFrames(true)
            try server.publisher.publish("g/a/", bytes(2))
            await network.sleep(.milliseconds(100))
            network.loseFrames(false)
            #expect(
                await events.next()
                    == .publication(Publication(topic: "g/a/", epoch: 1, sequence: 2, body: bytes(2))))
            #expect(client.statistics.publicationsRecovered == 1)
            await client.close()
            await server.stop()
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `the same seed does the same again`(seed: UInt64) async throws {
        func run() async throws -> UInt64 {
            let network = SimulatedTransport(seed: seed, faults: Self.faults(seed: seed))
            try await network.run {
                let server = try await network.startServer { $0.echo() }
                let client = try await network.makeClient()
                var events = client.subscribe("g/").makeAsyncIterator()
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let options = CallOptions(timeout: .seconds(3), isIdempotent: true)
                            _ = try? await client.call("Test/Echo", bytes(number), options: options)
                            try? server.publisher.publish("g/\(number % 4)/", bytes(number))
                        }
                    }
                }
                _ = await events.next()
                await client.close()
                await server.stop()
            }
            return network.trace
        }
        let (first, second) = (try await run(), try await run())
        #expect(first == second)
    }
}
