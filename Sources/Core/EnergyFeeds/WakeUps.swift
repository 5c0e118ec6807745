internal import Synchronization

/// Reasons to look at the log, kept until somebody takes them: any number of rings are one wake-up.
final class WakeUps: Sendable {
    struct Reasons: OptionSet {
        let rawValue: Int
        /// Something was published, or may have been.
        static let news = Reasons(rawValue: 1)
        /// The publisher is there, perhaps again.
        static let joined = Reasons(rawValue: 2)
        static let timer = Reasons(rawValue: 4)
    }

    private let pending = Mutex<(reasons: Reasons, timer: Int)>(([], 0))
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() { (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func wake(_ reasons: Reasons) {
        pending.withLock { $0.reasons.formUnion(reasons) }
        ring.yield()
    }

    /// Starts a timer's life, and ends that of the one before: its ring no longer counts.
    func armTimer() -> Int {
        pending.withLock {
            $0.timer += 1
            $0.reasons.remove(.timer)
            return $0.timer
        }
    }

    func timerFired(_ timer: Int) {
        let counts = pending.withLock { state in
            if state.timer == timer { state.reasons.insert(.timer) }
            return state.timer == timer
        }
        if counts { ring.yield() }
    }

    /// Returns once one of `reasons` is there, and forgets all reasons; or when the task is cancelled.
    func wait(for reasons: Reasons) async {
        var rings = bell.makeAsyncIterator()
        while true {
            let isThere = pending.withLock { state in
                guard !state.reasons.isDisjoint(with: reasons) else { return false }
                state.reasons = []
                return true
            }
            if isThere { return }
            guard await rings.next() != nil else { return }
        }
    }
}
