public import EnergyModel
internal import EnergyStore

/// What a process does for each partition that it has.
public protocol PartitionOwner: Sendable {
    /// Makes everything ready; from when it returns the partition's calls are answered.
    ///
    /// - Throws: ``EnergyError`` `.unavailable`: it is tried again.
    func begin(_ partition: Int) async throws(EnergyError)

    /// What goes on by itself, until it is cancelled.
    func run(_ partition: Int) async

    /// Leaves calls of the partition to others from now on, and returns when none is under way any more.
    func end(_ partition: Int) async
}

/// Takes a share of the partitions that replicas divide among them, and gives back what is more than that.
///
/// Nobody tells another what to do: each looks who is there, about twice a second. So what was a replica's that is gone has others
/// as soon as its leases end, and one that comes has its share as soon as the others have finished with it.
actor PartitionKeeper<WaitingClock: Clock<Duration>> {
    private let leases: any PartitionLeases
    private let owner: any PartitionOwner
    private let clock: WaitingClock
    private let onChange: @Sendable (_ held: Set<Int>) -> Void
    private var held: [Int: Held] = [:]
    /// Those of them that it is giving back.
    private var leaving: Set<Int> = []
    private let (failures, failure) = AsyncThrowingStream<Never, any Error>.makeStream()

    /// - Parameter onChange: told which it has, whenever that changes.
    init(
        _ leases: any PartitionLeases, owner: any PartitionOwner, clock: WaitingClock,
        onChange: @escaping @Sendable (_ held: Set<Int>) -> Void
    ) {
        (self.leases, self.owner, self.clock, self.onChange) = (leases, owner, clock, onChange)
    }

    /// Looks again and again, until the task is cancelled.
    ///
    /// - Throws: ``StartError`` when a lease is another's, or may be.
    func run() async throws {
        try await withThrowingTaskGroup { [clock, failures] group in
            group.addTask {
                while true {
                    try await clock.sleep(for: .milliseconds(500))
                    try await self.look()
                }
            }
            group.addTask { for try await _ in failures {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// - Throws: what will not get better by itself.
    func look() async throws(EnergyError) {
        do throws(EnergyError) {
            let shares = try await leases.attend()
            let kept = held.keys.filter { !leaving.contains($0) }.sorted()
            // Calls that are under way may take a while; meanwhile others must not think that it is gone.
            for partition in kept.dropFirst(shares.shareMax) {
                leaving.insert(partition)
                Task { await giveBack(partition) }
            }
            for partition in shares.free.subtracting(held.keys).sorted() where held.count < shares.shareMax {
                try await take(partition)
            }
        } catch {
            // What it has it keeps as long as it can renew that.
            guard error.code == .unavailable else { throw error }
        }
    }

    private func take(_ partition: Int) async throws(EnergyError) {
        let keeper = LeaseKeeper(lease: leases[partition], clock: clock)
        guard let taken = try await keeper.takeNow() else { return }
        // Renewed from now on: what is read before it begins may take longer than a lease.
        let keeping = Task { [failure] in
            do { try await keeper.keep(since: taken) } catch is CancellationError {} catch {
                failure.finish(throwing: error)
            }
        }
        do throws(EnergyError) { try await owner.begin(partition) } catch {
            await release(partition, Held(keeping: keeping, running: nil))
            throw error
        }
        held[partition] = Held(keeping: keeping, running: Task { [owner] in await owner.run(partition) })
        onChange(Set(held.keys))
    }

    private func giveBack(_ partition: Int) async {
        await owner.end(partition)
        // Closed meanwhile, with all others.
        guard let work = held[partition] else { return }
        await release(partition, work)
        held[partition] = nil
        leaving.remove(partition)
        onChange(Set(held.keys))
    }

    /// Leaves everything to the others.
    func close() async {
        let all = held
        held = [:]
        for work in all.values { work.running?.cancel() }
        for (partition, work) in all { await release(partition, work) }
        try? await leases.leave()
    }

    private func release(_ partition: Int, _ work: Held) async {
        work.running?.cancel()
        await work.running?.value
        work.keeping.cancel()
        await work.keeping.value
        // Where that fails it ends by itself.
        try? await leases[partition].release()
    }
}

/// What goes on for a partition that a process has.
private struct Held {
    let keeping: Task<Void, Never>
    /// `nil`: it has not begun.
    let running: Task<Void, Never>?
}
