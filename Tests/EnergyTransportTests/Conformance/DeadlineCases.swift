import EnergyTestSupport
import EnergyTransport
import Testing

extension TransportConformance {
    static let deadlineCases = [
        TransportCase("a call ends at its deadline, and its handler is cancelled") { transport in
            let cancelled = TestEvent()
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.untilCancelled(cancelled)
            }
            let client = try await transport.makeClient()
            // Connected, so that the time is not spent on that.
            #expect(try await client.call("Test/Echo", [1]) == [1])
            let failure = await client.failure(of: "Test/Wait", options: CallOptions(timeout: .milliseconds(50)))
            #expect(failure.code == .deadlineExceeded)
            await cancelled.wait()
            await client.close()
            await server.stop()
        },
        TransportCase("the server ends a call at its own limit") { transport in
            let cancelled = TestEvent()
            var limits = ServerLimits()
            limits.unaryTimeoutMax = .milliseconds(30)
            let server = try await transport.startServer(limits: limits) { $0.untilCancelled(cancelled) }
            let client = try await transport.makeClient()
            let failure = await client.failure(of: "Test/Wait", options: CallOptions(timeout: .seconds(3_600)))
            #expect(failure.code == .deadlineExceeded)
            await cancelled.wait()
            #expect(server.statistics.callsExpired == 1)
            await client.close()
            await server.stop()
        },
        TransportCase("no time left is a deadline exceeded, without asking") { transport in
            let server = try await transport.startServer { $0.echo() }
            let client = try await transport.makeClient()
            for timeout in [Duration.zero, .seconds(-1), .nanoseconds(Int64.min)] {
                let failure = await client.failure(of: "Test/Echo", options: CallOptions(timeout: timeout))
                #expect(failure.code == .deadlineExceeded)
            }
            #expect(try await client.call("Test/Echo", [1], timeout: .seconds(Int64.max / 2)) == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("a cancelled caller is released at once, and the handler is cancelled") { transport in
            let (started, cancelled) = (TestEvent(), TestEvent())
            let server = try await transport.startServer { $0.untilCancelled(cancelled, started: started) }
            let client = try await transport.makeClient()
            await withTaskGroup { group in
                group.addTask { #expect(await client.failure(of: "Test/Wait").code == .cancelled) }
                await started.wait()
                group.cancelAll()
            }
            await cancelled.wait()
            #expect(server.statistics.callsCancelled == 1)
            await client.close()
            await server.stop()
        },
        TransportCase("a caller that is cancelled already does not call") { transport in
            let server = try await transport.startServer { $0.echo() }
            let client = try await transport.makeClient()
            #expect(try await client.call("Test/Echo") == [])
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                for _ in 0..<100 {
                    group.addTask { #expect(await client.failure(of: "Test/Echo").code == .cancelled) }
                }
            }
            #expect(try await client.call("Test/Echo") == [])
            #expect(server.statistics.callsStarted == 2)
            await client.close()
            await server.stop()
        },
        TransportCase("an answer given after the deadline goes nowhere") { transport in
            let (release, answered) = (TestEvent(), TestEvent())
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.unary("Test/Stubborn") { (_, _) async throws(CallFailure) in
                    await release.wait()
                    answered.happen()
                    return [1]
                }
            }
            let client = try await transport.makeClient()
            #expect(try await client.call("Test/Echo", [1]) == [1])
            let failure = await client.failure(of: "Test/Stubborn", options: CallOptions(timeout: .milliseconds(20)))
            #expect(failure.code == .deadlineExceeded)
            release.happen()
            await answered.wait()
            for number in 0..<100 { #expect(try await client.call("Test/Echo", bytes(number)) == bytes(number)) }
            await client.close()
            await server.stop()
        },
    ]
}
