internal import EnergyModel
public import EnergyStore
public import Foundation
internal import Logging

// Of replicas that share a store one leads, or each has some partitions of it. How they come to it: by leases that they keep. While
// the store is away nobody knows whose they are, and calls that need one are left to others; a process ends when another leads in its
// place.
extension ServiceHost {
    /// Serves at once. While another replica leads, calls of other methods than `methods` are left to it, and what
    /// ``runLeading(_:_:)`` was told waits.
    ///
    /// - Parameter lease: told who this process is: the same after each start, and no other process at the same time, for its
    ///   state directory is locked.
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
        keep("lease") { [self] in
            let since: ContinuousClock.Instant
            if let taken {
                since = taken
            } else {
                since = try await keeper.take()
                logger.notice("takes over")
                lead(leadership)
            }
            try await keeper.keep(since: since) { isOurs in
                if isOurs { return lead(leadership) }
                logger.warning("cannot reach the store, so that another replica may take over")
                health.left = "cannot reach its store: it leaves what changes something to whoever can"
                leadership.pause()
            }
        }
        onClose("lease") { try await lease.release() }
    }

    private func lead(_ leadership: Leadership) {
        health.left = nil
        leadership.begin()
    }

    /// Serves at once, of the partitions that this process has: a fair share of those of all replicas.
    ///
    /// - Parameter leases: told who this process is, as of ``follow(by:answering:)``.
    public func divide(
        by leases: (_ holder: UUID) -> any PartitionLeases, with owner: any PartitionOwner
    ) async throws {
        let tell: @Sendable (Set<Int>) -> Void = { [health] held in
            let (count, all) = (held.count, LogPartition.count)
            ReplicaMetrics.hasPartitions(count)
            health.left = count == all ? nil : "has \(count) of \(all) partitions; the others are for other replicas"
        }
        tell([])
        let keeper = PartitionKeeper(
            leases(try state.identifier("replica-id")), owner: owner, clock: ContinuousClock(), onChange: tell
        ) { [health, logger] hasLapsed in
            health.storeIsAway(hasLapsed)
            if hasLapsed {
                logger.warning("could not say in time that it is there: it leaves all partitions to others")
            }
        }
        keep("partitions") { try await keeper.run() }
        // Who is alone has all of them before it is asked for one.
        await keeper.waitForFirstLook()
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
    private func keep(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        let keeping = Task { try await body() }
        run(name) {
            try await withTaskCancellationHandler {
                try await keeping.value
            } onCancel: {
                keeping.cancel()
            }
        }
    }
}
