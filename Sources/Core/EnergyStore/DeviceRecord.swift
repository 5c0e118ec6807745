public import EnergyModel
public import Foundation

/// All that the scheduler knows of one device.
public struct DeviceRecord: Hashable, Sendable {
    public var device: ManagedDevice
    /// Of the device's venue.
    public var timeZone: TimeZone
    /// By their deadlines.
    public var goals: [Goal]
    /// By goal id: ``DeviceProgress/sinceGoal`` when the goal was set; absent is 0.
    public var baselines: [UUID: Energy]
    public var override: ChargeOverride?
    /// Deadlines that were left out, the last one last, until they are over.
    public var skipped: [SkippedGoal]
    /// For ``goals``, with ``revision``; `nil` without a goal.
    public var schedule: Schedule?
    /// Of the newest schedule there was, 0 before the first; it outlives goals.
    public var revision: UInt64
    public var progress: DeviceProgress
    /// When its schedule was last replaced by one in which it takes clearly more at once. Not stored: after a restart, since it
    /// was switched.
    public var toldMore: Timestamp?

    public init(
        device: ManagedDevice, timeZone: TimeZone, goals: [Goal] = [], baselines: [UUID: Energy] = [:],
        override: ChargeOverride? = nil, skipped: [SkippedGoal] = [], schedule: Schedule? = nil, revision: UInt64 = 0,
        progress: DeviceProgress = DeviceProgress()
    ) {
        self.device = device
        self.timeZone = timeZone
        self.goals = goals
        self.baselines = baselines
        self.override = override
        self.skipped = skipped
        self.schedule = schedule
        self.revision = revision
        self.progress = progress
    }

    /// The one that is due first.
    public var goal: Goal? { goals.first }
}

/// A goal whose deadline does not count, as it was before.
public struct SkippedGoal: Hashable, Sendable {
    public var goal: Goal
    /// From the grid for the goal until it was skipped.
    public var delivered: Energy

    public init(goal: Goal, delivered: Energy) {
        self.goal = goal
        self.delivered = delivered
    }
}

/// How far a device has come, by its own events.
public struct DeviceProgress: Hashable, Sendable {
    /// A charging session that has begun and not ended.
    public struct RunningSession: Hashable, Sendable {
        public var id: UUID
        /// From the grid since the session began, by its newest event.
        public var energy: Energy
        /// By its newest event.
        public var power: Power
        /// Over the time between its two newest events; `nil` until they are far enough apart to tell.
        public var meanPower: Power?

        public init(id: UUID, energy: Energy, power: Power, meanPower: Power? = nil) {
            self.id = id
            self.energy = energy
            self.power = power
            self.meanPower = meanPower
        }
    }

    /// Whole percent; `nil` until the device has said it.
    public var stateOfCharge: Int?
    /// From the grid since the state of charge was first read at its present value: whole percents are coarse.
    public var sinceStateOfCharge: Energy
    /// From the grid since the first of the goals was set.
    public var sinceGoal: Energy
    /// Milliseconds that were planned to run reduced since the goal was set, until the present schedule was planned.
    public var reducedSinceGoal: Int64
    public var session: RunningSession?
    /// Timestamp of the newest event; `nil` before the first.
    public var updated: Timestamp?
    /// `nil` until the device, or a session, has told.
    public var isPluggedIn: Bool?
    /// The newest that anybody told of the device.
    public var status: VehicleStatus.Status?
    /// Since when it should charge and does not; `nil` while it does as it should.
    public var refusedSince: Timestamp?
    /// Sessions that began since the goals were set or the last deadline was over.
    public var runs: Int
    /// When it last began or stopped charging; of heating and cooling, when it was last switched on or off until the first
    /// block of its schedule. `nil` until it was.
    public var switched: Timestamp?
    /// Of a home battery its percent, of heating and cooling the °C indoors: as told, or as followed from there by the
    /// plan.
    public var reading: Reading?

    public struct Reading: Hashable, Sendable {
        public var value: Double
        public var at: Timestamp
        /// When it was told last; what came since then was followed.
        public var told: Timestamp

        /// - Parameter told: `nil` is `at`.
        public init(value: Double, at: Timestamp, told: Timestamp? = nil) {
            self.value = value
            self.at = at
            self.told = told ?? at
        }
    }

    public init(
        stateOfCharge: Int? = nil, sinceStateOfCharge: Energy = .zero, sinceGoal: Energy = .zero,
        reducedSinceGoal: Int64 = 0, session: RunningSession? = nil, updated: Timestamp? = nil,
        isPluggedIn: Bool? = nil, status: VehicleStatus.Status? = nil, refusedSince: Timestamp? = nil,
        runs: Int = 0, switched: Timestamp? = nil, reading: Reading? = nil
    ) {
        self.stateOfCharge = stateOfCharge
        self.sinceStateOfCharge = sinceStateOfCharge
        self.sinceGoal = sinceGoal
        self.reducedSinceGoal = reducedSinceGoal
        self.session = session
        self.updated = updated
        self.isPluggedIn = isPluggedIn
        self.status = status
        self.refusedSince = refusedSince
        self.runs = runs
        self.switched = switched
        self.reading = reading
    }
}
