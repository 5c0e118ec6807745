import EnergyModel
import EnergyStore
import Foundation
import Synchronization

/// The leases of the partitions of one store, in memory: they end when a test says so.
final class LeaseBoard: Sendable {
    private struct State {
        var holders: [Int: UUID] = [:]
        var there: Set<UUID> = []
        var failure: EnergyError?
        var atNextAttendance: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// What is asked throws it from now on.
    func fail(_ failure: EnergyError?) { state.withLock { $0.failure = failure } }

    /// Happens before the next who says that it is there is answered.
    func atNextAttendance(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.atNextAttendance = body } }

    private func meet() {
        let body = state.withLock { state in
            defer { state.atNextAttendance = nil }
            return state.atNextAttendance
        }
        body?()
    }

    /// Who has a partition.
    func holder(of partition: Int) -> UUID? { state.withLock { $0.holders[partition] } }

    /// How many partitions somebody has.
    func count(of holder: UUID) -> Int { state.withLock { $0.holders.values.count { $0 == holder } } }

    func isThere(_ holder: UUID) -> Bool { state.withLock { $0.there.contains(holder) } }

    /// As when somebody is killed, and its leases have ended.
    func lose(_ holder: UUID) {
        state.withLock { state in
            state.there.remove(holder)
            for (partition, other) in state.holders where other == holder { state.holders[partition] = nil }
        }
    }

    /// Somebody else has taken it.
    func overtake(_ partition: Int) { state.withLock { $0.holders[partition] = UUID() } }

    func leases(of holder: UUID) -> any PartitionLeases { Leases(board: self, holder: holder) }

    private func run<Value: Sendable>(_ body: (inout State) -> Value) throws(EnergyError) -> Value {
        let result: Result<Value, EnergyError> = state.withLock { state in
            if let failure = state.failure { .failure(failure) } else { .success(body(&state)) }
        }
        return try result.get()
    }

    private struct Leases: PartitionLeases {
        let duration = Duration.seconds(4)
        let board: LeaseBoard
        let holder: UUID

        func attend(within timeout: Duration) async throws(EnergyError) -> PartitionShares {
            board.meet()
            return try board.run { [holder] state in
                state.there.insert(holder)
                return PartitionShares(
                    count: state.there.count, rank: state.there.count { $0.uuidString < holder.uuidString },
                    own: LogPartition.all.filter { state.holders[$0] == holder },
                    free: LogPartition.all.filter { state.holders[$0] == nil })
            }
        }

        func take(_ partition: Int) async throws(EnergyError) -> Bool {
            try board.run { [holder] state in
                guard [nil, holder].contains(state.holders[partition]) else { return false }
                state.holders[partition] = holder
                return true
            }
        }

        func release(_ partition: Int) async throws(EnergyError) {
            try board.run { [holder] state in
                if state.holders[partition] == holder { state.holders[partition] = nil }
            }
        }

        func leave() async throws(EnergyError) {
            try board.run { [holder] state in
                state.there.remove(holder)
                for (partition, other) in state.holders where other == holder { state.holders[partition] = nil }
            }
        }
    }
}
