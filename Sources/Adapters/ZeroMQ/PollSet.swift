internal import CZeroMQ
internal import Glibc

/// What a loop waits for. The owner lists its sockets before each wait and is told which of them are ready.
///
/// Not `zmq_poll`, which asks every socket twice with a system call each: a socket that was not used since it last had
/// nothing to say need not be asked, because its file descriptor tells. One that was used must be: sending and receiving
/// take that signal away.
public struct PollSet {
    private struct Item {
        let pointer: UnsafeMutableRawPointer
        let activity: SocketActivity
        let events: Int32
        var isReady = false
    }

    private var items: [Item] = []
    private var descriptors: [pollfd] = []

    init() {}

    mutating func removeAll() {
        items.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
    }

    /// Lists a socket until the next wait.
    ///
    /// - Parameter forSending: also wait for room to send.
    /// - Returns: the place to ask ``isReady(_:)`` about.
    @discardableResult
    public mutating func add(_ socket: borrowing Socket, forSending: Bool = false) -> Int {
        items.append(
            Item(
                pointer: socket.pointer, activity: socket.activity,
                events: forSending ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN))
        descriptors.append(pollfd(fd: socket.activity.fileDescriptor, events: Int16(POLLIN), revents: 0))
        return items.count - 1
    }

    @discardableResult
    public mutating func add(_ monitor: borrowing SocketMonitor) -> Int { add(monitor.socket) }

    @discardableResult
    public mutating func add(_ authentication: borrowing AuthenticationSocket) -> Int { add(authentication.socket) }

    /// Whether there is something to receive, or room to send. It may turn out that there is not.
    public func isReady(_ index: Int) -> Bool { items[index].isReady }

    /// Waits for the sockets and a waker.
    ///
    /// - Parameters:
    ///   - timeoutMs: -1 waits without end.
    ///   - waker: its file descriptor.
    mutating func wait(timeoutMs: Int, waker: Int32) throws(ZeroMQError) {
        var isAnyReady = false
        for index in items.indices where items[index].activity.isUsed {
            if try hasEvents(items[index]) {
                items[index].isReady = true
                isAnyReady = true
            } else {
                items[index].activity.isUsed = false
            }
        }
        descriptors.append(pollfd(fd: waker, events: Int16(POLLIN), revents: 0))
        let timeout = isAnyReady ? 0 : Int32(clamping: timeoutMs)
        _ = try descriptors.withUnsafeMutableBufferPointer { (descriptors) throws(ZeroMQError) in
            try retryingInterrupts("poll") { poll(descriptors.baseAddress, nfds_t(descriptors.count), timeout) }
        }
        for index in items.indices where descriptors[index].revents != 0 {
            items[index].isReady = true
            items[index].activity.isUsed = true
        }
    }

    private func hasEvents(_ item: Item) throws(ZeroMQError) -> Bool {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        try retryingInterrupts("zmq_getsockopt") { zmq_getsockopt(item.pointer, ZMQ_EVENTS, &events, &size) }
        return events & item.events != 0
    }
}
