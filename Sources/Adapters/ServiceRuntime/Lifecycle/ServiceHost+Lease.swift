internal import EnergyModel
public import EnergyStore
public import Foundation
internal import Logging

extension ServiceHost {
    /// Waits until this process is the one that uses a store, and ends it when it no longer is. For a main that opens its
    /// store before its service is bound: who waits here takes no requests.
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
        // From now on: what is read before it serves may take longer than a lease.
        let keeping = Task { try await keeper.keep(since: taken) }
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
