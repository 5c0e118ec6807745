import EnergyTestSupport
import EnergyTransport
import Testing

extension TransportConformance {
    static let unaryCases = [
        TransportCase("each of many calls in flight gets its own answer") { transport in
            let server = try await transport.startServer { $0.echo() }
            let client = try await transport.makeClient()
            await withTaskGroup { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let reply = try? await client.call("Test/Echo", bytes(number))
                        #expect(reply == bytes(number))
                    }
                }
            }
            #expect(server.statistics.callsStarted == 1_000)
            await client.close()
            await server.stop()
        },
        TransportCase("answers may overtake each other") { transport in
            let release = TestEvent()
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.unary("Test/Slow") { (body, _) async throws(CallFailure) in
                    await release.wait()
                    return body
                }
            }
            let client = try await transport.makeClient()
            async let slow = client.call("Test/Slow", [1])
            for number in 0..<10 { #expect(try await client.call("Test/Echo", bytes(number)) == bytes(number)) }
            release.happen()
            #expect(try await slow == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("every status arrives with message, details and retry hint") { transport in
            let server = try await transport.startServer { methods in
                methods.unary("Test/Fail") { (body, _) async throws(CallFailure) in
                    guard let code = StatusCode(rawValue: UInt32(body.first ?? 0)) else { return [] }
                    throw CallFailure(
                        code, "wanted: \(code) \u{1F4A1}\n\t", retryAfter: .milliseconds(1_234),
                        details: [1, 2, 0, 255])
                }
            }
            let client = try await transport.makeClient()
            for code in StatusCode.allCases where code != .ok {
                let failure = await client.failure(of: "Test/Fail", [UInt8(code.rawValue)])
                #expect(
                    failure
                        == CallFailure(
                            code, "wanted: \(code) \u{1F4A1}\n\t", retryAfter: .milliseconds(1_234),
                            details: [1, 2, 0, 255]))
            }
            // A failure that says OK must not pass for a success.
            #expect(await client.failure(of: "Test/Fail", [0]).code == .unknown)
            await client.close()
            await server.stop()
        },
        TransportCase("messages and details beyond their limits are cut, not the connection") { transport in
            let server = try await transport.startServer { methods in
                methods.unary("Test/Fail") { (_, _) async throws(CallFailure) in
                    throw CallFailure(
                        .notFound, String(repeating: "ü", count: 5_000), details: [UInt8](repeating: 1, count: 50_000))
                }
            }
            let client = try await transport.makeClient()
            let failure = await client.failure(of: "Test/Fail")
            #expect(failure.code == .notFound)
            #expect(failure.message == String(repeating: "ü", count: 512))
            #expect(failure.details.isEmpty)
            await client.close()
            await server.stop()
        },
        TransportCase("bodies may be empty and large") { transport in
            let server = try await transport.startServer { methods in
                methods.unary("Test/Large") { (body, _) async throws(CallFailure) in
                    #expect(body.count == 271_828)
                    return bytes(3, count: 314_159)
                }
                methods.echo()
            }
            let client = try await transport.makeClient()
            #expect(try await client.call("Test/Echo").isEmpty)
            #expect(try await client.call("Test/Large", bytes(1, count: 271_828)) == bytes(3, count: 314_159))
            let largest = bytes(5, count: 1024 * 1024)
            #expect(try await client.call("Test/Echo", largest) == largest)
            await client.close()
            await server.stop()
        },
        TransportCase("the handler learns what the caller said about the call") { transport in
            let server = try await transport.startServer { methods in
                methods.unary("Test/Context") { (_, context) async throws(CallFailure) in
                    #expect(context.principal == Principal.local)
                    #expect(context.idempotencyKey == [9, 8, 7])
                    #expect(context.traceID == [UInt8](1...16))
                    #expect(context.attempt == 0)
                    #expect(context.timeout > .seconds(1) && context.timeout <= .seconds(5))
                    return [1]
                }
            }
            let client = try await transport.makeClient()
            let options = CallOptions(timeout: .seconds(5), idempotencyKey: [9, 8, 7], traceID: [UInt8](1...16))
            #expect(try await client.call("Test/Context", [], options: options) == [1])
            await client.close()
            await server.stop()
        },
        TransportCase("an unknown method is unimplemented, by its name") { transport in
            let server = try await transport.startServer()
            let client = try await transport.makeClient()
            let failure = await client.failure(of: "Test/Nothing")
            #expect(failure.code == .unimplemented)
            #expect(failure.message.contains("Test/Nothing"))
            #expect(server.statistics.callsRefused == 1)
            await client.close()
            await server.stop()
        },
        TransportCase("a stream is not answered to who expects one reply, nor one reply to who expects a stream") {
            transport in
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.stream("Test/Stream") { (_, _, _) async throws(CallFailure) in }
            }
            let client = try await transport.makeClient()
            #expect(await client.failure(of: "Test/Stream").code == .internalError)
            let failure = await #expect(throws: CallFailure.self) {
                for try await _ in client.stream("Test/Echo", [], options: CallOptions()) {}
            }
            #expect(failure?.code == .internalError)
            await client.close()
            await server.stop()
        },
    ]
}
