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
    /// What goes on for each that it has.
    private var held: [Int: Task<Void, Never>] = [:]
    /// Those of them that it is giving back.
    private var leaving: Set<Int> = []
    /// What it has ends then, unless it attends before; `nil` before it has attended once.
    private var end: WaitingClock.Instant?

    /// - Parameter onChange: told which it has, whenever that changes.
    init(
        _ leases: any PartitionLeases, owner: any PartitionOwner, clock: WaitingClock,
        onChange: @escaping @Sendable (_ held: Set<Int>) -> Void
    ) {
        (self.leases, self.owner, self.clock, self.onChange) = (leases, owner, clock, onChange)
    }

    /// Looks again and again, until the task is cancelled.
    ///
    /// - Throws: ``StartError`` when what it has is another's, or may be.
    func run() async throws {
        let (looks, look) = AsyncStream.makeStream(of: PartitionShares.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup { group in
            group.addTask { [clock] in
                while true {
                    try await clock.sleep(for: .milliseconds(500))
                    if let shares = try await self.attend() { look.yield(shares) }
                }
            }
            // What is taken may take longer to begin than it would last unattended.
            group.addTask { for await shares in looks { try await self.balance(shares) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Looks once.
    func look() async throws { if let shares = try await attend() { try await balance(shares) } }

    /// - Returns: `nil` while the store is away.
    private func attend() async throws -> PartitionShares? {
        let (begun, before) = (clock.now, Set(held.keys))
        let shares: PartitionShares
        do throws(EnergyError) {
            let rest = end.map { max(.zero, begun.duration(to: $0)) }
            shares = try await leases.attend(within: rest ?? leases.duration)
        } catch {
            guard error.code == .unavailable, end.map({ clock.now < $0 }) ?? true else {
                throw StartError("another replica may take over: \(error.message)")
            }
            return nil
        }
        end = begun.advanced(by: leases.duration)
        // Some are taken and given back meanwhile.
        guard before.intersection(held.keys).subtracting(leaving).isSubset(of: shares.own) else {
            throw StartError(
                "another replica has taken over; if this goes on, one has a copy of the other's state directory: delete "
                    + "replica-id in it")
        }
        return shares
    }

    private func balance(_ shares: PartitionShares) async throws(EnergyError) {
        let kept = held.keys.filter { !leaving.contains($0) }.sorted()
        // Calls that are under way may take a while; others are not to wait for that.
        for partition in kept.dropFirst(shares.shareMax) {
            leaving.insert(partition)
            Task { await giveBack(partition) }
        }
        for partition in shares.free.subtracting(held.keys).sorted() where held.count < shares.shareMax {
            do throws(EnergyError) { try await take(partition) } catch {
                guard error.code == .unavailable else { throw error }
            }
        }
    }

    private func take(_ partition: Int) async throws(EnergyError) {
        guard try await leases.take(partition) else { return }
        do throws(EnergyError) { try await owner.begin(partition) } catch {
            try? await leases.release(partition)
            throw error
        }
        held[partition] = Task { [owner] in await owner.run(partition) }
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
        for work in all.values { work.cancel() }
        for (partition, work) in all { await release(partition, work) }
        try? await leases.leave()
    }

    private func release(_ partition: Int, _ work: Task<Void, Never>) async {
        work.cancel()
        await work.value
        // Where that fails it ends by itself.
        try? await leases.release(partition)
    }
}
