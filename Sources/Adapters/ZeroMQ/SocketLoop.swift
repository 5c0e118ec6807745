internal import CZeroMQ
internal import Glibc

/// Sockets, and what is done with them. Lives on its loop's thread from the moment it is given away.
public protocol SocketOwner: AnyObject {
    /// Lists every socket, in an order that ``turn(_:)`` knows.
    func list(in sockets: inout PollSet)

    /// Does what there is to do, without waiting: some of what can be received, all that is to be sent, what is due.
    ///
    /// - Returns: when to come again if nothing happens before, in ``monotonicNanoseconds()``; a time that has passed
    ///   means at once.
    func turn(_ sockets: borrowing PollSet) -> Int64

    /// Whether other threads have left work since the last turn, or moved a timer to an earlier time.
    var hasWork: Bool { get }

    /// The last thing before the sockets are closed.
    func stop()
}

/// A thread that owns sockets: it waits for all of them, its timers and its ``Waker`` at once, never by sleeping.
public final class SocketLoop: Sendable {
    private final class Control: Sendable {
        struct State {
            var hasEnded = false
            var waiters: [UnsafeContinuation<Void, Never>] = []
        }
        let waker: Waker
        let state = Locked(State())
        init(_ waker: Waker) { self.waker = waker }
    }

    /// What the thread is given.
    private final class Start {
        let name: String
        let control: Control
        var owner: (any SocketOwner)?
        init(_ name: String, _ control: Control, _ owner: sending any SocketOwner) {
            (self.name, self.control, self.owner) = (name, control, owner)
        }
    }

    /// Handlers run on the thread too.
    private static let stackByteCount = 2 * 1024 * 1024

    private let control: Control

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: shown by the system; at most 15 bytes of it.
    ///   - waker: what other threads wake the loop with.
    public init(name: String, waker: Waker, owner: sending any SocketOwner) throws(ZeroMQError) {
        control = Control(waker)
        let start = Unmanaged.passRetained(Start(name, control, owner))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackByteCount)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Signals are for the application's threads.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                SocketLoop.run(Unmanaged<Start>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            errno = result
            throw ZeroMQError(call: "pthread_create")
        }
    }

    /// Whoever forgets to stop the loop stops it by letting go of it.
    deinit { control.waker.stop() }

    /// Stops the thread, and returns when its sockets are closed.
    public func stop() async {
        control.waker.stop()
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
            let hasEnded = control.state.withLock { state in
                if !state.hasEnded { state.waiters.append(waiter) }
                return state.hasEnded
            }
            if hasEnded { waiter.resume() }
        }
    }

    private static func run(_ start: Start) {
        let control = start.control
        czeromq_name_thread(start.name)
        if let owner = start.owner {
            start.owner = nil
            runTurns(owner, control.waker)
            owner.stop()
        }
        // The owner is gone, and with it its sockets and its reference to the context.
        let waiters = control.state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func runTurns(_ owner: any SocketOwner, _ waker: Waker) {
        var sockets = PollSet()
        var next = monotonicNanoseconds()
        while !waker.isStopping {
            sockets.removeAll()
            owner.list(in: &sockets)
            let wakerIndex = sockets.add(fileDescriptor: waker.fileDescriptor)
            waker.announceSleep()
            let isBusy = owner.hasWork || waker.isStopping
            do {
                try sockets.wait(timeoutMs: isBusy ? 0 : milliseconds(until: next))
            } catch {
                // ETERM or ENOTSOCK: the sockets cannot be used any more, so neither can the loop.
                return
            }
            waker.noteAwake()
            if sockets.isReady(wakerIndex) { waker.drain() }
            next = owner.turn(sockets)
        }
    }

    /// Rounded up, so that a timer is due when its poll returns; capped, so that no clock error waits for ever.
    private static func milliseconds(until time: Int64) -> Int {
        guard time != .max else { return -1 }
        let (wait, overflow) = time.subtractingReportingOverflow(monotonicNanoseconds())
        guard !overflow, wait > 0 else { return overflow && time > 0 ? 60_000 : 0 }
        return Int(min((wait - 1) / 1_000_000 + 1, 60_000))
    }
}

/// A clock that never goes back.
public func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
