public import EnergyModel
public import Foundation

// The messages that only travel: they have no life in EnergyModel.

public struct Empty: Hashable, Sendable { public init() {} }

public struct VenueList: Hashable, Sendable {
    public var venues: [Venue]
    public init(venues: [Venue]) { self.venues = venues }
}

/// A venue by its id, or by a home that stands for it.
public enum VenueReference: Hashable, Sendable {
    case id(UUID)
    case homeID(UUID)
}

/// A venue that is to be no more.
public struct VenueRemoval: Hashable, Sendable {
    public var id: UUID
    public init(id: UUID) { self.id = id }
}

/// A rate plan that is to be no more.
public struct RatePlanRemoval: Hashable, Sendable {
    public var id: String
    public init(id: String) { self.id = id }
}

/// A venue to create (no id) or to replace.
public struct VenueDraft: Hashable, Sendable {
    public var id: UUID?
    public var name: String
    public var timeZone: TimeZone
    public var region: String
    public var ratePlanID: String?
    public var homeIDs: [UUID]
    /// As ``Venue/priceWeight``.
    public var priceWeight: Double?
    public init(
        id: UUID?, name: String, timeZone: TimeZone, region: String, ratePlanID: String? = nil, homeIDs: [UUID] = [],
        priceWeight: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.region = region
        self.ratePlanID = ratePlanID
        self.homeIDs = homeIDs
        self.priceWeight = priceWeight
    }
}

public struct RatePlanList: Hashable, Sendable {
    public var ratePlans: [RatePlan]
    public init(ratePlans: [RatePlan]) { self.ratePlans = ratePlans }
}

/// Demand-response events of one venue, or all.
public struct DemandResponseFilter: Hashable, Sendable {
    public var venueID: UUID?
    /// Also those that are over or cancelled, of the last 31 days.
    public var includesPast: Bool
    public init(venueID: UUID? = nil, includesPast: Bool = false) {
        self.venueID = venueID
        self.includesPast = includesPast
    }
}

public struct DemandResponseList: Hashable, Sendable {
    /// Sorted by start, then id.
    public var events: [DemandResponseEvent]
    public init(events: [DemandResponseEvent]) { self.events = events }
}

public struct DemandResponseReference: Hashable, Sendable {
    public var id: UUID
    public init(id: UUID) { self.id = id }
}

public struct GuidanceRequest: Hashable, Sendable {
    public var venueID: UUID
    public var action: SuggestedAction
    public init(venueID: UUID, action: SuggestedAction) {
        self.venueID = venueID
        self.action = action
    }
}

public struct TokenReference: Hashable, Sendable {
    public var token: UUID
    public init(token: UUID) { self.token = token }
}

public struct SignalHistoryRequest: Hashable, Sendable {
    public var venueID: UUID
    /// At most 31 days.
    public var interval: Interval
    /// Asks for what is known by now, with corrections, in place of what was known when it happened.
    public var isCorrected: Bool
    public init(venueID: UUID, interval: Interval, isCorrected: Bool = false) {
        self.venueID = venueID
        self.interval = interval
        self.isCorrected = isCorrected
    }
}

public struct SignalHistory: Hashable, Sendable {
    /// Sorted, without overlaps; a gap means unknown.
    public var intervals: [SignalInterval]
    public init(intervals: [SignalInterval]) { self.intervals = intervals }
}

/// 1 to 1,000 events of any devices and venues. All or nothing; order counts.
public struct EventBatch: Hashable, Sendable {
    public static let eventsMax = 1_000
    public var events: [Event]
    public init(events: [Event]) { self.events = events }
}

public struct LogPosition: Hashable, Sendable {
    public var partition: Int
    /// 0 reads from the oldest record that is kept.
    public var afterSequence: UInt64
    /// Who has handled everything up to there, so that retention may remove it; empty for who does not say.
    public var reader: String
    /// The log that was read up to there; `nil` for whatever log there is.
    public var logID: UUID?
    /// ``LogRecord/checksum`` of the record at `afterSequence`, where it is known.
    public var afterChecksum: UInt32?
    public init(
        partition: Int, afterSequence: UInt64, reader: String = "", logID: UUID? = nil, afterChecksum: UInt32? = nil
    ) {
        self.partition = partition
        self.afterSequence = afterSequence
        self.reader = reader
        self.logID = logID
        self.afterChecksum = afterChecksum
    }
}

public struct LogPage: Hashable, Sendable {
    public var records: [LogRecord]
    public init(records: [LogRecord]) { self.records = records }
}

/// The sessions of one venue.
public struct SessionFilter: Hashable, Sendable {
    public var venueID: UUID
    public init(venueID: UUID) { self.venueID = venueID }
}

public struct SessionList: Hashable, Sendable {
    public static let countMax = 500
    /// The one with the newest event first, at most ``countMax``.
    public var sessions: [SessionProgress]
    public init(sessions: [SessionProgress]) { self.sessions = sessions }
}

public struct LogHeads: Hashable, Sendable {
    /// One per partition, sorted.
    public var heads: [LogHead]
    /// As ``LogProgress/logID``.
    public var logID: UUID?
    public init(heads: [LogHead], logID: UUID? = nil) {
        self.heads = heads
        self.logID = logID
    }
}

/// How far somebody has read the log who must see every record.
public struct LogReaderState: Hashable, Sendable {
    public var name: String
    /// Up to there, of the partitions that it has asked for; sorted.
    public var handled: [LogHead]
    public var lastSeen: Timestamp
    /// Unheard for 30 days: a log that is too large no longer waits for it.
    public var isGivenUp: Bool
    public init(name: String, handled: [LogHead], lastSeen: Timestamp, isGivenUp: Bool) {
        self.name = name
        self.handled = handled
        self.lastSeen = lastSeen
        self.isGivenUp = isGivenUp
    }
}

public struct LogReaderList: Hashable, Sendable {
    /// Sorted by name.
    public var readers: [LogReaderState]
    public init(readers: [LogReaderState]) { self.readers = readers }
}

public struct LogReaderReference: Hashable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
}

/// One venue, or every venue that the caller may see.
public struct VenueFilter: Hashable, Sendable {
    public var venueID: UUID?
    public init(venueID: UUID? = nil) { self.venueID = venueID }
}

public struct DeviceList: Hashable, Sendable {
    public var devices: [ManagedDevice]
    public init(devices: [ManagedDevice]) { self.devices = devices }
}

/// A device that is to be planned no more.
public struct DeviceRemoval: Hashable, Sendable {
    public var venueID: UUID
    public var deviceID: String
    public init(venueID: UUID, deviceID: String) {
        self.venueID = venueID
        self.deviceID = deviceID
    }
}

public struct DeviceReference: Hashable, Sendable {
    public var venueID: UUID
    public var deviceID: String
    /// Only this one of its goals.
    public var goalID: UUID?
    public init(venueID: UUID, deviceID: String, goalID: UUID? = nil) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.goalID = goalID
    }
}

/// A goal to set.
public struct GoalDraft: Hashable, Sendable {
    public var venueID: UUID
    public var deviceID: String
    /// Does not count for a goal that repeats.
    public var readyBy: Timestamp
    public var target: Goal.Target
    public var weekly: WeeklyTime?
    /// Beside the device's other goals, not in place of them.
    public var keepsOthers: Bool
    /// `0...100`.
    public var guaranteedPercent: Int
    public init(
        venueID: UUID, deviceID: String, readyBy: Timestamp, target: Goal.Target, weekly: WeeklyTime? = nil,
        keepsOthers: Bool = false, guaranteedPercent: Int = 0
    ) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.readyBy = readyBy
        self.target = target
        self.weekly = weekly
        self.keepsOthers = keepsOthers
        self.guaranteedPercent = guaranteedPercent
    }
}

/// A venue that something of the scheduler's is asked for.
public struct PlannedVenue: Hashable, Sendable {
    public var venueID: UUID
    public init(venueID: UUID) { self.venueID = venueID }
}

/// What a venue's plans are to make small; ``VenueObjective/none`` is that of the settings. Its limits stay as they are.
public struct ObjectiveDraft: Hashable, Sendable {
    public var venueID: UUID
    public var objective: VenueObjective
    public init(venueID: UUID, objective: VenueObjective) {
        self.venueID = venueID
        self.objective = objective
    }
}

/// Rules to set in place of a device's present ones.
public struct RulesDraft: Hashable, Sendable {
    public var venueID: UUID
    public var deviceID: String
    public var rules: ChargingRules
    public init(venueID: UUID, deviceID: String, rules: ChargingRules) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.rules = rules
    }
}

public struct OverrideRequest: Hashable, Sendable {
    public var venueID: UUID
    public var deviceID: String
    public var action: OverrideAction
    public init(venueID: UUID, deviceID: String, action: OverrideAction) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.action = action
    }
}

/// Schedules of one device, one venue, or all.
public struct ScheduleFilter: Hashable, Sendable {
    public var venueID: UUID?
    public var deviceID: String?
    public init(venueID: UUID? = nil, deviceID: String? = nil) {
        self.venueID = venueID
        self.deviceID = deviceID
    }
}

public struct ScheduleList: Hashable, Sendable {
    public var schedules: [Schedule]
    public init(schedules: [Schedule]) { self.schedules = schedules }
}

/// A chunk of what a service keeps of a subject.
public struct ExportPage: Hashable, Sendable {
    public var documents: [StoredDocument]
    public init(documents: [StoredDocument]) { self.documents = documents }
}
