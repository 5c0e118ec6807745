public import Foundation

/// What one session used, cost and emitted, and what it saved.
public struct SessionInsight: Hashable, Sendable, Identifiable {
    public let key: SessionKey
    public let deviceID: String
    public let deviceKind: Device.Kind
    public let direction: FlowDirection
    public let began: Timestamp
    /// Of its newest event.
    public let last: Timestamp
    public let isOver: Bool
    /// Every one of its events said so.
    public let wasFollowingGuidance: Bool
    /// Whole percent at its first event; `nil` for HVAC, and where it was not known.
    public let stateOfChargeAtBegin: Int?
    /// Whole percent at its newest event; `nil` likewise.
    public let stateOfChargeAtLast: Int?
    public let amount: InsightAmount
    public let worth: InsightWorth
    public let byCleanliness: [Cleanliness: InsightAmount]
    public let byTariff: [TariffPeak: InsightAmount]
    public let byBand: [RatingBand: InsightAmount]
    /// What it is measured against; `nil` until it is over, where it took no energy, exported, never said a power, or took
    /// energy faster than that.
    public let baseline: SessionBaseline?
    /// Some of its events were set right by hand.
    public let isRepaired: Bool

    public var id: UUID { key.sessionID }

    public init(
        key: SessionKey, deviceID: String, deviceKind: Device.Kind, direction: FlowDirection, began: Timestamp,
        last: Timestamp, isOver: Bool, wasFollowingGuidance: Bool, stateOfChargeAtBegin: Int? = nil,
        stateOfChargeAtLast: Int? = nil, amount: InsightAmount, worth: InsightWorth,
        byCleanliness: [Cleanliness: InsightAmount] = [:], byTariff: [TariffPeak: InsightAmount] = [:],
        byBand: [RatingBand: InsightAmount] = [:], baseline: SessionBaseline? = nil, isRepaired: Bool = false
    ) {
        self.key = key
        self.deviceID = deviceID
        self.deviceKind = deviceKind
        self.direction = direction
        self.began = began
        self.last = last
        self.isOver = isOver
        self.wasFollowingGuidance = wasFollowingGuidance
        self.stateOfChargeAtBegin = stateOfChargeAtBegin
        self.stateOfChargeAtLast = stateOfChargeAtLast
        self.amount = amount
        self.worth = worth
        self.byCleanliness = byCleanliness
        self.byTariff = byTariff
        self.byBand = byBand
        self.baseline = baseline
        self.isRepaired = isRepaired
    }

    /// Whether guidance, or a schedule, could have moved it: it had energy that can be taken, or given, at another time.
    /// Whether such a session followed guidance is worth comparing; one of heating or cooling does with less at a time
    /// (`reduce`) and does not catch up later, and one without energy had nothing to move.
    public var couldBeMoved: Bool { measuresEnergy && amount.energy > .zero }

    /// What the baseline cost more than what happened; negative where following cost more. `nil` unless the price of
    /// all energy of both is known, in one currency.
    public var savedMoney: Money? {
        guard let before = baseline?.worth.cost(ofAll: amount.energy), let after = worth.cost(ofAll: amount.energy),
            before.currency == after.currency
        else { return nil }
        return Money(micros: before.micros.subtractingSaturated(after.micros), currency: after.currency)
    }

    /// The same for carbon, by one kind.
    public var savedCarbon: CarbonMass? {
        guard let before = baseline?.worth.carbon(ofAll: amount.energy),
            let after = worth.carbon(ofAll: amount.energy), before.kind == after.kind
        else { return nil }
        return CarbonMass(
            milligrams: before.milligrams.subtractingSaturated(after.milligrams), kind: after.kind,
            energy: amount.energy)
    }
}

/// What a session would have been without guidance: the same energy, taken from plug-in on at full power.
///
/// It begins where the vehicle was really plugged in, as its statuses said before the session began, at most 7 days before;
/// behind the baseline of the session before in the same stay, or that session's end where it has none, so that no energy
/// is compared with the same time twice; and with the session where no status says so. So no difference is carried from
/// day to day. It is priced by the terms that the session itself was priced by. It is worked out when the session ends, and
/// again when something that is told late moves its begin.
public struct SessionBaseline: Hashable, Sendable {
    /// From plug-in until the energy would have been delivered.
    public let interval: Interval
    /// The highest that the device reported, or a mean over at least 5 minutes that is above it by no more than 10 %, as
    /// devices round. A counter may have been nearly a step further on before: of a mean only what is above that step
    /// counts. Where energy came faster there is no baseline.
    public let power: Power
    public let worth: InsightWorth

    public init(interval: Interval, power: Power, worth: InsightWorth) {
        self.interval = interval
        self.power = power
        self.worth = worth
    }

    /// The same, worth what `other` is where it is nearly that.
    func leveled(to other: InsightWorth, within units: Int64) -> SessionBaseline {
        SessionBaseline(interval: interval, power: power, worth: worth.leveled(to: other, within: units))
    }
}

/// A question about sessions.
public struct SessionQuery: Hashable, Sendable {
    public var venueID: UUID
    /// `nil` asks for all of the venue.
    public var deviceID: String?
    public var deviceKind: Device.Kind?
    /// Sessions that begin inside; at most 5 years and a window.
    public var range: Interval

    public init(venueID: UUID, deviceID: String? = nil, deviceKind: Device.Kind? = nil, range: Interval) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.deviceKind = deviceKind
        self.range = range
    }

    /// Whether it asks for the sessions of a series.
    public func concerns(_ series: InsightSeries) -> Bool {
        series.venueID == venueID && deviceID ?? series.deviceID == series.deviceID
            && deviceKind ?? series.kind == series.kind
    }
}

/// Some of the sessions that answer a query.
public struct SessionInsightPage: Hashable, Sendable {
    /// Sorted by begin, then by id.
    public var sessions: [SessionInsight]
    /// The log is counted up to here.
    public var applied: [LogHead]

    public init(sessions: [SessionInsight], applied: [LogHead]) {
        self.sessions = sessions
        self.applied = applied
    }
}
