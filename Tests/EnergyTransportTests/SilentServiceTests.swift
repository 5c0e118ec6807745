import EnergyTestSupport
import EnergyTransport
import Testing
import ZeroMQTransport

/// A service whose process is stopped: connections are made, and nobody answers.
@Suite(.timeLimit(.minutes(1))) struct `A service that says nothing` {
    @Test func `is not taken for one that demands a key`() async throws {
        let port = Ports.next()
        let server = try #require(SilentServer(port: port))
        defer { withExtendedLifetime(server) {} }
        let client = try ZeroMQClient(
            requestAddresses: ["tcp://127.0.0.1:\(port)"], publishAddresses: [], security: nil, limits: ClientLimits())
        let failure = await #expect(throws: CallFailure.self) {
            try await client.call("Test/Who", [], options: CallOptions(timeout: .seconds(5)))
        }
        #expect(failure?.code != .unauthenticated, "\(failure?.message ?? "")")
        await client.close()
    }
}
