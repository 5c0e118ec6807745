import EnergyModel
import EnergyStore
import Synchronization

/// What is so from some moment on.
final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock(\.self) }
    func set() { state.withLock { $0 = true } }
}

/// A lease that answers as it is told to, whatever it is asked.
final class ScriptedLease: StoreLease {
    let duration = Duration.seconds(4)
    private let answers: Mutex<[Result<Bool, EnergyError>]>
    private let last: @Sendable () -> Bool
    private let whileTaking: @Sendable () -> Void
    private let released = Mutex(false)
    var isReleased: Bool { released.withLock(\.self) }

    /// - Parameters:
    ///   - otherwise: once there are no more answers.
    ///   - whileTaking: what happens before it answers whether it was taken.
    init(
        _ answers: [Result<Bool, EnergyError>], otherwise: Bool = true,
        whileTaking: @escaping @Sendable () -> Void = {}
    ) {
        self.whileTaking = whileTaking
        self.answers = Mutex(answers)
        last = { otherwise }
    }

    /// - Parameter mayTake: asked each time.
    init(_ mayTake: @escaping @Sendable () -> Bool) {
        answers = Mutex([])
        last = mayTake
        whileTaking = {}
    }

    private func next() throws(EnergyError) -> Bool {
        try (answers.withLock { $0.isEmpty ? .success(last()) : $0.removeFirst() }).get()
    }

    func take() async throws(EnergyError) -> Bool {
        whileTaking()
        return try next()
    }
    func renew(within timeout: Duration) async throws(EnergyError) -> Bool { try next() }
    func release() async throws(EnergyError) { released.withLock { $0 = true } }
}
