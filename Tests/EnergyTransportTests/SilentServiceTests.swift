import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing
import ZeroMQ
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

/// A service whose process ends while a client greets it. A replica may be about to take its place.
@Suite(.timeLimit(.minutes(1))) struct `A service that ends in the middle of a greeting` {
    enum Client: CaseIterable { case withKeys, withoutKeys }

    @Test(arguments: Client.allCases) func `has refused nobody`(kind: Client) async throws {
        let (listener, port) = try Loopback.listen()
        let keys = try CurveKeyPair.make()
        let security = ClientSecurity(keys: keys, serverKey: try CurveKeyPair.make().publicKey)
        let client = try ZeroMQClient(
            requestAddresses: ["tcp://127.0.0.1:\(port)"], publishAddresses: [],
            security: kind == .withKeys ? security : nil, limits: ClientLimits())
        let answer = Task { () async throws(CallFailure) in
            try await client.call("Test/Who", [], options: CallOptions(timeout: .seconds(5)))
        }
        try await onThread {
            let greeted = Loopback.accept(listener)
            close(listener)
            if let greeted { close(greeted) }
        }
        let failure = await #expect(throws: CallFailure.self) { try await answer.value }
        #expect(failure?.code == .unavailable, "\(failure?.message ?? "")")
        await client.close()
    }
}
