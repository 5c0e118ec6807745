public import EnergyModel

/// How long the log keeps its records. Without a limit, for ever.
public struct RetentionPolicy: Hashable, Sendable {
    /// Records that were received longer ago are removed; at least a day.
    public let ageMaxMilliseconds: Int64?
    /// When the log takes more than that, its oldest records are removed; at least 16 MiB.
    public let bytesMax: Int64?

    /// Both are raised to their least.
    public init(ageMaxMilliseconds: Int64? = nil, bytesMax: Int64? = nil) {
        self.ageMaxMilliseconds = ageMaxMilliseconds.map { max($0, .millisecondsPerDay) }
        self.bytesMax = bytesMax.map { max($0, 16 << 20) }
    }
}

/// How far somebody who reads the log has come in one partition.
public struct LogReader: Hashable, Sendable {
    /// Names of readers that are remembered.
    public static let countMax = 64

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
        EnergyError(.rateLimited, "the log has \(LogReader.countMax) readers, no more are remembered")
    }
}
