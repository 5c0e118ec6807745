public import EnergyModel

/// The rights to use the partitions of a store that several processes divide among them: each partition is one's at a time.
///
/// Who has one writes it, and nobody else: what a former holder still writes is refused by the store. All that a process has ends
/// when it did not attend for ``duration``, by the store's clock.
///
/// - Throws: ``EnergyError`` `.unavailable` when the store cannot be reached now.
public protocol PartitionLeases: Sendable {
    /// How long it has what it has from when it attended last.
    var duration: Duration { get }

    /// Says that this process is there, and has what it has for a while longer.
    ///
    /// - Parameter timeout: how long it may try.
    func attend(within timeout: Duration) async throws(EnergyError) -> PartitionShares

    /// - Parameter partition: of ``LogPartition/all``.
    /// - Returns: whether it is this process's now: `false` while it is another's, who is there.
    func take(_ partition: Int) async throws(EnergyError) -> Bool

    /// Lets the next one have it at once. Nothing is written of it afterwards.
    func release(_ partition: Int) async throws(EnergyError)

    /// Says that this process is there no more.
    func leave() async throws(EnergyError)
}

/// Who divides the partitions of a store, as of some moment.
public struct PartitionShares: Hashable, Sendable {
    /// Processes that are there, with the one that asks.
    public var replicas: Int
    /// Those of who asks.
    public var own: Set<Int>
    /// Those that nobody has who is there.
    public var free: Set<Int>

    public init(replicas: Int, own: Set<Int> = [], free: Set<Int> = []) {
        (self.replicas, self.own, self.free) = (replicas, own, free)
    }

    /// How many a process has at most.
    public var shareMax: Int { (LogPartition.count + replicas - 1) / max(1, replicas) }
}
