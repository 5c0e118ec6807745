internal import EnergyModel
internal import EnergyStore

/// Takes a lease when it can be had, and keeps it.
struct LeaseKeeper<WaitingClock: Clock<Duration>>: Sendable {
    /// How soon after its end it is another's.
    private static var pollInterval: Duration { .milliseconds(500) }

    let lease: any StoreLease
    let clock: WaitingClock
    private var renewalInterval: Duration { lease.duration / 4 }

    /// - Returns: from when on it is ours.
    /// - Throws: `CancellationError`.
    func take() async throws -> WaitingClock.Instant {
        while true {
            if let taken = try await takeNow() { return taken }
            try await clock.sleep(for: Self.pollInterval)
        }
    }

    /// - Returns: from when on it is ours, `nil` while another has it, or the store is away.
    func takeNow() async throws(EnergyError) -> WaitingClock.Instant? {
        let begun = clock.now
        do throws(EnergyError) {
            guard try await lease.take() else { return nil }
            guard begun.duration(to: clock.now) > renewalInterval else { return begun }
            // It took long to find the server: much less than asked for may be left.
            let renewed = clock.now
            return try await lease.renew(within: lease.duration) ? renewed : nil
        } catch {
            // Whoever holds it cannot renew it either.
            guard error.code == .unavailable else { throw error }
            return nil
        }
    }

    /// Renews it, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - taken: what ``take()`` or ``takeNow()`` returned.
    ///   - onChange: told `false` when it has ended because the store was away, so that another may take it, and `true` when it was
    ///     renewed after all: nobody has taken it meanwhile.
    /// - Throws: ``StartError`` when it is another's.
    func keep(since taken: WaitingClock.Instant, onChange: (_ isOurs: Bool) -> Void) async throws {
        var end = taken.advanced(by: lease.duration)
        var hasEnded = false
        while true {
            try await clock.sleep(for: renewalInterval)
            let (begun, before) = (clock.now, end)
            let rest = begun.duration(to: before)
            var isOurs = true
            do throws(EnergyError) {
                isOurs = try await lease.renew(within: rest > .zero ? rest : lease.duration)
                end = begun.advanced(by: lease.duration)
            } catch {
                guard error.code == .unavailable else { throw StartError(error.message) }
            }
            guard isOurs else { throw clock.now < before ? StartError.overtaken : StartError.overtakenWhileAway }
            if hasEnded != (clock.now >= end) {
                hasEnded.toggle()
                onChange(!hasEnded)
            }
        }
    }
}

extension StartError {
    static let overtaken = StartError(
        """
        another replica has taken over; if this goes on, one has a copy of the other's state directory: delete replica-id \
        in it
        """)
    static let overtakenWhileAway = StartError(
        """
        another replica has taken over while the store was away from this one, or the store has lost what was written last: \
        this one follows when it is started again
        """)
}
