internal import CZeroMQ

/// Memory for one message part, used again for each that is received.
public struct Message: ~Copyable {
    // libzmq wants the struct at one address for as long as it is initialised.
    let pointer: UnsafeMutablePointer<zmq_msg_t>

    public init() {
        pointer = .allocate(capacity: 1)
        zmq_msg_init(pointer)
    }

    deinit {
        zmq_msg_close(pointer)
        pointer.deallocate()
    }

    public var count: Int { zmq_msg_size(pointer) }

    /// More parts of the same message follow.
    public var hasMore: Bool { zmq_msg_more(pointer) != 0 }

    /// The name that the ``AuthenticationSocket`` gave the connection it came by; `nil` where no keys are demanded.
    ///
    /// To be asked of a message's last part: libzmq 4.3.4 has lost the first one's after a poll.
    public var senderName: String? { zmq_msg_gets(pointer, "User-Id").map { String(cString: $0) } }

    /// Where it came from: an IP address, or `localhost:uid:gid:pid`.
    public var senderAddress: String? { zmq_msg_gets(pointer, "Peer-Address").map { String(cString: $0) } }

    /// Lends the part's bytes.
    @inline(__always)
    public borrowing func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        body(UnsafeRawBufferPointer(start: zmq_msg_data(pointer), count: zmq_msg_size(pointer)))
    }
}
