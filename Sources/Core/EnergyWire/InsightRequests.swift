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
    public init(venueID: UUID, sessionID: UUID, eventID: UUID, action: EventRepair.Action, reason: String) {
        self.venueID = venueID
        self.sessionID = sessionID
        self.eventID = eventID
        self.action = action
        self.reason = reason
    }
}

/// What a repair changed.
public struct RepairResult: Hashable, Sendable {
    public var before: SessionInsight
    public var after: SessionInsight
    public init(before: SessionInsight, after: SessionInsight) {
        self.before = before
        self.after = after
    }
}

public struct RepairFilter: Hashable, Sendable {
    public var venueID: UUID
    public init(venueID: UUID) { self.venueID = venueID }
}

public struct RepairList: Hashable, Sendable {
    /// The oldest first.
    public var repairs: [EventRepair]
    public init(repairs: [EventRepair]) { self.repairs = repairs }
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
    public init(recordsCounted: UInt64, records: UInt64, isDone: Bool = false, isIdentical: Bool = false) {
        self.recordsCounted = recordsCounted
        self.records = records
        self.isDone = isDone
        self.isIdentical = isIdentical
    }
}
