import EnergyTestSupport
import EnergyTransport
import Testing

extension TransportConformance {
    static let lifecycleCases = [
        TransportCase("a service that is not there is unavailable, soon") { transport in
            var limits = ClientLimits()
            limits.connectionPatience = .milliseconds(200)
            let client = try await transport.makeClient(limits: limits)
            for isIdempotent in [false, true] {
                let options = CallOptions(timeout: .seconds(60), isIdempotent: isIdempotent)
                let failure = await client.failure(of: "Test/Echo", options: options)
                #expect(failure.code == .unavailable)
                #expect(failure.retryAfter != nil)
            }
            await client.close()
        },
        TransportCase("a call made just before its service starts is answered") { transport in
            let client = try await transport.makeClient()
            async let reply = client.call("Test/Echo", [1])
            let server = try await transport.startServer { $0.echo() }
            #expect(try await reply == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("draining lets calls finish and refuses new ones") { transport in
            let (started, release) = (TestEvent(), TestEvent())
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.unary("Test/Hold") { (_, _) async throws(CallFailure) in
                    started.happen()
                    await release.wait()
                    return [1]
                }
            }
            let client = try await transport.makeClient()
            async let held = client.call("Test/Hold")
            await started.wait()
            async let drained: Void = server.drain(within: .seconds(60))
            // The drain is in force once a call is refused.
            while true {
                do throws(CallFailure) { _ = try await client.call("Test/Echo") } catch {
                    #expect(error.code == .unavailable)
                    #expect(error.retryAfter != nil)
                    // Nothing of it was begun.
                    #expect(error.isForAnother)
                    break
                }
            }
            release.happen()
            #expect(try await held == [1])
            await drained
            await client.close()
            await server.stop()
        },
        TransportCase("draining ends what does not finish in time") { transport in
            let (started, cancelled) = (TestEvent(), TestEvent())
            let server = try await transport.startServer { $0.untilCancelled(cancelled, started: started) }
            let client = try await transport.makeClient()
            async let failure = client.failure(of: "Test/Wait")
            await started.wait()
            await server.drain(within: .milliseconds(30))
            #expect(await failure.code == .unavailable)
            await cancelled.wait()
            await client.close()
            await server.stop()
        },
        TransportCase("draining does not wait for those who follow publications") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            let follow = FollowRequest(prefix: "test/")
            var chunks = client.stream(FollowRequest.method, follow.encoded, options: CallOptions()).makeAsyncIterator()
            // Its welcome: it follows.
            #expect(try await chunks.next() != nil)
            await server.drain(within: .seconds(3_600))
            do throws(CallFailure) {
                #expect(try await chunks.next() == nil)
                Issue.record("the stream ended as if there were no more")
            } catch { #expect(error.code == .unavailable) }
            await client.close()
            await server.stop()
        },
        TransportCase("draining an idle server returns at once") { transport in
            let server = try await transport.startServer()
            await server.drain(within: .seconds(3_600))
            await server.stop()
        },
        TransportCase("when the connection breaks, what may not be repeated fails at once") { transport in
            let (started, cancelled) = (TestEvent(), TestEvent())
            let server = try await transport.startServer { $0.untilCancelled(cancelled, started: started) }
            let client = try await transport.makeClient()
            async let failure = client.failure(of: "Test/Wait", options: CallOptions(timeout: .seconds(3_600)))
            await started.wait()
            await server.stop()
            #expect(await failure.code == .unavailable)
            await cancelled.wait()
            await client.close()
        },
        TransportCase("when the connection breaks, a stream fails") { transport in
            let server = try await transport.startServer { methods in
                methods.stream("Test/Open") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([1])
                    await TestEvent.cancellation()
                }
            }
            let client = try await transport.makeClient()
            var chunks = client.stream("Test/Open", [], options: CallOptions()).makeAsyncIterator()
            #expect(try await chunks.next() == [1])
            await server.stop()
            let failure = await #expect(throws: CallFailure.self) { while try await chunks.next() != nil {} }
            #expect(failure?.code == .unavailable)
            await client.close()
        },
        TransportCase("an idempotent call survives its server's restart") { transport in
            let started = TestEvent()
            let first = try await transport.startServer { $0.untilCancelled(TestEvent(), started: started) }
            let client = try await transport.makeClient()
            let options = CallOptions(timeout: .seconds(60), isIdempotent: true, idempotencyKey: [1, 2])
            async let reply = client.call("Test/Wait", [5], options: options)
            await started.wait()
            await first.stop()
            let second = try await transport.startServer(epoch: 2) { methods in
                methods.unary("Test/Wait") { (body, context) async throws(CallFailure) in
                    #expect(context.attempt > 0)
                    #expect(context.idempotencyKey == [1, 2])
                    return body
                }
            }
            #expect(try await reply == [5])
            #expect(client.statistics.callsRetried > 0)
            await client.close()
            await second.stop()
        },
        TransportCase("a client comes back to a server that was started again") { transport in
            var server = try await transport.startServer { $0.echo() }
            let client = try await transport.makeClient()
            for epoch in UInt64(2)...4 {
                #expect(try await client.call("Test/Echo", bytes(Int(epoch))) == bytes(Int(epoch)))
                await server.stop()
                server = try await transport.startServer(epoch: epoch) { $0.echo() }
                let options = CallOptions(timeout: .seconds(60), isIdempotent: true)
                // The break may not have been noticed yet; an idempotent call does not mind.
                #expect(try await client.call("Test/Echo", [1], options: options) == [1])
            }
            await client.close()
            await server.stop()
        },
        TransportCase("closing a client ends its calls, streams and subscriptions") { transport in
            let started = TestEvent()
            let server = try await transport.startServer { methods in
                methods.untilCancelled(TestEvent(), started: started)
                methods.stream("Test/Open") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([1])
                    await TestEvent.cancellation()
                }
            }
            let client = try await transport.makeClient()
            var chunks = client.stream("Test/Open", [], options: CallOptions()).makeAsyncIterator()
            #expect(try await chunks.next() == [1])
            var events = client.subscribe("a/").makeAsyncIterator()
            #expect(await events.next() == .joined)
            async let failure = client.failure(of: "Test/Wait")
            await started.wait()
            await client.close()
            #expect(await failure.code == .unavailable)
            #expect(await events.next() == nil)
            let broken = await #expect(throws: CallFailure.self) { while try await chunks.next() != nil {} }
            #expect(broken?.code == .unavailable)
            #expect(await client.failure(of: "Test/Wait").code == .unavailable)
            await server.stop()
        },
    ]
}
