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
    /// - Parameter taken: what ``take()`` or ``takeNow()`` returned.
    /// - Throws: ``StartError`` when it is another's, or may be.
    func keep(since taken: WaitingClock.Instant) async throws {
        var end = taken.advanced(by: lease.duration)
        while true {
            try await clock.sleep(for: renewalInterval)
            let begun = clock.now
            var isOurs = true
            do throws(EnergyError) {
                isOurs = try await lease.renew(within: max(.zero, begun.duration(to: end)))
                end = begun.advanced(by: lease.duration)
            } catch {
                guard error.code == .unavailable, clock.now < end else {
                    throw StartError("another replica may take over: \(error.message)")
                }
            }
            guard isOurs else {
                throw StartError(
                    "another replica has taken over; if this goes on, one has a copy of the other's state directory: delete "
                        + "replica-id in it")
            }
        }
    }
}
