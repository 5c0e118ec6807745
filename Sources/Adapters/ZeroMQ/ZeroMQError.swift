internal import CZeroMQ

/// A libzmq call that failed, with its errno.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
    public let call: String
    public let code: Int32

    /// Of the calling thread's last failed libzmq call.
    init(call: StaticString) {
        self.call = "\(call)"
        code = zmq_errno()
    }

    /// What libzmq says about the code, for example "Address already in use".
    public var reason: String { String(cString: zmq_strerror(code)) }
    public var description: String { "\(call): \(reason)" }

    public var isAddressInUse: Bool { code == EADDRINUSE }
}

/// The one place where a call that a signal interrupted is made again.
@discardableResult
func retryingInterrupts(_ call: StaticString, _ body: () -> Int32) throws(ZeroMQError) -> Int32 {
    while true {
        let result = body()
        if result >= 0 { return result }
        if zmq_errno() != EINTR { throw ZeroMQError(call: call) }
    }
}

/// The same for sends and receives that do not wait.
func transferring(_ call: StaticString, _ body: () -> Int32) throws(ZeroMQError) -> Transfer {
    while true {
        if body() >= 0 { return .done }
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN: return .wouldBlock
        case EHOSTUNREACH: return .unreachable
        default: throw ZeroMQError(call: call)
        }
    }
}

/// How a send or receive that does not wait ended.
public enum Transfer: Sendable {
    case done
    /// Nothing to receive, or no room to send.
    case wouldBlock
    /// ROUTER: no such peer any more.
    case unreachable
}
