import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ZeroMQTransport

/// The method over Gridtide's own transport, through its public API.
enum GridtidePeer {
    static func serve() async throws {
        let server = try ZeroMQServer(
            requestAddress: "tcp://127.0.0.1:*", publishAddress: "tcp://127.0.0.1:*",
            publisherID: Array(repeating: 1, count: 16), epoch: 1)
        var methods = MethodTable()
        methods.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in Sample.answer(batch) }
        server.serve(methods)
        print(server.requestAddress)
        fflush(nil)
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }

    /// - Parameter onPool: the callers run on Swift's shared pool, as they do by themselves; else on the client's own thread, as
    ///   is better for those that do little but call.
    static func call(_ address: String, _ load: Load, onPool: Bool) async throws {
        let client = try ZeroMQClient(requestAddresses: [address], publishAddresses: [])
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
}
