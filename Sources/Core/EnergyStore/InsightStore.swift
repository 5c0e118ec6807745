public import EnergyModel
public import Foundation

/// What the log adds up to, and up to where it is counted.
///
/// Everything here can be made again from the log. Every method is atomic: it sees, or leaves, the effects of whole
/// records only.
///
/// - Throws: ``EnergyError`` `.unavailable` when the storage cannot be used now.
public protocol InsightStore: Sendable {
    /// The newest record counted, of each partition that has one; sorted by partition.
    func positions() async throws(EnergyError) -> [LogHead]

    /// The log that is counted; `nil` until ``adopt(log:anew:)`` has said.
    func logID() async throws(EnergyError) -> UUID?

    /// Remembers which log is counted.
    ///
    /// - Parameter anew: forgets everything that was counted before, positions too.
    func adopt(log id: UUID?, anew: Bool) async throws(EnergyError)

    /// Those of the sessions that are known.
    func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession]

    /// Counts the records of one partition after `effects.after`, up to and including `effects.through`: their amounts,
    /// their sessions and the position, in one transaction.
    ///
    /// - Returns: `false`, and changes nothing, if they were counted before.
    /// - Throws: `.conflict` if the partition stands neither at `after` nor at or beyond `through`.
    func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool

    /// Takes back what was counted of some devices of a venue, also from unused places of the files. Positions stay.
    ///
    /// - Parameter isErased: told the id of each device that something was counted of.
    func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount]

    /// The totals of the periods that touch `range` and in which something was counted, from the first, at most `limit`.
    ///
    /// - Parameters:
    ///   - range: begins and ends on a period.
    ///   - limit: `>= 1`.
    func totals(
        of scope: InsightScope, in range: Interval, by periods: CalendarPeriods, limit: Int
    ) async throws(EnergyError) -> InsightTotals
}

/// What some consecutive records of one partition add to the projection.
public struct InsightEffects: Hashable, Sendable {
    public let partition: Int
    /// The sequence before the first record.
    public let after: UInt64
    /// The sequence of the last record; greater than `after`, and what SQL can hold: at most `Int64.max`.
    public let through: UInt64
    /// ``LogRecord/checksum`` of that record, where it is known.
    public let checksum: UInt32?
    /// As they are after the last record.
    public var sessions: [SessionKey: CountedSession]
    /// To be added to what is there.
    public var amounts: [InsightBucket: InsightAmount]

    public init(
        partition: Int, after: UInt64, through: UInt64, checksum: UInt32? = nil,
        sessions: [SessionKey: CountedSession] = [:], amounts: [InsightBucket: InsightAmount] = [:]
    ) {
        self.partition = partition
        self.after = after
        self.through = through
        self.checksum = checksum
        self.sessions = sessions
        self.amounts = amounts
    }
}

/// Whose totals are asked for.
public struct InsightScope: Hashable, Sendable {
    public let venueID: UUID
    /// `nil` is the whole venue.
    public let deviceID: String?
    public let direction: FlowDirection

    public init(venueID: UUID, deviceID: String?, direction: FlowDirection) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.direction = direction
    }
}

/// Some of the totals of a range, and what they are true of.
public struct InsightTotals: Hashable, Sendable {
    public struct Period: Hashable, Sendable {
        public let interval: Interval
        /// Never empty.
        public let amounts: [InsightClass: InsightAmount]

        public init(interval: Interval, amounts: [InsightClass: InsightAmount]) {
            self.interval = interval
            self.amounts = amounts
        }
    }

    /// Sorted, each with something counted.
    public let periods: [Period]
    /// Where to go on; `nil` when the range is done.
    public let next: Timestamp?
    /// As in ``InsightStore/positions()``, at the same moment.
    public let applied: [LogHead]

    public init(periods: [Period], next: Timestamp?, applied: [LogHead]) {
        self.periods = periods
        self.next = next
        self.applied = applied
    }
}
