internal import Synchronization

/// Lets one task wait until a time, or until somebody rings. A ring that nobody waits for counts for the next wait.
public final class Alarm: Sendable {
    private struct State {
        var isRung = false
        var sleeper: Task<Void, Never>?
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    public init(clock: any Clock<Duration>) { self.clock = clock }

    public func ring() {
        let sleeper = state.withLock { state in
            state.isRung = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Returns after `duration`, when rung, or when the task is cancelled, whichever is first.
    public func wait(for duration: Duration) async {
        let clock = clock
        let sleeper = Task { _ = try? await clock.sleep(for: duration) }
        let isRung = state.withLock { state in
            state.sleeper = sleeper
            return state.isRung
        }
        if isRung { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { state in
            state.sleeper = nil
            state.isRung = false
        }
    }
}
