internal import EnergyTransport
internal import Foundation
internal import ZeroMQTransport

extension ServiceTransport {
    /// The transport between processes.
    public static var zeroMQ: ServiceTransport {
        ServiceTransport(
            bind: { binding in
                let publisherID = withUnsafeBytes(of: binding.publisherID.uuid) { Array($0) }
                do throws(CallFailure) {
                    return try ZeroMQServer(
                        requestAddress: binding.requests, publishAddress: binding.publications,
                        publisherID: publisherID, epoch: binding.epoch, security: binding.security,
                        onRefusal: binding.onRefusal, onLoss: binding.onLoss)
                } catch { throw StartError(error.message) }
            },
            connect: { destination in
                do throws(CallFailure) {
                    return try ZeroMQClient(
                        requestAddresses: destination.requests, publishAddresses: destination.publications,
                        security: destination.security)
                } catch { throw StartError(error.message) }
            })
    }
}

extension ZeroMQServer: ServiceEndpoint {}
extension ZeroMQClient: ServiceConnection {}
