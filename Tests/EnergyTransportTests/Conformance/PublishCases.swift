import EnergyTestSupport
import EnergyTransport
import Testing

private func publication(_ topic: String, _ sequence: Int, epoch: UInt64 = 1) -> SubscriptionEvent {
    .publication(Publication(topic: topic, epoch: epoch, sequence: UInt64(sequence), body: bytes(sequence)))
}

extension TransportConformance {
    static let publishCases = [
        TransportCase("what is published after joining arrives in order") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            var events = client.subscribe("guidance/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            for sequence in 1...500 { try server.publisher.publish("guidance/a/", bytes(sequence)) }
            for sequence in 1...500 { #expect(await events.next() == publication("guidance/a/", sequence)) }
            await client.close()
            await server.stop()
        },
        TransportCase("each topic has its own sequence") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            var events = client.subscribe("g/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            for sequence in 1...20 {
                for topic in ["g/a/", "g/b/", "g/b/c/"] { try server.publisher.publish(topic, bytes(sequence)) }
            }
            for sequence in 1...20 {
                for topic in ["g/a/", "g/b/", "g/b/c/"] { #expect(await events.next() == publication(topic, sequence)) }
            }
            await client.close()
            await server.stop()
        },
        TransportCase("a subscriber gets what begins with its prefix, and nothing else") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            var one = client.subscribe("g/1/").makeAsyncIterator()
            var all = client.subscribe("").makeAsyncIterator()
            #expect(await one.next() == .joined)
            #expect(await all.next() == .joined)
            for topic in ["g/10/", "g/2/", "e/g/1/", "g/1/"] { try server.publisher.publish(topic, bytes(1)) }
            #expect(await one.next() == publication("g/1/", 1))
            for topic in ["g/10/", "g/2/", "e/g/1/", "g/1/"] { #expect(await all.next() == publication(topic, 1)) }
            await client.close()
            await server.stop()
        },
        TransportCase("a late joiner gets what comes after it joined") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            for sequence in 1...10 { try server.publisher.publish("g/a/", bytes(sequence)) }
            var events = client.subscribe("g/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            for sequence in 11...20 { try server.publisher.publish("g/a/", bytes(sequence)) }
            for sequence in 11...20 { #expect(await events.next() == publication("g/a/", sequence)) }
            #expect(client.statistics.publicationsRecovered == 0)
            await client.close()
            await server.stop()
        },
        TransportCase("every subscriber of a prefix gets everything") { transport in
            let server = try await transport.startServer()
            let (first, second) = (try await transport.makeClient(), try await transport.makeClient())
            let subscriptions = [
                first.subscribe("g/"), first.subscribe("g/"), second.subscribe("g/"), second.subscribe("g/a/"),
            ]
            var iterators = subscriptions.map { $0.makeAsyncIterator() }
            for index in iterators.indices { #expect(await iterators[index].next() == .joined) }
            for sequence in 1...50 { try server.publisher.publish("g/a/", bytes(sequence)) }
            for index in iterators.indices {
                for sequence in 1...50 { #expect(await iterators[index].next() == publication("g/a/", sequence)) }
            }
            await first.close()
            await second.close()
            await server.stop()
        },
        TransportCase("a subscription can be given up and taken again") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            for round in 0..<5 {
                var events = client.subscribe("g/").makeAsyncIterator()
                #expect(await events.next() == .joined)
                for offset in 1...3 {
                    try server.publisher.publish("g/a/", bytes(round * 3 + offset))
                    #expect(await events.next() == publication("g/a/", round * 3 + offset))
                }
            }
            await client.close()
            await server.stop()
        },
        TransportCase("a consumer that lags too far is told to begin again, and gets what comes then") { transport in
            let server = try await transport.startServer()
            var limits = ClientLimits()
            limits.subscriptionEventsMax = 100
            let client = try await transport.makeClient(limits: limits)
            var slow = client.subscribe("g/").makeAsyncIterator()
            var witness = client.subscribe("g/z/").makeAsyncIterator()
            #expect(await slow.next() == .joined)
            #expect(await witness.next() == .joined)
            for sequence in 1...250 { try server.publisher.publish("g/a/", bytes(sequence)) }
            try server.publisher.publish("g/z/", bytes(1))
            // Published last, so all the others have arrived.
            #expect(await witness.next() == publication("g/z/", 1))
            #expect(await slow.next() == .joined)
            var last: UInt64 = 0
            while case .publication(let publication)? = await slow.next(), publication.topic == "g/a/" {
                #expect(last == 0 || publication.sequence == last + 1)
                last = publication.sequence
            }
            #expect(last == 250)
            #expect(client.statistics.subscriptionsOverflowed >= 1)
            await client.close()
            await server.stop()
        },
        TransportCase("after its publisher's restart a subscriber joins again, in the new epoch") { transport in
            let first = try await transport.startServer()
            let client = try await transport.makeClient()
            var events = client.subscribe("g/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            try first.publisher.publish("g/a/", bytes(1))
            #expect(await events.next() == publication("g/a/", 1))
            await first.stop()
            let second = try await transport.startServer(epoch: 2)
            #expect(await events.next() == .joined)
            try second.publisher.publish("g/a/", bytes(1))
            #expect(await events.next() == publication("g/a/", 1, epoch: 2))
            await client.close()
            await second.stop()
        },
        TransportCase("what may not be published is refused, and does not use up a sequence") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            var events = client.subscribe("").makeAsyncIterator()
            #expect(await events.next() == .joined)
            for topic in ["", "g", "g/ü/", "g /", String(repeating: "x", count: 200) + "/"] {
                let failure = #expect(throws: CallFailure.self) { try server.publisher.publish(topic, []) }
                #expect(failure?.code == .invalidArgument)
            }
            let body = [UInt8](repeating: 0, count: 1024 * 1024 + 1)
            #expect(throws: CallFailure.self) { try server.publisher.publish("g/", body) }
            try server.publisher.publish("g/", bytes(1))
            #expect(await events.next() == publication("g/", 1))
            await client.close()
            await server.stop()
            let failure = #expect(throws: CallFailure.self) { try server.publisher.publish("g/", []) }
            #expect(failure?.code == .unavailable)
        },
        TransportCase("what is retained can be fetched") { transport in
            var limits = ServerLimits()
            limits.retainedPerTopicMax = 10
            let server = try await transport.startServer(epoch: 9, limits: limits)
            let client = try await transport.makeClient()
            for sequence in 1...25 { try server.publisher.publish("g/a/", bytes(sequence)) }
            func fetch(from sequence: UInt64, epoch: UInt64 = 9, _ topic: String = "g/a/") async throws -> FetchReply? {
                let request = FetchRequest(topic: topic, epoch: epoch, fromSequence: sequence)
                return FetchReply(decoding: try await client.call(FetchRequest.method, request.encoded))
            }
            let reply = try await fetch(from: 16)
            #expect(reply?.publications.map(\.sequence) == Array(16...25))
            #expect(reply?.publications.map(\.body) == (16...25).map { bytes($0) })
            #expect(reply?.newestSequence == 25)
            #expect(try await fetch(from: 26)?.publications == [])
            for (sequence, epoch, topic) in [(15, 9, "g/a/"), (27, 9, "g/a/"), (20, 8, "g/a/"), (1, 9, "g/b/")] {
                let failure = await #expect(throws: CallFailure.self) {
                    _ = try await fetch(from: UInt64(sequence), epoch: UInt64(epoch), topic)
                }
                #expect(failure?.code == .outOfRange)
            }
            #expect(await client.failure(of: FetchRequest.method, [0xFF]).code == .invalidArgument)
            await client.close()
            await server.stop()
        },
    ]
}
