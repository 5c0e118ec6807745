public import EnergyModel

/// How long the log keeps its records. Without a limit, for ever.
public struct RetentionPolicy: Hashable, Sendable {
    /// Records that were received longer ago are removed; at least a day.
    public let ageMaxMilliseconds: Int64?
    /// When the payloads of all records together take more than that, the oldest records are removed; at least 1 MiB.
    public let bytesMax: Int64?

    /// Both are raised to their least.
    public init(ageMaxMilliseconds: Int64? = nil, bytesMax: Int64? = nil) {
        self.ageMaxMilliseconds = ageMaxMilliseconds.map { max($0, .millisecondsPerDay) }
        self.bytesMax = bytesMax.map { max($0, 1 << 20) }
    }
}

/// How far somebody who reads the log has come in one partition.
public struct LogReader: Hashable, Sendable {
    /// Names of readers that are remembered.
    public static let countMax = 64
    /// A record is kept for a reader at least so long, even where the log has grown too large; for one that was heard
    /// since, as long as it takes.
    public static let patienceMilliseconds = 30 * Int64.millisecondsPerDay

    /// 1 to 64 bytes, as a device's id.
    public let name: String
    public let partition: Int
    /// Everything up to this one was handled.
    public let sequence: UInt64
    /// When the reader said so.
    public let seen: Timestamp

    public init(name: String, partition: Int, sequence: UInt64, seen: Timestamp) {
        self.name = name
        self.partition = partition
        self.sequence = sequence
        self.seen = seen
    }
}

extension [LogReader] {
    /// Those that were heard since. A reader is heard in the partitions that have news.
    public func heard(since limit: Timestamp) -> [LogReader] {
        let names = Set(lazy.filter { $0.seen >= limit }.map(\.name))
        return filter { names.contains($0.name) }
    }

    /// The newest record of a partition that every reader has handled. A reader that has not read the partition yet has
    /// handled nothing of it.
    public func handled(inPartition partition: Int) -> UInt64 {
        let names = Set(map(\.name))
        let positions = filter { $0.partition == partition }
        guard positions.count == names.count else { return 0 }
        return positions.map(\.sequence).min() ?? .max
    }
}

extension EnergyError {
    public static var tooManyLogReaders: EnergyError {
        EnergyError(
            .rateLimited,
            "the log remembers \(LogReader.countMax) readers and no more; remove one that is gone with 'energyctl log readers "
                + "remove'")
    }
}
