public import EnergyModel

/// The leases of the partitions of a store that several processes divide among them.
///
/// - Throws: ``EnergyError`` `.unavailable` when the store cannot be reached now.
public protocol PartitionLeases: Sendable {
    /// - Parameter partition: of ``LogPartition/all``.
    subscript(partition: Int) -> any StoreLease { get }

    /// Says that this process is there, for as long as a lease lasts.
    func attend() async throws(EnergyError) -> PartitionShares

    /// Says that it is there no more.
    func leave() async throws(EnergyError)
}

/// Who divides the partitions of a store, as of some moment.
public struct PartitionShares: Hashable, Sendable {
    /// Processes that are there, with the one that asks.
    public var replicas: Int
    /// Partitions that nobody has, and those of who asks.
    public var free: Set<Int>

    public init(replicas: Int, free: Set<Int>) { (self.replicas, self.free) = (replicas, free) }

    /// How many a process has at most.
    public var shareMax: Int { (LogPartition.count + replicas - 1) / max(1, replicas) }
}
