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
/// Nobody tells another what to do: each looks who is there, about twice a second. So what a replica had that is gone the others
/// have as soon as that has ended, and one that comes has its share as soon as the others have finished with it. Who could not say
/// in time that it is there, because the store was away, leaves everything to the others, and comes anew when the store is back.
actor PartitionKeeper<WaitingClock: Clock<Duration>> {
    private let leases: any PartitionLeases
    private let owner: any PartitionOwner
    private let clock: WaitingClock
    private let onChange: @Sendable (_ held: Set<Int>) -> Void
    private let onLapse: @Sendable (_ hasLapsed: Bool) -> Void
    private var hasLapsed = false
    /// What goes on for each that it has.
    private var held: [Int: Task<Void, Never>] = [:]
    /// Those of them that it is giving back.
    private var leaving: Set<Int> = []
    /// What it has may be another's then, unless it attends before; `nil` before it has attended once, and while that is so.
    private var heldUntil: WaitingClock.Instant?
    /// How often that came to be.
    private var lapseCount = 0
    private let (firstLooks, firstLook) = AsyncStream<Never>.makeStream()

    /// - Parameters:
    ///   - onChange: told which it has, whenever that changes.
    ///   - onLapse: told when it can have nothing, because it could not attend, and when it has attended again.
    init(
        _ leases: any PartitionLeases, owner: any PartitionOwner, clock: WaitingClock,
        onChange: @escaping @Sendable (_ held: Set<Int>) -> Void,
        onLapse: @escaping @Sendable (_ hasLapsed: Bool) -> Void
    ) {
        (self.leases, self.owner, self.clock) = (leases, owner, clock)
        (self.onChange, self.onLapse) = (onChange, onLapse)
    }

    /// Looks again and again, until the task is cancelled; then leaves everything to the others.
    ///
    /// - Throws: ``StartError`` when what it has is another's.
    func run() async throws {
        let (looks, look) = AsyncStream.makeStream(of: PartitionShares?.self, bufferingPolicy: .bufferingNewest(1))
        defer { firstLook.finish() }
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup { group in
                // Beside what is taken and given back, both of which may take longer than it lasts unattended.
                group.addTask { [clock] in
                    while true {
                        look.yield(try await self.attend())
                        try await clock.sleep(for: .milliseconds(500))
                    }
                }
                group.addTask { [firstLook] in
                    for await shares in looks {
                        if let shares { try await self.balance(shares) }
                        firstLook.finish()
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            try Task.checkCancellation()
            result = .success(())
        } catch { result = .failure(error) }
        // Not cancelled with this task: others wait for it.
        await Task { await leave() }.value
        try result.get()
    }

    /// Returns when it has taken what was free as it began, or cannot.
    func waitForFirstLook() async { for await _ in firstLooks {} }

    /// - Returns: `nil` while the store is away.
    func attend() async throws -> PartitionShares? {
        // Late: the process hung, or its machine did.
        lapse(at: clock.now)
        let (begun, before) = (clock.now, Set(held.keys).subtracting(leaving))
        let shares: PartitionShares
        do throws(EnergyError) {
            shares = try await leases.attend(within: heldUntil.map { begun.duration(to: $0) } ?? leases.duration)
        } catch {
            guard error.code == .unavailable else { throw StartError(error.message) }
            lapse(at: clock.now)
            tell(hasLapsed: heldUntil == nil)
            return nil
        }
        lapse(at: clock.now)
        tell(hasLapsed: false)
        heldUntil = begun.advanced(by: leases.duration)
        // Some are taken and given back meanwhile.
        guard before.intersection(held.keys).subtracting(leaving).isSubset(of: shares.own) else {
            throw StartError.overtaken
        }
        return shares
    }

    /// Leaves everything to the others once it may be theirs.
    private func lapse(at now: WaitingClock.Instant) {
        guard let heldUntil, heldUntil <= now else { return }
        self.heldUntil = nil
        lapseCount += 1
        tell(hasLapsed: true)
        for partition in held.keys where !leaving.contains(partition) { startGivingBack(partition) }
    }

    private func tell(hasLapsed new: Bool) {
        guard new != hasLapsed else { return }
        hasLapsed = new
        onLapse(new)
    }

    func balance(_ shares: PartitionShares) async throws(EnergyError) {
        do throws(EnergyError) {
            // Those that could not be begun, or given back, and those of before it was started anew: perhaps more than its share,
            // which nobody would take from who is there.
            let unused = shares.own.subtracting(held.keys)
            for partition in unused.sorted() { try await leases.release(partition) }
            let kept = held.keys.filter { !leaving.contains($0) }.sorted()
            for partition in kept.dropFirst(shares.share) { startGivingBack(partition) }
            for partition in shares.free.union(unused).subtracting(held.keys).sorted() {
                // Nor when all were left meanwhile.
                if held.count >= shares.share || heldUntil == nil || Task.isCancelled { break }
                try await take(partition)
            }
        } catch {
            // The next look tells more.
            guard error.code == .unavailable else { throw error }
        }
    }

    private func take(_ partition: Int) async throws(EnergyError) {
        let lapsesBefore = lapseCount
        guard try await leases.take(partition) else { return }
        do throws(EnergyError) { try await owner.begin(partition) } catch {
            try? await leases.release(partition)
            throw error
        }
        held[partition] = Task { [owner] in await owner.run(partition) }
        onChange(Set(held.keys))
        // It took longer than it lasts unattended.
        if lapseCount != lapsesBefore { startGivingBack(partition) }
    }

    /// Calls that are under way may take a while; others are not to wait for that.
    private func startGivingBack(_ partition: Int) {
        leaving.insert(partition)
        Task { await giveBack(partition) }
    }

    private func giveBack(_ partition: Int) async {
        await end(partition)
        // Where that fails it is tried again: it is its own, and not held.
        try? await leases.release(partition)
        held[partition] = nil
        leaving.remove(partition)
        onChange(Set(held.keys))
    }

    /// Leaves everything to the others.
    func leave() async {
        await withDiscardingTaskGroup { group in
            for partition in held.keys { group.addTask { await self.end(partition) } }
        }
        try? await leases.leave()
        held = [:]
    }

    /// Nothing of it goes on when this returns.
    private func end(_ partition: Int) async {
        await owner.end(partition)
        held[partition]?.cancel()
        await held[partition]?.value
    }
}
