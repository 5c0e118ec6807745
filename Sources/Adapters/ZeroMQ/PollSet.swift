internal import CZeroMQ

/// What a loop waits for. The owner lists its sockets before each wait and is told which of them are ready.
public struct PollSet {
    private var items: [zmq_pollitem_t] = []

    init() {}

    mutating func removeAll() { items.removeAll(keepingCapacity: true) }

    /// Lists a socket until the next wait.
    ///
    /// - Parameter forSending: also wait for room to send.
    /// - Returns: the place to ask ``isReady(_:)`` about.
    @discardableResult
    public mutating func add(_ socket: borrowing Socket, forSending: Bool = false) -> Int {
        let events = Int16(truncatingIfNeeded: forSending ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN)
        items.append(zmq_pollitem_t(socket: socket.pointer, fd: 0, events: events, revents: 0))
        return items.count - 1
    }

    @discardableResult
    public mutating func add(_ monitor: borrowing SocketMonitor) -> Int { add(monitor.socket) }

    mutating func add(fileDescriptor: Int32) -> Int {
        items.append(
            zmq_pollitem_t(
                socket: nil, fd: fileDescriptor, events: Int16(truncatingIfNeeded: ZMQ_POLLIN), revents: 0))
        return items.count - 1
    }

    public func isReady(_ index: Int) -> Bool { items[index].revents != 0 }

    /// - Parameter timeoutMs: -1 waits without end.
    mutating func wait(timeoutMs: Int) throws(ZeroMQError) {
        _ = try items.withUnsafeMutableBufferPointer { (items) throws(ZeroMQError) in
            try retryingInterrupts("zmq_poll") { zmq_poll(items.baseAddress, Int32(items.count), timeoutMs) }
        }
    }
}
