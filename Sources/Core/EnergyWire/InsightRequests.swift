public import EnergyModel
public import Foundation

/// A data point to set right.
public struct RepairDraft: Hashable, Sendable {
    public var venueID: UUID
    public var sessionID: UUID
    public var eventID: UUID
    public var action: EventRepair.Action
    /// 1 to 500 UTF-16 units.
    public var reason: String
    /// Of a repair that was made before and is taken over; `nil` is made by the caller, now.
    public var origin: RepairOrigin?
    public init(
        venueID: UUID, sessionID: UUID, eventID: UUID, action: EventRepair.Action, reason: String,
        origin: RepairOrigin? = nil
    ) {
        self.venueID = venueID
        self.sessionID = sessionID
        self.eventID = eventID
        self.action = action
        self.reason = reason
        self.origin = origin
    }
}

/// Who made a repair first, and when.
public struct RepairOrigin: Hashable, Sendable {
    /// 1 to 250 UTF-16 units.
    public var principal: String
    public var made: Timestamp
    public init(principal: String, made: Timestamp) {
        self.principal = principal
        self.made = made
    }
}

/// What a repair changed.
public struct RepairResult: Hashable, Sendable {
    public var before: SessionInsight
    public var after: SessionInsight
    /// What the session's next event breaks now: it, too, is to be set right.
    public var remaining: RuleViolation?
    public init(before: SessionInsight, after: SessionInsight, remaining: RuleViolation? = nil) {
        self.before = before
        self.after = after
        self.remaining = remaining
    }
}

public struct RepairFilter: Hashable, Sendable {
    public var venueID: UUID
    /// Of the oldest, `>= 0`.
    public var skipped: Int
    public init(venueID: UUID, skipped: Int = 0) {
        self.venueID = venueID
        self.skipped = skipped
    }
}

public struct RepairList: Hashable, Sendable {
    /// So many at most: a frame has room for no more of the longest.
    public static let countMax = 300

    /// In the order in which they were kept.
    public var repairs: [EventRepair]
    /// There are more after these.
    public var hasMore: Bool
    public init(repairs: [EventRepair], hasMore: Bool = false) {
        self.repairs = repairs
        self.hasMore = hasMore
    }
}

public struct RebuildRequest: Hashable, Sendable {
    /// Also where the log no longer has its first records: what they held is then lost.
    public var acceptsLoss: Bool
    public init(acceptsLoss: Bool) { self.acceptsLoss = acceptsLoss }
}

public struct RebuildProgress: Hashable, Sendable {
    public var recordsCounted: UInt64
    /// Of the whole log, as of now.
    public var records: UInt64
    public var isDone: Bool
    /// When done: the result is what was counted before.
    public var isIdentical: Bool
    /// When done: some of what was counted before was by the rules of an earlier version, and may differ for that alone.
    public var hadOlderRules: Bool
    public init(
        recordsCounted: UInt64, records: UInt64, isDone: Bool = false, isIdentical: Bool = false,
        hadOlderRules: Bool = false
    ) {
        self.recordsCounted = recordsCounted
        self.records = records
        self.isDone = isDone
        self.isIdentical = isIdentical
        self.hadOlderRules = hadOlderRules
    }
}
