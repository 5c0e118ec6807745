import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ZeroMQ
import ZeroMQTransport

/// The method over Gridtide's own transport, through its public API.
enum GridtidePeer {
    /// - Parameter hasKeys: demands a key, as towards other machines: the line that says where it listens names the
    ///   server's key and a client's secret, too, separated by commas.
    static func serve(hasKeys: Bool) async throws {
        let (own, client) = (try CurveKeyPair.make(), try CurveKeyPair.make())
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: Array(repeating: 1, count: 16), epoch: 1,
            security: hasKeys
                ? ServerSecurity(keys: own, admission: Guest(key: client.publicKey.text), subscription: .events) : nil)
        var methods = MethodTable()
        methods.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in Sample.answer(batch) }
        server.serve(methods)
        let keys = hasKeys ? ",\(own.publicKey.text),\(client.secretKey.text)" : ""
        print(server.requestAddress + keys)
        fflush(nil)
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }

    /// - Parameter onPool: the callers run on Swift's shared pool, as they do by themselves; else on the client's own thread, as
    ///   is better for those that do little but call.
    static func call(_ address: String, _ load: Load, onPool: Bool) async throws {
        let parts = address.split(separator: ",").map(String.init)
        var security: ClientSecurity?
        if parts.count == 3, let serverKey = CurveKey(parts[1]), let secret = CurveKey(parts[2]) {
            security = ClientSecurity(keys: try CurveKeyPair(secretKey: secret), serverKey: serverKey)
        }
        let client = try ZeroMQClient(requestAddresses: [parts[0]], publishAddresses: [], security: security)
        try await withTaskExecutorPreference(onPool ? nil : client.executor) {
            try await measure(load, client)
        }
        await client.close()
    }

    private static func measure(_ load: Load, _ client: ZeroMQClient) async throws {
        try await load.measure {
            let result = try await client.call(Methods.submitEvents, Sample.batch)
            precondition(result.accepted == 1)
        }
    }

    /// Lets one key in.
    private struct Guest: Admission {
        let key: String
        func principal(ofKey key: String) -> Principal? { key == self.key ? .local : nil }
        func isCurrent(_ principal: Principal) -> Bool { true }
    }
}
