import EnergyTransport
import Testing
import ZeroMQTransport

@Suite struct SmokeTests {
    @Test func `calls and publications pass`() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1)
        var methods = MethodTable()
        methods.add("echo", .unary { (body, _) async throws(CallFailure) in body })
        methods.add(
            "count",
            .streaming { (body, _, writer) async throws(CallFailure) in
                for number in 0..<100 { try await writer.write([UInt8(number)]) }
            })
        server.serve(methods)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        let reply = try await client.call("echo", [1, 2, 3], options: CallOptions())
        #expect(reply == [1, 2, 3])
        var n = 0
        for try await chunk in client.stream("count", [], options: CallOptions()) {
            #expect(chunk == [UInt8(n)])
            n += 1
        }
        #expect(n == 100)
        var events = client.subscribe("a/").makeAsyncIterator()
        #expect(await events.next() == .joined)
        for i in 0..<10 { try server.publisher.publish("a/b/", [UInt8(i)]) }
        for i in 0..<10 {
            #expect(
                await events.next()
                    == .publication(Publication(topic: "a/b/", epoch: 1, sequence: UInt64(i + 1), body: [UInt8(i)])))
        }
        let start = ContinuousClock.now
        for _ in 0..<1000 { _ = try await client.call("echo", [1, 2, 3], options: CallOptions()) }
        print("per call", (ContinuousClock.now - start) / 1000)
        await client.close()
        await server.close()
    }
}
