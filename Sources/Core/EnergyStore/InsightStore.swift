public import EnergyModel
public import Foundation

/// What the log adds up to, and up to where it is counted.
///
/// What is counted can be made again at any time, from the log, the frozen days and the repairs: these two are kept when
/// the rest is forgotten. Every method is atomic: it sees, or leaves, the effects of whole records only.
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

    /// Of each vehicle the sessions that begin in its interval, sorted as ``SessionCursor``; nothing of one that has none.
    func sessions(of vehicles: [VehicleKey: Interval]) async throws(EnergyError) -> [VehicleKey: [CountedSession]]

    /// Of each vehicle the session that begins last before its interval, and what it said of its plug from
    /// ``PlugHistory/millisecondsMax`` before the interval on until its end.
    func plugHistories(of vehicles: [VehicleKey: Interval]) async throws(EnergyError) -> [VehicleKey: PlugHistory]

    /// The venue's sessions with something in `interval`, from plug-in on: where their baselines lie, too.
    func sessions(venueID: UUID, touching interval: Interval) async throws(EnergyError) -> [CountedSession]

    /// Sessions that begin in the query's range, sorted by begin and id.
    ///
    /// - Parameters:
    ///   - last: the session to go on after.
    ///   - limit: `>= 1`.
    func sessions(
        _ query: SessionQuery, after last: SessionCursor?, limit: Int
    ) async throws(EnergyError) -> (sessions: [CountedSession], applied: [LogHead])

    /// What sessions saved that begin in the query's range. Its cost hardly grows with their number.
    func savings(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer

    /// What vehicles reported of their status, in the query's range, sorted by time and order in the log. Of each venue, what is more
    /// than ``ActivityRetention/milliseconds`` older than its newest is gone.
    ///
    /// - Parameters:
    ///   - last: the status to go on after.
    ///   - limit: `>= 1`.
    /// - Returns: also where the last of them stands.
    func statuses(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int
    ) async throws(EnergyError) -> (statuses: [Activity], last: ActivityCursor?, applied: [LogHead])

    /// Those of the days that something was counted in.
    func frozenDays(_ keys: Set<FrozenDayKey>) async throws(EnergyError) -> [FrozenDayKey: FrozenDay]

    /// Days of which something is unknown, the newest first.
    ///
    /// - Parameter start: the oldest to name.
    func incompleteDays(since start: Timestamp, limit: Int) async throws(EnergyError) -> [FrozenDayKey]

    /// Days with ``FrozenDay/needsRating``, the newest first.
    func daysToRate(limit: Int) async throws(EnergyError) -> [FrozenDayKey]

    /// Everything that was set right by hand, in the order in which it was kept.
    func repairs() async throws(EnergyError) -> [EventRepair]

    /// Counts the records of one partition after `effects.after`, up to and including `effects.through`: what they add,
    /// their sessions, frozen days and the position, in one transaction. With `after == through` what was counted is set
    /// right, and the position stays.
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

    /// What is counted of the venue; sorted by device, kind and direction.
    func series(venueID: UUID) async throws(EnergyError) -> [InsightSeries]

    /// The totals of those of the grid's periods in which something was counted, of `limit` periods from `first` on.
    ///
    /// - Parameter limit: `>= 1`.
    func totals(
        of scope: InsightScope, over grid: PeriodGrid, from first: Int, limit: Int
    ) async throws(EnergyError) -> InsightTotals

    /// A number over everything that is counted, the same for the same: buckets, sessions and statuses, not how they are
    /// stored.
    func digest() async throws(EnergyError) -> UInt64

    /// The oldest ``InsightRules/version`` by which some of it was counted.
    func rules() async throws(EnergyError) -> Int

    /// An empty projection beside this one, with the same frozen days and repairs. One that was begun before is dropped.
    func beginRebuild() async throws(EnergyError) -> any InsightStore

    /// Puts what was begun last into the place of what is counted here, at once.
    ///
    /// - Throws: `.conflict` if the two do not stand at the same positions, or nothing was begun.
    func finishRebuild() async throws(EnergyError)
}

/// A session in the order of ``InsightStore/sessions(_:after:limit:)``.
public struct SessionCursor: Hashable, Sendable {
    public let began: Timestamp
    public let sessionID: UUID

    public init(began: Timestamp, sessionID: UUID) {
        self.began = began
        self.sessionID = sessionID
    }

    public init(_ session: CountedSession) { self.init(began: session.began, sessionID: session.key.sessionID) }
}

/// A status in the order of ``InsightStore/statuses(_:after:limit:)``.
public struct ActivityCursor: Hashable, Sendable {
    public let time: Timestamp
    /// In the log, among those of its venue and time.
    public let order: Int
    public let id: UUID

    public init(time: Timestamp, order: Int, id: UUID) {
        self.time = time
        self.order = order
        self.id = id
    }
}

/// How events are counted.
public enum InsightRules {
    /// Raised when the same log, terms and repairs add up to something else: 2 since baselines begin at plug-in, and behind
    /// each other; 3 since power is not rounded for a split, and only edges of its own direction cut; 4 since plug-ins and ends
    /// that are told late count for the session that began last; 5 since they count for whichever session they are of.
    public static let version = 5
}

/// How long statuses are kept. Sessions are kept for as long as what they add up to.
public enum ActivityRetention {
    /// 400 days. Counted from the venue's newest status, not from now, so that a rebuild keeps the same ones.
    public static let milliseconds = 400 * Int64.millisecondsPerDay
}

/// A UTC day of a venue.
public struct FrozenDayKey: Hashable, Sendable {
    public let venueID: UUID
    /// Midnight UTC.
    public let start: Timestamp

    public init(venueID: UUID, start: Timestamp) {
        self.venueID = venueID
        self.start = start
    }
}

/// One class of one quarter of an hour.
public struct QuarterClass: Hashable, Comparable, Sendable {
    /// Quarters of an hour since 1970.
    public let quarter: Int32
    public let `class`: InsightClass

    public init(quarter: Int32, class: InsightClass) {
        self.quarter = quarter
        self.`class` = `class`
    }

    /// - Parameter start: a whole quarter of an hour.
    public init(start: Timestamp, class: InsightClass) {
        self.init(quarter: Int32(clamping: start.unixMilliseconds / InsightBucket.milliseconds), class: `class`)
    }

    public var start: Timestamp { Timestamp(unixMilliseconds: Int64(quarter) * InsightBucket.milliseconds) }

    public static func < (lhs: QuarterClass, rhs: QuarterClass) -> Bool {
        (lhs.quarter, lhs.class.code) < (rhs.quarter, rhs.class.code)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Int64(quarter) << 32 | Int64(`class`.code))
    }
}

/// What some consecutive records of one partition add to the projection.
public struct InsightEffects: Hashable, Sendable {
    public let partition: Int
    /// The sequence before the first record.
    public let after: UInt64
    /// The sequence of the last record; not before `after`, and what SQL can hold: at most `Int64.max`.
    public var through: UInt64
    /// ``LogRecord/checksum`` of that record, where it is known.
    public var checksum: UInt32?
    /// As they are after the last record.
    public var sessions: [SessionKey: CountedSession]
    /// To be added to what is there, sorted, each bucket once; what adds up to nothing is removed.
    public var tallies: [InsightSeries: [QuarterTally]]
    /// Of vehicles, never of sessions. One that is there already stays once.
    public var statuses: [Activity]
    /// As they are from now on.
    public var frozenDays: [FrozenDayKey: FrozenDay]
    /// To be kept beside those before; of the same event the newest counts.
    public var repairs: [EventRepair]
    /// On whose clocks the days of a venue's buckets are; UTC where it is not said.
    public var timeZones: [UUID: TimeZone]

    public init(
        partition: Int, after: UInt64, through: UInt64, checksum: UInt32? = nil,
        sessions: [SessionKey: CountedSession] = [:],
        tallies: [InsightSeries: [QuarterTally]] = [:],
        statuses: [Activity] = [], frozenDays: [FrozenDayKey: FrozenDay] = [:], repairs: [EventRepair] = [],
        timeZones: [UUID: TimeZone] = [:]
    ) {
        self.partition = partition
        self.after = after
        self.through = through
        self.checksum = checksum
        self.sessions = sessions
        self.tallies = tallies
        self.statuses = statuses
        self.frozenDays = frozenDays
        self.repairs = repairs
        self.timeZones = timeZones
    }
}

/// Whose totals are asked for.
public struct InsightScope: Hashable, Sendable {
    public let venueID: UUID
    /// `nil` is the whole venue.
    public let deviceID: String?
    /// `nil` is every kind.
    public let kind: Device.Kind?
    public let direction: FlowDirection

    public init(venueID: UUID, deviceID: String?, kind: Device.Kind? = nil, direction: FlowDirection) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.kind = kind
        self.direction = direction
    }

    public func contains(_ series: InsightSeries) -> Bool {
        series.venueID == venueID && series.direction == direction && (deviceID == nil || series.deviceID == deviceID)
            && (kind == nil || series.kind == kind)
    }
}
