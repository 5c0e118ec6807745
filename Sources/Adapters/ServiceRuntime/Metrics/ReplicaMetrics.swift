internal import CoreMetrics

/// What a process has of the work that replicas share, and whether its store is there.
enum ReplicaMetrics {
    /// Of who follows others or leads them; not of a service whose replicas are all the same.
    static func leads(_ leads: Bool) { Meter(label: "gridtide_leads").set(leads ? 1 : 0) }

    /// Of `LogPartition.count` that replicas divide among them.
    static func hasPartitions(_ count: Int) { Meter(label: "gridtide_partitions_held").set(count) }

    static func storeIsAway(_ isAway: Bool) { Meter(label: "gridtide_store_away").set(isAway ? 1 : 0) }
}
