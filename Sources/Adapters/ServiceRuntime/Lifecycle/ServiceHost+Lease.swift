internal import EnergyModel
public import EnergyStore
public import Foundation
internal import Logging

// Of replicas that share a store one leads. How they come to it: by a lease that it keeps; a process ends when it no longer is
// the one.
extension ServiceHost {
    /// Waits until this process leads. For a main that opens its store before its service is bound: who waits here takes no
    /// requests.
    ///
    /// - Parameter lease: told who this process is: the same after each start, and no other process at the same time, for its
    ///   state directory is locked.
    /// - Throws: `CancellationError` when the process is to stop meanwhile.
    public func lead(by lease: (_ holder: UUID) -> any StoreLease) async throws {
        let lease = lease(try state.identifier("replica-id"))
        let keeper = LeaseKeeper(lease: lease, clock: ContinuousClock())
        let taken = try await stopping.cancelling { [self] in
            try await keeper.take { count in
                if count == 0 { standBy() }
                notify?.alive()
            }
        }
        if health.standsBy {
            logger.notice("takes over")
            health.standBy(false)
            notify?.status("takes over")
        }
        keep(lease) { try await keeper.keep(since: taken) }
    }

    /// Serves at once. While another replica leads, calls of other methods than `methods` are left to it, and what
    /// ``runLeading(_:_:)`` was told waits.
    ///
    /// - Parameter lease: as of ``lead(by:)``.
    public func follow(
        by lease: (_ holder: UUID) -> any StoreLease, answering methods: Set<String>
    ) async throws {
        let lease = lease(try state.identifier("replica-id"))
        let keeper = LeaseKeeper(lease: lease, clock: ContinuousClock())
        let leadership = Leadership(answering: methods)
        setLeadership(leadership)
        // Who is alone is never seen to follow.
        let taken = try await keeper.takeNow()
        if taken != nil {
            leadership.begin()
        } else {
            logger.notice("follows another replica")
            health.left = "follows another replica, to which it leaves what changes something"
        }
        keep(lease) { [self] in
            if let taken { return try await keeper.keep(since: taken) }
            let taken = try await keeper.take()
            logger.notice("takes over")
            health.left = nil
            leadership.begin()
            try await keeper.keep(since: taken)
        }
    }

    /// Runs `body` as ``run(_:_:)`` does, from when this process leads.
    public func runLeading(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        run(name) { [leadership] in
            await leadership?.wait()
            if !Task.isCancelled { try await body() }
        }
    }

    /// Whether this process leads, or is the only one.
    public var leads: Bool { leadership?.leads ?? true }

    /// From now on: what is read before the process serves may take longer than a lease.
    private func keep(_ lease: any StoreLease, _ body: @escaping @Sendable () async throws -> Void) {
        let keeping = Task { try await body() }
        run("lease") {
            try await withTaskCancellationHandler {
                try await keeping.value
            } onCancel: {
                keeping.cancel()
            }
        }
        onClose("lease") { try await lease.release() }
    }

    private func standBy() {
        logger.notice("stands by for another replica")
        health.standBy(true)
        // Who starts it need not wait for the other one's end.
        notify?.ready()
        notify?.status("stands by for another replica")
    }
}
