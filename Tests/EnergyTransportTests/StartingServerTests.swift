import EnergyTransport
import Testing
import ZeroMQTransport

@Suite struct StartingServerTests {
    @Test func `a server that has no methods yet says unavailable, not unimplemented`() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: Array(repeating: 1, count: 16), epoch: 1)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        let failure = await #expect(throws: CallFailure.self) {
            try await client.call("energy.v1.Events/Heads", [], options: CallOptions(timeout: .seconds(60)))
        }
        #expect(failure?.code == .unavailable)
        #expect(failure?.retryAfter != nil)
        var methods = MethodTable()
        methods.add("energy.v1.Events/Heads", .unary { (body, _) async throws(CallFailure) in body })
        server.serve(methods)
        #expect(try await client.call("energy.v1.Events/Heads", [7], options: CallOptions()) == [7])
        let unknown = await #expect(throws: CallFailure.self) {
            try await client.call("energy.v1.Events/Other", [], options: CallOptions())
        }
        #expect(unknown?.code == .unimplemented)
        await client.close()
        await server.close()
    }
}
