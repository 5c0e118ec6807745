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

    /// Lets the next one have it at once. Nothing is written of it afterwards. Without effect on what is not this process's.
    func release(_ partition: Int) async throws(EnergyError)

    /// Lets others have all that this process has, which is there no more.
    func leave() async throws(EnergyError)
}

/// Who divides the partitions of a store, as of some moment.
public struct PartitionShares: Hashable, Sendable {
    /// How many are for the process that asks: of all that are there each has as many, or one more than another.
    public var share: Int
    /// Those that are its, also of before it was started anew: nobody else takes them while it is there.
    public var own: Set<Int>
    /// Those that nobody has who is there.
    public var free: Set<Int>

    /// - Parameters:
    ///   - count: how many processes are there, with the one that asks.
    ///   - rank: the place of the one that asks among them, from 0 on, in an order that all of them know.
    public init(count: Int, rank: Int, own: Set<Int> = [], free: Set<Int> = []) {
        let (each, rest) = LogPartition.count.quotientAndRemainder(dividingBy: max(1, count))
        (share, self.own, self.free) = (each + (rank < rest ? 1 : 0), own, free)
    }
}
