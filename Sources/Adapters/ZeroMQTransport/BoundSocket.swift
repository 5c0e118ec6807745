internal import EnergyTransport
internal import ZeroMQ

/// A socket, where it is bound, and what tells when that address is free again.
final class BoundSocket {
    private static let releaseMs = 1_000

    let socket: Socket
    /// With the port that a wildcard became.
    let address: String
    let monitor: SocketMonitor
    /// Who came to the address, where keys are demanded.
    private var visitors = Visitors()

    /// - Throws: an error that names the address.
    init(
        _ kind: Socket.Kind, _ address: String, context: Context, hasKeys: Bool = false,
        set: (borrowing Socket) throws(ZeroMQError) -> Void
    ) throws(CallFailure) {
        // libzmq binds to addresses and interfaces, and knows no names.
        let address = address.replacing("tcp://localhost:", with: "tcp://127.0.0.1:", maxReplacements: 1)
        try TransportAddress.prepareToBind(address, hasKeys: hasKeys)
        do throws(ZeroMQError) {
            let socket = try Socket(kind, context: context)
            try set(socket)
            if address.hasPrefix("tcp://[") { try socket.set(.ipv6, 1) }
            monitor = try SocketMonitor(hasKeys ? .visitors : .boundAddress, of: socket, context: context)
            try socket.bind(address)
            self.address = try socket.boundAddress()
            self.socket = socket
        } catch {
            throw error.isAddressInUse
                ? TransportAddress.inUse(address)
                : CallFailure(.failedPrecondition, "\(address) cannot be bound: \(error.reason)")
        }
    }

    deinit { socket.stopMonitoring() }

    /// - Returns: the addresses of those whose handshake came to no good end since the last time.
    func takeFailedHandshakes() -> [String] { visitors.takeFailed(of: monitor) }

    /// Closing a socket frees its address some time later. This waits for it: whoever starts again next can bind, and
    /// no ipc file of a successor is removed.
    func release() {
        do throws(ZeroMQError) {
            try socket.unbind(address)
            try monitor.waitUntilClosed(timeoutMs: Self.releaseMs)
        } catch {
            // The address was gone already: nothing is left to be released.
        }
    }
}
