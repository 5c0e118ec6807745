import EnergyTestSupport
import EnergyTransport
import Testing

extension TransportConformance {
    static let streamCases = [
        TransportCase("chunks of all sizes arrive in order") { transport in
            let sizes = [31_415, 9, 2_653, 58_979, 0, 1_048_576]
            let server = try await transport.startServer { methods in
                methods.stream("Test/Sizes") { (_, _, writer) async throws(CallFailure) in
                    for size in sizes { try await writer.write(bytes(size, count: size).suffix(size)) }
                }
            }
            let client = try await transport.makeClient()
            var received: [[UInt8]] = []
            for try await chunk in client.stream("Test/Sizes", [], options: CallOptions()) { received.append(chunk) }
            #expect(received.map(\.count) == sizes)
            #expect(received == sizes.map { bytes($0, count: $0).suffix($0) })
            await client.close()
            await server.stop()
        },
        TransportCase("a stream may be empty, and long") { transport in
            let server = try await transport.startServer { methods in
                methods.stream("Test/Count") { (body, _, writer) async throws(CallFailure) in
                    for number in 0..<(Int(body[0]) * 1_000) { try await writer.write(bytes(number)) }
                }
            }
            let client = try await transport.makeClient()
            for thousands in [UInt8(0), 3] {
                var count = 0
                for try await chunk in client.stream("Test/Count", [thousands], options: CallOptions()) {
                    #expect(chunk == bytes(count))
                    count += 1
                }
                #expect(count == Int(thousands) * 1_000)
            }
            await client.close()
            await server.stop()
        },
        TransportCase("several streams and calls run side by side") { transport in
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.stream("Test/Count") { (body, _, writer) async throws(CallFailure) in
                    for number in 0..<200 { try await writer.write(body + bytes(number)) }
                }
            }
            let client = try await transport.makeClient()
            await withTaskGroup { group in
                for stream in UInt8(0)..<20 {
                    group.addTask {
                        var count = 0
                        do {
                            for try await chunk in client.stream("Test/Count", [stream], options: CallOptions()) {
                                #expect(chunk == [stream] + bytes(count))
                                count += 1
                                if count % 50 == 0 {
                                    #expect(try await client.call("Test/Echo", bytes(count)) == bytes(count))
                                }
                            }
                        } catch { Issue.record(error) }
                        #expect(count == 200)
                    }
                }
            }
            await client.close()
            await server.stop()
        },
        TransportCase("a slow reader holds the writer back") { transport in
            let written = TestCounter()
            let server = try await transport.startServer { methods in
                methods.echo()
                methods.stream("Test/Count") { (_, _, writer) async throws(CallFailure) in
                    for number in 0..<1_000 {
                        try await writer.write(bytes(number))
                        written.increment()
                    }
                }
            }
            let client = try await transport.makeClient()
            let window = Int(ClientLimits().streamWindow)
            var chunks = client.stream("Test/Count", [], options: CallOptions()).makeAsyncIterator()
            await written.wait(for: window)
            // Calls on the same connection come after whatever the writer could still send.
            for _ in 0..<3 { #expect(try await client.call("Test/Echo", [1]) == [1]) }
            #expect(written.count == window)
            for number in 0..<1_000 {
                #expect(try await chunks.next() == bytes(number))
                #expect(written.count <= number + 1 + window)
            }
            #expect(try await chunks.next() == nil)
            #expect(try await chunks.next() == nil)
            await client.close()
            await server.stop()
        },
        TransportCase("a stream that is dropped after its first chunk is cancelled at the writer") { transport in
            let refused = TestEvent()
            let server = try await transport.startServer { methods in
                methods.stream("Test/Endless") { (_, _, writer) async throws(CallFailure) in
                    do throws(CallFailure) {
                        while true { try await writer.write([1]) }
                    } catch {
                        #expect(error.code == .cancelled)
                        refused.happen()
                        throw error
                    }
                }
            }
            let client = try await transport.makeClient()
            for try await chunk in client.stream("Test/Endless", [], options: CallOptions()) {
                #expect(chunk == [1])
                break
            }
            await refused.wait()
            await client.close()
            await server.stop()
        },
        TransportCase("a cancelled reader is released, and so is the writer") { transport in
            let refused = TestEvent()
            let server = try await transport.startServer { methods in
                methods.stream("Test/Quiet") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([1])
                    await TestEvent.cancellation()
                    do throws(CallFailure) {
                        while true { try await writer.write([2]) }
                    } catch {
                        refused.happen()
                        throw error
                    }
                }
            }
            let client = try await transport.makeClient()
            let first = TestEvent()
            await withTaskGroup { group in
                group.addTask {
                    let failure = await #expect(throws: CallFailure.self) {
                        for try await _ in client.stream("Test/Quiet", [], options: CallOptions()) { first.happen() }
                    }
                    #expect(failure?.code == .cancelled)
                }
                await first.wait()
                group.cancelAll()
            }
            await refused.wait()
            await client.close()
            await server.stop()
        },
        TransportCase("a failing stream delivers its chunks, then its failure") { transport in
            let server = try await transport.startServer { methods in
                methods.stream("Test/Break") { (_, _, writer) async throws(CallFailure) in
                    for number in 0..<5 { try await writer.write(bytes(number)) }
                    throw CallFailure(.dataLoss, "torn", details: [4])
                }
            }
            let client = try await transport.makeClient()
            var count = 0
            let failure = await #expect(throws: CallFailure.self) {
                for try await chunk in client.stream("Test/Break", [], options: CallOptions()) {
                    #expect(chunk == bytes(count))
                    count += 1
                }
            }
            #expect(failure == CallFailure(.dataLoss, "torn", details: [4]))
            #expect(count == 5)
            await client.close()
            await server.stop()
        },
        TransportCase("a stream has a deadline if it wants one") { transport in
            let server = try await transport.startServer { methods in
                methods.stream("Test/Quiet") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([1])
                    await TestEvent.cancellation()
                }
            }
            let client = try await transport.makeClient()
            var count = 0
            let failure = await #expect(throws: CallFailure.self) {
                let options = CallOptions(timeout: .milliseconds(300))
                for try await _ in client.stream("Test/Quiet", [], options: options) { count += 1 }
            }
            #expect(failure?.code == .deadlineExceeded)
            #expect(count == 1)
            await client.close()
            await server.stop()
        },
        TransportCase("a chunk that is too large is refused to its writer") { transport in
            let server = try await transport.startServer { methods in
                methods.stream("Test/TooLarge") { (_, _, writer) async throws(CallFailure) in
                    try await writer.write([UInt8](repeating: 0, count: 1024 * 1024 + 1))
                }
            }
            let client = try await transport.makeClient()
            let failure = await #expect(throws: CallFailure.self) {
                for try await _ in client.stream("Test/TooLarge", [], options: CallOptions()) {}
            }
            #expect(failure?.code == .invalidArgument)
            await client.close()
            await server.stop()
        },
    ]
}
