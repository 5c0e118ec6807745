internal import EnergyTransport

/// Something that happens once and can be waited for.
public final class TestEvent: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Locked(State())

    public init() {}

    public func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiting in waiters { waiting.resume() }
    }

    public func wait() async {
        await withCheckedContinuation { waiter in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiters.append(waiter) }
                return state.hasHappened
            }
            if hasHappened { waiter.resume() }
        }
    }

    /// Returns when the current task is cancelled.
    public static func cancellation() async {
        let event = TestEvent()
        await withTaskCancellationHandler {
            await event.wait()
        } onCancel: {
            event.happen()
        }
    }
}

/// A number that several tasks count up, and that can be waited for.
public final class TestCounter: Sendable {
    private struct State {
        var count = 0
        var waiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())

    public init() {}

    public var count: Int { state.withLock(\.count) }

    @discardableResult
    public func increment() -> Int {
        let (count, due) = state.withLock { state in
            state.count += 1
            let due = state.waiters.filter { $0.count <= state.count }
            state.waiters.removeAll { $0.count <= state.count }
            return (state.count, due)
        }
        for waiting in due { waiting.waiter.resume() }
        return count
    }

    public func wait(for count: Int) async {
        await withCheckedContinuation { waiter in
            let isReached = state.withLock { state in
                if state.count < count { state.waiters.append((count, waiter)) }
                return state.count >= count
            }
            if isReached { waiter.resume() }
        }
    }
}
