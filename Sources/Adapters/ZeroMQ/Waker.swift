internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// Wakes a loop that waits, and costs nothing while it does not.
///
/// The loop says that it will sleep, then looks once more whether there is work; others add work, then ask whether it
/// sleeps. Both in one total order, so one of them sees the other (Dekker's algorithm).
public final class Waker: Sendable {
    let fileDescriptor: Int32
    private let isSleeping = Atomic(false)
    private let isStopped = Atomic(false)

    public init() throws(ZeroMQError) {
        fileDescriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard fileDescriptor >= 0 else { throw ZeroMQError(call: "eventfd") }
    }

    deinit { Glibc.close(fileDescriptor) }

    /// There is work for the loop. From any thread, after the work is where the loop will find it.
    public func wake() {
        guard isSleeping.load(ordering: .sequentiallyConsistent),
            isSleeping.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is being woken already.
        while Glibc.write(fileDescriptor, &one, 8) < 0, errno == EINTR {}
    }

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    var isStopping: Bool { isStopped.load(ordering: .sequentiallyConsistent) }

    func announceSleep() { isSleeping.store(true, ordering: .sequentiallyConsistent) }

    /// - Returns: `false` when somebody has woken the loop, or is about to: ``drain()`` then takes the signal.
    func noteAwake() -> Bool { isSleeping.exchange(false, ordering: .sequentiallyConsistent) }

    /// Takes the signal if it has arrived. One that arrives later wakes the loop once for nothing.
    func drain() {
        var count: UInt64 = 0
        while Glibc.read(fileDescriptor, &count, 8) < 0, errno == EINTR {}
    }
}
