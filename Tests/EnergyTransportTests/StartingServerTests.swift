import EnergyTransport
import Testing
import ZeroMQTransport

@Suite struct StartingServerTests {
    @Test func `a call that comes before the server has its methods waits for them`() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: Array(repeating: 1, count: 16), epoch: 1)
        let client = try ZeroMQClient(
            requestAddresses: [server.requestAddress], publishAddresses: [server.publishAddress])
        let options = CallOptions(timeout: .seconds(60))
        async let early = client.call("energy.v1.Events/Heads", [7], options: options)
        var methods = MethodTable()
        methods.add("energy.v1.Events/Heads", .unary { (body, _) async throws(CallFailure) in body })
        server.serve(methods)
        #expect(try await early == [7])
        let unknown = await #expect(throws: CallFailure.self) {
            try await client.call("energy.v1.Events/Other", [], options: options)
        }
        #expect(unknown?.code == .unimplemented)
        await client.close()
        await server.close()
    }
}
