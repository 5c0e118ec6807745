internal import CZeroMQ
internal import Synchronization

/// libzmq's I/O thread and what its sockets share. A process needs one: see ``shared()``.
///
/// The last reference must be dropped where waiting is allowed: ending a context waits until what its sockets still
/// had to send is sent, or their linger is over. ``SocketLoop`` drops its reference on its own thread.
public final class Context: Sendable {
    // libzmq: "contexts are thread safe".
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    public init() throws(ZeroMQError) {
        guard let pointer = zmq_ctx_new() else { throw ZeroMQError(call: "zmq_ctx_new") }
        self.pointer = pointer
    }

    deinit {
        // Fails only for an interrupt (then again) or a pointer that is no context.
        while zmq_ctx_term(pointer) != 0, zmq_errno() == EINTR {}
    }

    private struct Weak: Sendable { weak var context: Context? }
    private static let current = Locked(Weak())

    /// The process's context, while anybody uses it.
    public static func shared() throws(ZeroMQError) -> Context {
        try current.withLock { (current) throws(ZeroMQError) in
            if let context = current.context { return context }
            let context = try Context()
            current.context = context
            return context
        }
    }

    private static let monitorCount = Atomic<Int>(0)

    /// An inproc address that nobody else uses.
    static func makeMonitorAddress() -> String {
        "inproc://monitor-\(monitorCount.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
