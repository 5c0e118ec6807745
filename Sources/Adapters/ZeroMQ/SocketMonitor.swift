internal import CZeroMQ

/// Tells when a socket's connection is made and when it breaks. Belongs to the thread that owns the socket.
public struct SocketMonitor: ~Copyable {
    public enum Event: Sendable {
        /// Greeted by the other side: messages can be sent.
        case connected
        case disconnected
    }

    let socket: Socket
    private let message: Message

    /// - Parameter monitored: a socket with at most one connection.
    public init(_ monitored: borrowing Socket, context: Context) throws(ZeroMQError) {
        let address = Context.makeMonitorAddress()
        let events = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
        try retryingInterrupts("zmq_socket_monitor") { zmq_socket_monitor(monitored.pointer, address, events) }
        let pair = try Socket(.pair, context: context)
        try pair.set(.linger, 0)
        try pair.connect(address)
        socket = pair
        message = Message()
    }

    /// The next event, if there is one.
    public borrowing func next() throws(ZeroMQError) -> Event? {
        while try socket.receive(message) == .done {
            // Two bytes of event, four of value; then a part with the address.
            let event = message.withBytes { $0.count >= 2 ? $0.loadUnaligned(as: UInt16.self) : 0 }
            while message.hasMore, try socket.receive(message) == .done {}
            switch Int32(event) {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .connected
            case ZMQ_EVENT_DISCONNECTED: return .disconnected
            default: continue
            }
        }
        return nil
    }
}
