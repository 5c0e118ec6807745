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

/// One of the oldest records of a partition.
public struct OldRecord: Hashable, Sendable {
    public let partition: Int
    public let sequence: UInt64
    public let received: Timestamp
    /// Of its payload, as it is counted against ``RetentionPolicy/bytesMax``.
    public let bytes: Int64

    public init(partition: Int, sequence: UInt64, received: Timestamp, bytes: Int64) {
        self.partition = partition
        self.sequence = sequence
        self.received = received
        self.bytes = bytes
    }
}

/// The records of one partition that go: all that are left up to ``lastSequence``.
public struct RecordRemoval: Hashable, Sendable {
    public let partition: Int
    public fileprivate(set) var lastSequence: UInt64 = 0
    public fileprivate(set) var count = 0
    public fileprivate(set) var bytes: Int64 = 0

    fileprivate init(partition: Int) { self.partition = partition }
}

extension RetentionPolicy {
    /// What goes: the oldest, in the order of their partition, as ``EventLogStore/removeRecords(_:now:countMax:)`` promises.
    ///
    /// - Parameters:
    ///   - oldest: of each partition the first `countMax` records that its ``Swift/Array/living(at:)`` readers have handled.
    ///   - bytes: of the payloads of all records.
    ///   - countMax: of the records that go.
    public func removals(
        of oldest: [OldRecord], bytes: Int64, readers: [LogReader], now: Timestamp, countMax: Int
    ) -> [RecordRemoval] {
        let patience = LogReader.patience(at: now)
        let handled = (0..<LogPartition.count).map { readers.handled(inPartition: $0) }
        var (excess, count) = (bytesMax.map { bytes - $0 } ?? 0, 0)
        var removals = (0..<LogPartition.count).map { RecordRemoval(partition: $0) }
        var kept: Set<Int> = []
        let inOrder = oldest.sorted {
            ($0.received, $0.partition, $0.sequence) < ($1.received, $1.partition, $1.sequence)
        }
        // Behind a record that is kept the others of its partition are, too.
        for record in inOrder where !kept.contains(record.partition) {
            let age = now.unixMilliseconds - record.received.unixMilliseconds
            let isTooOld = ageMaxMilliseconds.map { age > $0 } ?? false
            let isHandled = record.sequence <= handled[record.partition]
            let isGivenUp = excess > 0 && record.received < patience
            guard count < countMax, isHandled && (isTooOld || excess > 0) || isGivenUp else {
                kept.insert(record.partition)
                continue
            }
            excess -= record.bytes
            count += 1
            removals[record.partition].lastSequence = record.sequence
            removals[record.partition].count += 1
            removals[record.partition].bytes += record.bytes
        }
        return removals.filter { $0.count > 0 }
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

extension LogReader {
    /// A record that came before is not kept for readers that were not heard since.
    public static func patience(at now: Timestamp) -> Timestamp {
        now.advanced(byMilliseconds: -patienceMilliseconds)
    }
}

extension [LogReader] {
    /// Those that records are kept for even where the log has grown too large.
    public func living(at now: Timestamp) -> [LogReader] { heard(since: LogReader.patience(at: now)) }

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
