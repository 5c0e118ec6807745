internal import Synchronization

/// Calls back after a while, unless it is called off. However many wait, one timer runs: a timer that is cancelled holds
/// its memory until its time has come, so one for each would be a leak to who opens many streams.
final class Deadlines: Sendable {
    private struct Entry {
        let id: Int
        let due: Duration
    }
    private struct State {
        var lastID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
        /// In the order of their time; those without an action were called off.
        var entries: [Entry] = []
        var isRunning = false
    }

    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let wait: Duration
    private let state = Mutex(State())

    /// - Parameter wait: of each, from when it is added.
    init(clock: any Clock<Duration>, wait: Duration) {
        self.clock = clock
        self.wait = wait
        elapsed = Self.stopwatch(clock)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// - Returns: what to call it off with.
    func add(_ action: @escaping @Sendable () -> Void) -> Int {
        let (id, isFirst) = state.withLock { state in
            state.lastID += 1
            state.actions[state.lastID] = action
            state.entries.append(Entry(id: state.lastID, due: elapsed() + wait))
            defer { state.isRunning = true }
            return (state.lastID, !state.isRunning)
        }
        if isFirst { Task { await run() } }
        return id
    }

    func callOff(_ id: Int) {
        state.withLock { state in
            guard state.actions.removeValue(forKey: id) != nil else { return }
            let actions = state.actions
            if state.entries.count > 2 * actions.count + 64 { state.entries.removeAll { actions[$0.id] == nil } }
        }
    }

    private func run() async {
        while let due = nextDue() {
            let rest = due - elapsed()
            if rest > .zero { try? await clock.sleep(for: rest) }
            for action in takeDue() { action() }
        }
    }

    /// `nil`, once nothing waits any more: then the next one that is added starts the timer again.
    private func nextDue() -> Duration? {
        state.withLock { state in
            let due = state.entries.first { state.actions[$0.id] != nil }?.due
            if due == nil {
                state.isRunning = false
                state.entries = []
            }
            return due
        }
    }

    private func takeDue() -> [@Sendable () -> Void] {
        let now = elapsed()
        return state.withLock { state in
            let count = state.entries.prefix { $0.due <= now }.count
            let due = state.entries.prefix(count).compactMap { state.actions.removeValue(forKey: $0.id) }
            state.entries.removeFirst(count)
            return due
        }
    }
}
