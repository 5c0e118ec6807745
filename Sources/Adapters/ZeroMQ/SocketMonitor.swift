internal import CZeroMQ

/// Tells what becomes of a socket's connection, or of its bound address. Belongs to the thread that owns the socket.
///
/// Before the monitor is let go, its socket must ``Socket/stopMonitoring()``: libzmq's I/O thread would wait for ever to
/// tell a monitor that is gone, and with it every socket of the context.
public struct SocketMonitor: ~Copyable {
    public enum Event: Hashable, Sendable {
        /// Greeted by the other side: messages can be sent.
        case connected
        case disconnected
        /// The other side has another key than we expect, or demands keys where we have none, or the other way round.
        case refused
        /// The other side knows our key, and does not let us in.
        case notAdmitted
        /// The bound address is free again.
        case closed
        /// Somebody has connected to the bound address, by this file descriptor of ours.
        case accepted(Int32)
        /// A connection to the bound address has ended, or was ended; its file descriptor may be another's by now.
        case ended(Int32)
    }

    let socket: Socket
    private let message: Message
    private let isOfVisitors: Bool

    public enum Subject: Sendable {
        /// The one connection of a socket that connects.
        case connection
        /// The one address of a socket that is bound.
        case boundAddress
        /// The same, and who connects to it: ``SocketMonitor/Event/accepted(_:)``, then `refused` if the handshake came to
        /// no good end (but not if the ``AuthenticationSocket`` refused), then ``SocketMonitor/Event/ended(_:)``. With one
        /// I/O thread, `refused` and the `ended` of the same connection come together.
        case visitors

        var events: Int32 {
            switch self {
            case .connection:
                ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
                    | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
            case .boundAddress: ZMQ_EVENT_CLOSED
            case .visitors:
                ZMQ_EVENT_CLOSED | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
                    | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
            }
        }
    }

    public init(
        _ subject: Subject, of monitored: borrowing Socket, context: Context
    ) throws(ZeroMQError) {
        let address = Context.makeMonitorAddress()
        try retryingInterrupts("zmq_socket_monitor") { zmq_socket_monitor(monitored.pointer, address, subject.events) }
        let pair = try Socket(.pair, context: context)
        try pair.set(.linger, 0)
        // libzmq's I/O thread would wait for room, and with it every connection.
        try pair.set(.receiveQueueMax, 0)
        try pair.connect(address)
        socket = pair
        isOfVisitors = subject == .visitors
        message = Message()
    }

    /// The next event, if there is one.
    public borrowing func next() throws(ZeroMQError) -> Event? {
        while try socket.receive(message) == .done {
            // Two bytes of event, four of value; then a part with the address.
            let (event, value) = message.withBytes { bytes in
                guard bytes.count >= 6 else { return (UInt16(0), Int32(-1)) }
                return (bytes.loadUnaligned(as: UInt16.self), bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self))
            }
            while message.hasMore, try socket.receive(message) == .done {}
            switch Int32(event) {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .connected
            case ZMQ_EVENT_DISCONNECTED: return isOfVisitors ? .ended(value) : .disconnected
            case ZMQ_EVENT_ACCEPTED: return .accepted(value)
            // Without detail: whoever finds first that only one side has keys hangs up on the other.
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: return .refused
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .notAdmitted
            case ZMQ_EVENT_CLOSED: return .closed
            default: continue
            }
        }
        return nil
    }

    /// Waits until the address that the socket was bound to is free. For a loop's last moments: it blocks.
    public borrowing func waitUntilClosed(timeoutMs: Int) throws(ZeroMQError) {
        _ = try wait(for: [.closed], timeoutMs: timeoutMs)
    }

    /// Blocks until one of the events has happened.
    ///
    /// - Returns: `nil` when none has within the time.
    public borrowing func wait(for events: Set<Event>, timeoutMs: Int) throws(ZeroMQError) -> Event? {
        let end = monotonicNanoseconds() + Int64(timeoutMs) * 1_000_000
        while true {
            while let event = try next() { if events.contains(event) { return event } }
            let rest = (end - monotonicNanoseconds()) / 1_000_000
            guard rest > 0 else { return nil }
            try socket.wait(forSending: false, timeoutMs: Int(rest))
        }
    }
}
