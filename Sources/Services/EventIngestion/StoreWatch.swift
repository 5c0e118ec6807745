internal import EnergyFeeds
public import EnergyModel
internal import Synchronization

/// Whether the log takes events.
public enum LogCondition: Hashable, Sendable {
    case working
    /// Why every event is refused. With `.dataLoss` for as long as the process lives: somebody has to repair the database.
    case failing(EnergyError)
    /// It takes events, but something in it cannot be read.
    case damaged(EnergyError)
}

/// Notices when the log stops taking events, and tries by itself whether it takes them again: those who send may have
/// gone elsewhere.
///
/// Only a trial ends a failure, not a batch that happens to fit: on a disk that is nearly full they would take turns.
final class StoreWatch: Sendable {
    private let whenChanged: @Sendable (LogCondition) -> Void
    private let condition = Mutex(LogCondition.working)
    private let failures: AsyncStream<Void>
    private let failure: AsyncStream<Void>.Continuation

    /// - Parameter whenChanged: told of each change, in order; does not call back.
    init(whenChanged: @escaping @Sendable (LogCondition) -> Void) {
        self.whenChanged = whenChanged
        (failures, failure) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What a transaction has thrown.
    func failed(_ error: EnergyError) {
        guard error.code == .unavailable || error.code == .dataLoss else { return }
        condition.withLock { condition in
            if case .failing(let known) = condition, known.code == .dataLoss || known == error { return }
            condition = .failing(error)
            whenChanged(condition)
        }
        failure.yield()
    }

    /// What a reader was told.
    func readFailed(_ error: EnergyError) {
        guard error.code == .dataLoss else { return }
        condition.withLock { condition in
            guard case .working = condition else { return }
            condition = .damaged(error)
            whenChanged(condition)
        }
    }

    /// - Returns: whether it failed in a way that may pass.
    private func recovered() {
        condition.withLock { condition in
            guard case .failing(let error) = condition, error.code != .dataLoss else { return }
            condition = .working
            whenChanged(condition)
        }
    }

    private var mayRecover: Bool {
        guard case .failing(let error) = condition.withLock({ $0 }) else { return false }
        return error.code != .dataLoss
    }

    /// Tries again after each failure, with growing waits, until the task is cancelled.
    func run(clock: any Clock<Duration>, trial: () async throws(EnergyError) -> Void) async {
        // Never reset: a disk that fails again and again is tried, and told of, at most twice a minute.
        var backoff = Backoff(first: .seconds(5), longest: .seconds(30))
        for await _ in failures {
            while mayRecover, !Task.isCancelled {
                try? await clock.sleep(for: backoff.failed())
                if Task.isCancelled { return }
                do throws(EnergyError) {
                    try await trial()
                    recovered()
                } catch {
                    // Stopping is no failure of the disk.
                    if !Task.isCancelled { failed(error) }
                }
            }
        }
    }
}
