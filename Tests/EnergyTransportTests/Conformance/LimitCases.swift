import EnergyTestSupport
import EnergyTransport
import Testing

extension TransportConformance {
    static let limitCases = [
        TransportCase("a body beyond its method's limit is refused, and never reaches the handler") { transport in
            let server = try await transport.startServer { methods in
                methods.unary("Test/Small", bodyBytesMax: 100) { (body, _) async throws(CallFailure) in
                    #expect(body.count <= 100)
                    return body
                }
            }
            let client = try await transport.makeClient()
            #expect(await client.failure(of: "Test/Small", bytes(1, count: 101)).code == .resourceExhausted)
            #expect(try await client.call("Test/Small", bytes(1, count: 100)) == bytes(1, count: 100))
            #expect(server.statistics.callsStarted == 1)
            await client.close()
            await server.stop()
        },
        TransportCase("a body beyond a frame's limit is refused to the caller") { transport in
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.unary("Test/TooLarge") { (_, _) async throws(CallFailure) in
                    [UInt8](repeating: 0, count: 1024 * 1024 + 1)
                }
            }
            let client = try await transport.makeClient()
            let body = [UInt8](repeating: 0, count: 1024 * 1024 + 1)
            #expect(await client.failure(of: "Test/Echo", body).code == .resourceExhausted)
            #expect(await client.failure(of: "Test/TooLarge").code == .resourceExhausted)
            #expect(await client.failure(of: String(repeating: "x", count: 201)).code == .invalidArgument)
            let options = CallOptions(idempotencyKey: [UInt8](repeating: 0, count: 33))
            #expect(await client.failure(of: "Test/Echo", options: options).code == .invalidArgument)
            #expect(
                await client.failure(of: "Test/Echo", options: CallOptions(traceID: [1])).code == .invalidArgument)
            #expect(try await client.call("Test/Echo", [1]) == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("too many calls in flight are refused, with a hint when to come again") { transport in
            let (entered, release) = (TestCounter(), TestEvent())
            var limits = ServerLimits()
            limits.callsPerPeerMax = 4
            let server = try await transport.startServer(limits: limits) { methods in
                methods.unary("Test/Hold") { (_, _) async throws(CallFailure) in
                    entered.increment()
                    await release.wait()
                    return [1]
                }
            }
            let client = try await transport.makeClient()
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { #expect((try? await client.call("Test/Hold")) == [1]) }
                }
                await entered.wait(for: 4)
                let failure = await client.failure(of: "Test/Hold")
                #expect(failure.code == .resourceExhausted)
                #expect(failure.retryAfter == limits.retryAfter)
                release.happen()
            }
            #expect(try await client.call("Test/Hold") == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("one caller's limit is not another's") { transport in
            let (entered, release) = (TestCounter(), TestEvent())
            var limits = ServerLimits()
            limits.callsPerPeerMax = 1
            let server = try await transport.startServer(limits: limits) { methods in
                methods.echo()
                methods.unary("Test/Hold") { (_, _) async throws(CallFailure) in
                    entered.increment()
                    await release.wait()
                    return [1]
                }
            }
            let (first, second) = (try await transport.makeClient(), try await transport.makeClient())
            async let held = first.call("Test/Hold")
            await entered.wait(for: 1)
            #expect(await first.failure(of: "Test/Echo").code == .resourceExhausted)
            #expect(try await second.call("Test/Echo", [2]) == [2])
            release.happen()
            #expect(try await held == [1])
            await first.close()
            await second.close()
            await server.stop()
        },
        TransportCase("a client keeps its further calls until there is room") { transport in
            var limits = ServerLimits()
            limits.callsPerPeerMax = 4
            let server = try await transport.startServer(limits: limits) { $0.echo() }
            var clientLimits = ClientLimits()
            clientLimits.callsInFlightMax = 4
            clientLimits.callsWaitingMax = 200
            let client = try await transport.makeClient(limits: clientLimits)
            await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask { #expect((try? await client.call("Test/Echo", bytes(number))) == bytes(number)) }
                }
            }
            #expect(server.statistics.callsRefused == 0)
            await client.close()
            await server.stop()
        },
        TransportCase("too many open streams are refused") { transport in
            var limits = ServerLimits()
            limits.streamsPerPeerMax = 2
            let server = try await transport.startServer(limits: limits) { methods in
                methods.echo()
                methods.stream("Test/Open") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([1])
                    await TestEvent.cancellation()
                }
            }
            let client = try await transport.makeClient()
            var first = client.stream("Test/Open", [], options: CallOptions()).makeAsyncIterator()
            var second = client.stream("Test/Open", [], options: CallOptions()).makeAsyncIterator()
            #expect(try await first.next() == [1])
            #expect(try await second.next() == [1])
            var third = client.stream("Test/Open", [], options: CallOptions()).makeAsyncIterator()
            let failure = await #expect(throws: CallFailure.self) { _ = try await third.next() }
            #expect(failure?.code == .resourceExhausted)
            #expect(try await client.call("Test/Echo", [1]) == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("a cancelled call counts until its handler has returned") { transport in
            let (started, release) = (TestCounter(), TestEvent())
            var limits = ServerLimits()
            limits.callsPerPeerMax = 2
            let server = try await transport.startServer(limits: limits) { methods in
                methods.unary("Test/Stubborn") { (_, _) async throws(CallFailure) in
                    started.increment()
                    await release.wait()
                    return []
                }
            }
            let client = try await transport.makeClient()
            for count in 1...2 {
                await withTaskGroup { group in
                    group.addTask { #expect(await client.failure(of: "Test/Stubborn").code == .cancelled) }
                    await started.wait(for: count)
                    group.cancelAll()
                }
            }
            #expect(await client.failure(of: "Test/Stubborn").code == .resourceExhausted)
            release.happen()
            #expect(started.count == 2)
            await client.close()
            await server.stop()
        },
    ]
}
