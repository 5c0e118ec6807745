internal import CZeroMQ
internal import Glibc

/// Sockets, and what is done with them. Lives on its loop's thread from the moment it is given away.
public protocol SocketOwner: AnyObject {
    /// Lists every socket, in an order that ``receive(_:)`` knows.
    func list(in sockets: inout PollSet)

    /// Takes some of what has arrived, without waiting.
    func receive(_ sockets: borrowing PollSet)

    /// Does what is due and sends all there is to send, without waiting.
    ///
    /// - Returns: when to come again if nothing happens before, in ``monotonicNanoseconds()``; a time that has passed
    ///   means at once.
    func send() -> Int64

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
        let executor: LoopExecutor
        let state = Locked(State())
        init(_ waker: Waker) { (self.waker, executor) = (waker, LoopExecutor(waker)) }
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

    /// Runs tasks on the loop's thread. They must not block it.
    public var executor: any TaskExecutor { control.executor }

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
            runTurns(owner, control)
            owner.stop()
            control.executor.end()
        }
        // The owner is gone, and with it its sockets and its reference to the context.
        let waiters = control.state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func runTurns(_ owner: any SocketOwner, _ control: Control) {
        let (waker, executor) = (control.waker, control.executor)
        var jobs: [UnownedJob] = []
        var sockets = PollSet()
        var next = monotonicNanoseconds()
        while !waker.isStopping {
            sockets.removeAll()
            owner.list(in: &sockets)
            waker.announceSleep()
            let isBusy = owner.hasWork || executor.hasJobs || waker.isStopping
            do {
                try sockets.wait(
                    timeoutMs: isBusy ? 0 : milliseconds(until: next), waker: waker.fileDescriptor)
            } catch {
                // ETERM or ENOTSOCK: the sockets cannot be used any more, so neither can the loop.
                return
            }
            // Whoever found the loop asleep has written to the waker, and nobody else has.
            if !waker.noteAwake() { waker.drain() }
            owner.receive(sockets)
            executor.runJobs(&jobs)
            next = owner.send()
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
