internal import EnergyModel

/// What a lease is of.
public enum LeasedPart: Hashable, Sendable {
    /// Everything that a service stores: ``PostgreSQLLease``.
    case whole
    /// What it stores of one ``LogPartition``: ``PostgreSQLPartitionLeases``.
    case partition(Int)
}

/// Whose lease a transaction is written under.
public enum WriteLease: Sendable {
    /// That of everything, as it is then, where there is one.
    case whole
    /// One that was taken before: who has lost it since may have taken it again, and knows what another has written meanwhile by
    /// that other one only.
    case taken(LeaseFence)
}

/// A lease that was taken: what is written under it is refused once it was taken again.
public struct LeaseFence: Sendable {
    let part: LeasedPart
    let term: Int64

    /// Locks the lease until the commit; finds nothing where it was taken again.
    var sql: String {
        switch part {
        case .whole: "SELECT term FROM lease WHERE term = $1 FOR SHARE"
        case .partition: "SELECT term FROM partition_lease WHERE term = $1 AND partition = $2 FOR SHARE"
        }
    }

    var values: [(any PostgreSQLParameter)?] {
        switch part {
        case .whole: [term]
        case .partition(let partition): [term, partition]
        }
    }
}
