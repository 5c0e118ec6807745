public import EnergyModel
public import EnergyStore

extension EventIngestor {
    /// Of one transaction, so that nobody who submits waits long.
    private static let recordsPerStep = 500
    private static let sessionsPerStep = 1_000

    /// Removes what `policy` no longer wants and closes sessions that were silent for ``SessionBounds`` allow, now and
    /// every `interval`, until the task is cancelled.
    ///
    /// - Parameter whenFailed: told what kept it from being done; the next interval tries again.
    public func keepUp(
        _ policy: RetentionPolicy, every interval: Duration, clock timer: any Clock<Duration>,
        whenFailed: @Sendable (EnergyError) -> Void
    ) async {
        while !Task.isCancelled {
            do throws(EnergyError) {
                // Found out before somebody sends events, also right after the start.
                try await store.tryWriting()
                try await keepUpOnce(policy)
            } catch {
                if Task.isCancelled { return }
                watch.failed(error)
                whenFailed(error)
            }
            // Cancelled only at the end.
            try? await timer.sleep(for: interval)
        }
    }

    /// Whenever the log has stopped taking events, tries whether it takes them again, until the task is cancelled.
    ///
    /// - Parameter timer: for the waits between.
    public func watchLog(clock timer: any Clock<Duration>) async {
        await watch.run(clock: timer) { () async throws(EnergyError) in try await store.tryWriting() }
    }

    func keepUpOnce(_ policy: RetentionPolicy) async throws(EnergyError) {
        while !Task.isCancelled {
            let removed = try await store.removeRecords(policy, now: clock.now, countMax: Self.recordsPerStep)
            metrics.removed(records: removed)
            if removed < Self.recordsPerStep { break }
        }
        let limit = clock.now.advanced(byMilliseconds: -SessionBounds.silenceMilliseconds)
        while !Task.isCancelled {
            let count = try await store.abandonSessions(silentSince: limit, countMax: Self.sessionsPerStep)
            metrics.abandoned(sessions: count)
            if count < Self.sessionsPerStep { break }
        }
    }
}
