public import Foundation

/// Why a device runs or waits.
public enum ScheduleReason: String, Hashable, Sendable, CaseIterable, Codable {
    /// Runs: among the best ratings of the window.
    case cleanerEnergy
    /// Runs: the same, and the price decided.
    case lowerRates
    /// Runs: needs every interval until the deadline.
    case deadline
    case waitingForCleanerEnergy, waitingForLowerRates, targetReached
    /// HVAC: runs reduced, among the worst ratings.
    case reduced
    /// HVAC: runs as it likes.
    case normal
    /// Runs: without guidance there is nothing to wait for.
    case noGuidance
    /// Waits: a fuse or circuit has no room for it beside other loads.
    case loadBalancing
    /// Waits: the price, or the carbon, is above what the owner allows.
    case abovePriceCeiling, aboveCarbonCeiling
    /// Does not run: the vehicle is not expected to be there.
    case away
    /// Runs: its owner wants it to, whatever it costs.
    case chargeNow
    /// Runs: below the least state of charge that its owner wants at any time.
    case minimumCharge
    /// Does not run until its owner lets it.
    case paused, stopped
    /// A home battery gives: the grid is dearer or less clean then.
    case supplying
    /// HVAC: runs to keep the comfort band.
    case comfort
    /// Runs: at full power right before its deadline, as its owner asked.
    case preconditioning
    /// Waits: what is left of it is for that.
    case waitingForPreconditioning
    /// Its plan is being made: nothing is known of this time yet.
    case beingPlanned
    /// On what the home's photovoltaics give.
    case ownSolar, waitingForSolar
    /// Runs, or waits, so that it is switched less often.
    case longRun, longPause
    /// Runs: no better time is free for it.
    case noBetterTime
    /// Waits: later is as good.
    case laterIsAsGood
    /// HVAC: does not run, for it stays comfortable.
    case comfortable
    /// Runs with less than it could, or at a dearer time, so that the home draws no more at once.
    case peakShaving
    /// Waits, so that the home draws no more at once.
    case lowPeak
    /// Runs above a ceiling: its owner wants so much whatever it costs.
    case guaranteed
    /// Does not run: it no longer fits before its deadline.
    case tooLittleTime
}

/// What a device should do for a while.
public struct ScheduleBlock: Hashable, Sendable {
    public let interval: Interval
    /// Vehicle: while it runs; 0 while it waits.
    public let power: Power
    /// HVAC: 0..100.
    public let stageMax: Int
    public let energy: Energy
    /// Mean guidance rating, 0 best .. 1 worst.
    public var rating: Double
    public let reason: ScheduleReason
    /// A home battery gives ``power`` and ``energy``.
    public let isDischarging: Bool

    public init(
        interval: Interval, power: Power, stageMax: Int, energy: Energy, rating: Double, reason: ScheduleReason,
        isDischarging: Bool = false
    ) {
        self.interval = interval
        self.power = power
        self.stageMax = stageMax
        self.energy = energy
        self.rating = rating
        self.reason = reason
        self.isDischarging = isDischarging
    }
}

/// What one device should do until its deadline.
public struct Schedule: Hashable, Sendable, Identifiable {
    /// New with every plan.
    public let id: UUID
    public let venueID: UUID
    public let deviceID: String
    /// The one that is due first.
    public let goal: Goal
    /// All of the device's, by their deadlines.
    public let goals: [Goal]
    /// What the owner wants in place of a plan.
    public let override: ChargeOverride?
    /// Of the device's schedule: 1, 2, 3 ...
    public let revision: UInt64
    public let planned: Timestamp
    /// The guidance it follows; `nil` if none was to be had.
    public let guidanceToken: UUID?
    /// Sorted, without gaps, from `planned` until the deadline. Empty in the last schedule of a goal that was removed.
    public var blocks: [ScheduleBlock]
    /// From the grid, as of `planned`.
    public let required: Energy
    public let plannedEnergy: Energy
    /// One sentence for people.
    public var explanation: String
    /// 0...1: the venue's best plan costs less by this share at most; 0 is proven best.
    public let optimalityGap: Double

    /// What cannot be done by the deadline.
    public var missing: Energy { max(.zero, required - plannedEnergy) }

    public init(
        id: UUID, venueID: UUID, deviceID: String, goal: Goal, revision: UInt64, planned: Timestamp,
        guidanceToken: UUID?, blocks: [ScheduleBlock], required: Energy, plannedEnergy: Energy, explanation: String,
        goals: [Goal]? = nil, override: ChargeOverride? = nil, optimalityGap: Double = 0
    ) {
        self.id = id
        self.venueID = venueID
        self.deviceID = deviceID
        self.goal = goal
        self.goals = goals ?? [goal]
        self.override = override
        self.revision = revision
        self.planned = planned
        self.guidanceToken = guidanceToken
        self.blocks = blocks
        self.required = required
        self.plannedEnergy = plannedEnergy
        self.explanation = explanation
        self.optimalityGap = optimalityGap
    }
}
