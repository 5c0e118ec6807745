import EnergyTestSupport
import EnergyTransport
import Foundation
import ServiceEndpoints
import Testing
import ZeroMQ
import ZeroMQTransport

@testable import EnergyCommands

/// Against real sockets on this machine.
struct AddressProbeTests {
    private func state(
        _ address: String, _ use: AddressUse = .requests, _ security: ClientSecurity? = nil,
        timeout: Duration = .seconds(5)
    ) async -> AddressState {
        await AddressProbe(
            service: .guidance, address: address, use: use, security: security, timeout: timeout,
            clock: ContinuousClock()
        )
        .state()
    }

    private struct Doorkeeper: Admission {
        let admitted: CurveKey
        func principal(ofKey key: String) -> Principal? {
            key == admitted.text ? Principal(name: "owner", permissions: Set(Permission.allCases)) : nil
        }
        func isCurrent(_ principal: Principal) -> Bool { true }
    }

    /// A server on free ports, while `body` runs.
    private func withServer(
        _ security: ServerSecurity?, _ body: (_ requests: String, _ publications: String) async throws -> Void
    ) async throws {
        let (requests, publications) = ("tcp://127.0.0.1:\(Ports.next())", "tcp://127.0.0.1:\(Ports.next())")
        let server = try ZeroMQServer(
            requestAddress: requests, publishAddress: publications, publisherID: [UInt8](repeating: 1, count: 16),
            epoch: 1, security: security)
        try await body(requests, publications)
        await server.close()
    }

    @Test func `a service is open, and its two addresses are told apart`() async throws {
        try await withServer(nil) { requests, publications in
            #expect(await state(requests) == .open)
            #expect(await state(publications, .publications) == .open)
            #expect(await state(publications) == .otherUse)
        }
    }

    @Test func `another service's publications are told by their topics, and of none nothing is`() async throws {
        for (topic, expected) in [
            ("insights/1/car-1/", AddressState.otherPublisher(.insights)), ("guidance/1/shift/", .open),
        ] {
            let address = "tcp://127.0.0.1:\(Ports.next())"
            let server = try ZeroMQServer(
                requestAddress: "tcp://127.0.0.1:\(Ports.next())", publishAddress: address,
                publisherID: [UInt8](repeating: 1, count: 16), epoch: 1, security: nil)
            #expect(await state(address, .publications) == .open)
            try server.publisher.publish(topic, [1])
            #expect(await state(address, .publications) == expected)
            await server.close()
        }
    }

    @Test func `a publisher is asked once, as of very many topics it tells only so often in a second`() async throws {
        let address = "tcp://127.0.0.1:\(Ports.next())"
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:\(Ports.next())", publishAddress: address,
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1, security: nil)
        for venue in 0..<900 { try server.publisher.publish("insights/\(venue)/car-1/", [1]) }
        #expect(await state(address, .publications) == .otherPublisher(.insights))
        await server.close()
    }

    @Test func `publications are looked at with the key that is let in, whatever the service may have had before`()
        async throws
    {
        let (service, former, owner) = (try CurveKeyPair.make(), try CurveKeyPair.make(), try CurveKeyPair.make())
        let address = "tcp://127.0.0.1:\(Ports.next())"
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:\(Ports.next())", publishAddress: address,
            publisherID: [UInt8](repeating: 1, count: 16), epoch: 1,
            security: ServerSecurity(
                keys: service, admission: Doorkeeper(admitted: owner.publicKey), subscription: .guidance))
        try server.publisher.publish("insights/1/car-1/", [1])
        let keys = [former.publicKey, service.publicKey]
        let security = ClientSecurity(keys: owner, serverKeys: { keys })
        #expect(await state(address, .publications, security) == .otherPublisher(.insights))
        await server.close()
    }

    @Test func `each way in which keys can be wrong is named`() async throws {
        let (service, owner) = (try CurveKeyPair.make(), try CurveKeyPair.make())
        let security = ServerSecurity(
            keys: service, admission: Doorkeeper(admitted: owner.publicKey), subscription: .guidance)
        try await withServer(security) { requests, _ in
            let right = ClientSecurity(keys: owner, serverKey: service.publicKey)
            #expect(await state(requests, .requests, right) == .open)
            #expect(await state(requests) == .demandsKey)
            let stranger = ClientSecurity(keys: try .make(), serverKey: service.publicKey)
            #expect(await state(requests, .requests, stranger) == .notAdmitted)
            let elsewhere = ClientSecurity(keys: owner, serverKey: try CurveKeyPair.make().publicKey)
            #expect(await state(requests, .requests, elsewhere) == .otherKey)
        }
        try await withServer(nil) { requests, _ in
            let keys = ClientSecurity(keys: owner, serverKey: service.publicKey)
            #expect(await state(requests, .requests, keys) == .demandsNoKey)
        }
    }

    @Test func `nobody, an unknown name and no socket file are told apart`() async {
        #expect(await state("tcp://127.0.0.1:\(Ports.next())") == .nobody)
        #expect(await state("tcp://nobody.invalid:7400") == .unknownName("nobody.invalid"))
        #expect(await state("ipc:///nonexistent/socket") == .nobody)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", ""])
    func `another program is recognised by what it says, and by saying nothing`(words: String) async throws {
        let listener = try PlainListener(saying: words)
        #expect(await state("tcp://127.0.0.1:\(listener.port)", timeout: .seconds(1)) == .otherProgram)
        listener.close()
    }
}
