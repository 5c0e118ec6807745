internal import CZeroMQ

/// One libzmq socket. It can be neither copied nor shared: libzmq forbids its use from two threads.
///
/// Sends and receives never wait; a ``SocketLoop`` waits for all sockets at once.
public struct Socket: ~Copyable {
    public enum Kind: Sendable {
        case router, dealer, xpub, sub, req, pair

        var number: Int32 {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .xpub: ZMQ_XPUB
            case .sub: ZMQ_SUB
            case .req: ZMQ_REQ
            case .pair: ZMQ_PAIR
            }
        }
    }

    let pointer: UnsafeMutableRawPointer
    let activity: SocketActivity
    /// Ending the context waits for its sockets: a socket keeps its context.
    private let context: Context

    public init(_ kind: Kind, context: Context) throws(ZeroMQError) {
        guard let pointer = zmq_socket(context.pointer, kind.number) else { throw ZeroMQError(call: "zmq_socket") }
        self.pointer = pointer
        self.context = context
        activity = SocketActivity(pointer)
    }

    deinit { zmq_close(pointer) }

    public borrowing func set(_ option: SocketOption, _ value: Int) throws(ZeroMQError) {
        try retryingInterrupts("zmq_setsockopt") {
            switch option.width {
            case .int32:
                withUnsafeBytes(of: Int32(clamping: value)) {
                    zmq_setsockopt(pointer, option.number, $0.baseAddress, $0.count)
                }
            case .int64:
                withUnsafeBytes(of: Int64(value)) {
                    zmq_setsockopt(pointer, option.number, $0.baseAddress, $0.count)
                }
            }
        }
    }

    public borrowing func subscribe(_ prefix: String) throws(ZeroMQError) {
        try setBytes(ZMQ_SUBSCRIBE, prefix)
    }

    public borrowing func unsubscribe(_ prefix: String) throws(ZeroMQError) {
        try setBytes(ZMQ_UNSUBSCRIBE, prefix)
    }

    /// The name other sockets see, in place of one that ROUTER makes up.
    public borrowing func setRoutingID(_ id: String) throws(ZeroMQError) { try setBytes(ZMQ_ROUTING_ID, id) }

    borrowing func setBytes(_ option: Int32, _ value: String) throws(ZeroMQError) {
        var value = value
        try retryingInterrupts("zmq_setsockopt") {
            value.withUTF8 { zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
        }
    }

    public borrowing func bind(_ address: String) throws(ZeroMQError) {
        try retryingInterrupts("zmq_bind") { zmq_bind(pointer, address) }
    }

    /// Connections stay. The address is free once the socket's monitor says so.
    public borrowing func unbind(_ address: String) throws(ZeroMQError) {
        try retryingInterrupts("zmq_unbind") { zmq_unbind(pointer, address) }
    }

    public borrowing func connect(_ address: String) throws(ZeroMQError) {
        try retryingInterrupts("zmq_connect") { zmq_connect(pointer, address) }
    }

    /// Connects anew: libzmq does not try again by itself where it was not let in.
    public borrowing func reconnect(_ address: String) throws(ZeroMQError) {
        // Fails when libzmq has given the connection up already.
        zmq_disconnect(pointer, address)
        try connect(address)
    }

    /// After this the socket's monitor hears nothing more, and may be let go.
    public borrowing func stopMonitoring() {
        // Fails only for a socket whose context has ended, which tells nobody anything.
        zmq_socket_monitor(pointer, nil, 0)
    }

    /// Where the socket was bound last: says which port a wildcard became.
    public borrowing func boundAddress() throws(ZeroMQError) -> String {
        var address = [UInt8](repeating: 0, count: 1_024)
        var count = address.count
        try retryingInterrupts("zmq_getsockopt") {
            zmq_getsockopt(pointer, ZMQ_LAST_ENDPOINT, &address, &count)
        }
        return String(decoding: address.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Receives one part; all parts of a message arrive together.
    public borrowing func receive(_ message: borrowing Message) throws(ZeroMQError) -> Transfer {
        activity.isUsed = true
        return try transferring("zmq_msg_recv") { zmq_msg_recv(message.pointer, pointer, ZMQ_DONTWAIT) }
    }

    /// Sends one part that is written in place.
    ///
    /// - Parameters:
    ///   - more: further parts of the same message follow, in the same function call of the owner.
    ///   - account: holds the part's bytes until they are on the network. Costs, so only for what is large.
    public borrowing func send(
        byteCount: Int, more: Bool = false, account: SendAccount? = nil,
        _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) -> Transfer {
        activity.isUsed = true
        var message = zmq_msg_t()
        if let account {
            try account.makeMessage(&message, byteCount: byteCount)
        } else {
            try retryingInterrupts("zmq_msg_init_size") { zmq_msg_init_size(&message, byteCount) }
        }
        write(UnsafeMutableRawBufferPointer(start: zmq_msg_data(&message), count: byteCount))
        let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
        do throws(ZeroMQError) {
            let transfer = try transferring("zmq_msg_send") { zmq_msg_send(&message, pointer, flags) }
            // A message that was sent belongs to libzmq; any other is still ours.
            if transfer != .done { zmq_msg_close(&message) }
            return transfer
        } catch {
            zmq_msg_close(&message)
            throw error
        }
    }

    public borrowing func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(ZeroMQError) -> Transfer {
        let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
        activity.isUsed = true
        return try transferring("zmq_send") { zmq_send(pointer, bytes.baseAddress, bytes.count, flags) }
    }

    public borrowing func send(_ bytes: [UInt8], more: Bool = false) throws(ZeroMQError) -> Transfer {
        try send(byteCount: bytes.count, more: more) { $0.copyBytes(from: bytes) }
    }

    /// Blocks until something can be received, or sent. For a thread that has one socket and nothing else to do.
    public borrowing func wait(forSending: Bool, timeoutMs: Int = -1) throws(ZeroMQError) {
        var item = zmq_pollitem_t(
            socket: pointer, fd: 0, events: Int16(truncatingIfNeeded: forSending ? ZMQ_POLLOUT : ZMQ_POLLIN), revents: 0
        )
        try retryingInterrupts("zmq_poll") { zmq_poll(&item, 1, timeoutMs) }
    }
}

/// What a ``PollSet`` has to know of a socket.
final class SocketActivity {
    /// Readable when libzmq has news for the socket; what they are, only asking the socket tells.
    let fileDescriptor: Int32
    /// Since the socket was last asked and had nothing to say.
    var isUsed = true

    init(_ socket: UnsafeMutableRawPointer) {
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        // Fails only for what is no socket; -1 is then never readable.
        zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size)
        fileDescriptor = descriptor
    }
}
