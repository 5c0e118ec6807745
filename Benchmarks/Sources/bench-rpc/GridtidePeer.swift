import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ZeroMQTransport

/// The method over Gridtide's own transport, through its public API.
enum GridtidePeer {
    /// A server has one; nobody subscribes here.
    private static let publishAddress = "tcp://127.0.0.1:17304"

    static func serve(_ address: String) async throws {
        let server = try ZeroMQServer(
            requestAddress: address, publishAddress: publishAddress,
            publisherID: Array(repeating: 1, count: 16), epoch: 1)
        var methods = MethodTable()
        methods.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in Sample.answer(batch) }
        server.serve(methods)
        print("ready")
        fflush(nil)
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }

    static func call(_ address: String, _ load: Load) async throws {
        let client = try ZeroMQClient(requestAddresses: [address], publishAddresses: [])
        try await load.measure {
            let result = try await client.call(Methods.submitEvents, Sample.batch)
            precondition(result.accepted == 1)
        }
        await client.close()
    }
}
