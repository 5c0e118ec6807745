public import Foundation

/// A session's name, unique within its venue.
public struct SessionKey: Hashable, Sendable {
    public let venueID: UUID
    public let sessionID: UUID

    public init(venueID: UUID, sessionID: UUID) {
        self.venueID = venueID
        self.sessionID = sessionID
    }
}

/// How far a session has been counted: its last load event, in the terms that the next one is measured against, and what
/// it adds up to.
public struct CountedSession: Hashable, Sendable {
    public let key: SessionKey
    /// Of the first event: a session has one device and one direction. HVAC imports.
    public let series: InsightSeries
    public let began: Timestamp
    /// When its vehicle was plugged in, or what came before in the same stay could have ended; `nil` where that is not
    /// known, or no earlier than ``began``: ``PlugHistory``.
    public internal(set) var pluggedIn: Timestamp?
    public private(set) var timestamp: Timestamp
    /// Since the session began; never falls. 0 for HVAC, which reports none.
    public private(set) var energy: Energy
    /// mW at `timestamp`; `nil` where the event says nothing about it: HVAC, and the formal zero of begin and end.
    public private(set) var powerMilliwatts: Int64?
    /// The device runs from `timestamp` on: power or stage above 0.
    public private(set) var isRunning: Bool
    /// `0...100`, of HVAC; 0 for others.
    public private(set) var stage: Int
    /// The end event was counted: what follows is ignored.
    public private(set) var isOver: Bool
    /// Every event so far said so.
    public private(set) var wasFollowingGuidance: Bool
    /// Whole percent at the first event; `nil` for HVAC, and where it was not known.
    public let stateOfChargeAtBegin: Int?
    public private(set) var stateOfChargeAtLast: Int?
    /// The highest reported, mW; 0 while none was.
    public private(set) var powerMilliwattsMax: Int64
    /// The highest mean between two events that are at least ``meanMillisecondsMin`` apart, mW, rounded up: of what was
    /// certainly taken, ``Energy/certain(since:)``.
    public internal(set) var meanPowerMilliwattsMax: Int64
    /// Of the records in its venue's partition of the log that hold its first and its newest event: 0 is not known.
    public var sequences: ClosedRange<UInt64>
    public var isRepaired: Bool
    /// What it adds up to.
    public var tallies: [InsightClass: InsightTally]
    public var baseline: SessionBaseline?

    public init(
        key: SessionKey, series: InsightSeries, began: Timestamp, pluggedIn: Timestamp? = nil,
        timestamp: Timestamp, energy: Energy, powerMilliwatts: Int64?, isRunning: Bool, stage: Int = 0, isOver: Bool,
        wasFollowingGuidance: Bool = false,
        stateOfChargeAtBegin: Int? = nil, stateOfChargeAtLast: Int? = nil, powerMilliwattsMax: Int64 = 0,
        meanPowerMilliwattsMax: Int64 = 0, sequences: ClosedRange<UInt64> = 0...0, isRepaired: Bool = false,
        tallies: [InsightClass: InsightTally] = [:], baseline: SessionBaseline? = nil
    ) {
        self.key = key
        self.series = series
        self.began = began
        self.pluggedIn = pluggedIn
        self.timestamp = timestamp
        self.energy = energy
        self.powerMilliwatts = powerMilliwatts
        self.isRunning = isRunning
        self.stage = stage
        self.isOver = isOver
        self.wasFollowingGuidance = wasFollowingGuidance
        self.stateOfChargeAtBegin = stateOfChargeAtBegin
        self.stateOfChargeAtLast = stateOfChargeAtLast
        self.powerMilliwattsMax = powerMilliwattsMax
        self.meanPowerMilliwattsMax = meanPowerMilliwattsMax
        self.sequences = sequences
        self.isRepaired = isRepaired
        self.tallies = tallies
        self.baseline = baseline
    }

    /// The session's name, if the event belongs to one: status events do not.
    public static func key(of event: Event) -> SessionKey? {
        event.session.map { SessionKey(venueID: event.venueID, sessionID: $0.id) }
    }

    /// Counts one more load event.
    ///
    /// - Parameters:
    ///   - previous: the session so far, `nil` at its first event.
    ///   - repair: what was set right by hand about the event.
    /// - Returns: the session after the event and what happened since the event before; `nil` for an event that adds
    ///   nothing: a status event, or a load event after the end.
    public static func following(
        _ previous: CountedSession?, _ event: Event, repair: EventRepair.Action? = nil
    ) -> (progress: CountedSession, segment: SessionSegment?)? {
        guard previous?.isOver != true, let first = previous ?? CountedSession(event, repair) else { return nil }
        guard previous != nil else { return (first, SessionSegment(from: nil, to: first)) }
        var next = first
        let segment = next.count(event, repair: repair)
        return (next, segment)
    }

    /// As it is after its first event; `nil` for a status event.
    private init?(_ event: Event, _ repair: EventRepair.Action?) {
        guard let session = event.session, let key = Self.key(of: event) else { return nil }
        let reading = Reading(event, session, after: .zero, repair)
        self.init(
            key: key,
            series: InsightSeries(
                venueID: event.venueID, deviceID: event.device.id, kind: event.device.kind,
                direction: reading.direction),
            began: event.timestamp.clamped, timestamp: event.timestamp.clamped,
            energy: reading.energy, powerMilliwatts: reading.power,
            isRunning: reading.isRunning, stage: reading.stage, isOver: session.state == .end,
            wasFollowingGuidance: session.wasFollowingGuidance, stateOfChargeAtBegin: reading.stateOfCharge,
            stateOfChargeAtLast: reading.stateOfCharge, powerMilliwattsMax: reading.power ?? 0,
            isRepaired: repair != nil)
    }

    /// What the next event is measured against.
    struct Mark {
        let timestamp: Timestamp
        let energy: Energy
        let powerMilliwatts: Int64?
        let isRunning: Bool
        let stage: Int
    }

    private var mark: Mark {
        Mark(
            timestamp: timestamp, energy: energy, powerMilliwatts: powerMilliwatts, isRunning: isRunning, stage: stage)
    }

    /// Counts one more event of a session that is not over, in place: copies for every event would cost more than what
    /// is counted.
    ///
    /// - Returns: what happened since the event before.
    public mutating func count(_ event: Event, repair: EventRepair.Action? = nil) -> SessionSegment? {
        guard let session = event.session else { return nil }
        isRepaired = isRepaired || repair != nil
        if repair == .ignore, session.state != .end { return nil }
        let previous = mark
        let reading = Reading(event, session, after: previous.energy, repair)
        // Events are validated before they are logged. What breaks a rule all the same cannot take energy back, and one
        // that is older than the last says nothing about how the session goes on.
        timestamp = max(event.timestamp.clamped, previous.timestamp)
        energy = reading.energy
        if event.timestamp.clamped >= timestamp {
            (powerMilliwatts, isRunning, stage) = (reading.power, reading.isRunning, reading.stage)
        }
        isOver = session.state == .end
        wasFollowingGuidance = wasFollowingGuidance && session.wasFollowingGuidance
        stateOfChargeAtLast = reading.stateOfCharge
        powerMilliwattsMax = max(powerMilliwattsMax, reading.power ?? 0)
        guard let segment = SessionSegment(from: previous, to: self) else { return nil }
        let milliseconds = segment.end.milliseconds(since: segment.start)
        // Mostly it is no higher, whatever the counter's steps.
        if milliseconds >= Self.meanMillisecondsMin,
            segment.energy.mean(over: milliseconds) > meanPowerMilliwattsMax
        {
            let mean = energy.certain(since: previous.energy).mean(over: milliseconds)
            meanPowerMilliwattsMax = max(meanPowerMilliwattsMax, mean)
        }
        return segment
    }

    /// What one event says of the device.
    private struct Reading {
        var energy: Energy
        var power: Int64?
        var isRunning: Bool
        var stage = 0
        var direction = FlowDirection.imported
        var stateOfCharge: Int?

        init(_ event: Event, _ session: Session, after energy: Energy, _ repair: EventRepair.Action?) {
            self.energy = energy
            isRunning = false
            switch event.content {
            case .vehicleLoad(let load):
                direction = load.direction
                stateOfCharge = load.isStateOfChargeKnown ? min(max(0, load.stateOfCharge), 100) : nil
                guard repair != .ignore else { return }
                var counter = load.energyMilliwattHours
                if case .energy(let repaired) = repair { counter = repaired.milliwattHours }
                self.energy = max(energy, Energy(milliwattHours: min(counter, Energy.range.upperBound)))
                // EnergyKit asks for power 0 at begin and end whatever flows, so that zero is no measurement.
                let isFormal = session.state != .active && load.powerMilliwatts == 0
                power = isFormal ? nil : min(max(0, load.powerMilliwatts), Power.range.upperBound)
                isRunning = load.powerMilliwatts > 0
            case .hvacLoad(let load):
                guard repair != .ignore else { return }
                stage = min(max(0, load.stage), 100)
                isRunning = load.stage > 0
            case .vehicleStatus: break
            }
        }
    }
}

extension SessionInsight {
    public init(_ session: CountedSession) {
        let worth = InsightWorth(session.tallies)
        // Each piece of either was rounded by itself: what that makes of the same price is no saving.
        let rounding = [
            session.timestamp.milliseconds(since: session.began), session.baseline?.interval.milliseconds ?? 0,
        ]
        .reduce(0) { $0 + $1 / InsightBucket.milliseconds + 2 }
        self.init(
            key: session.key, deviceID: session.series.deviceID, deviceKind: session.series.kind,
            direction: session.series.direction, began: session.began, last: session.timestamp,
            isOver: session.isOver, wasFollowingGuidance: session.wasFollowingGuidance,
            stateOfChargeAtBegin: session.stateOfChargeAtBegin, stateOfChargeAtLast: session.stateOfChargeAtLast,
            amount: session.tallies.values.reduce(.zero) { $0 + $1.amount }, worth: worth,
            byCleanliness: session.tallies.amounts(by: \.cleanliness), byTariff: session.tallies.amounts(by: \.peak),
            byBand: session.tallies.amounts(by: \.band),
            baseline: session.baseline?.leveled(to: worth, within: rounding),
            isRepaired: session.isRepaired)
    }
}

extension Sequence<(key: InsightClass, value: InsightTally)> {
    /// The amounts, joined by what a part of the class says; without those that are zero.
    public func amounts<Part: Hashable>(by part: KeyPath<InsightClass, Part>) -> [Part: InsightAmount] {
        var sums: [Part: InsightAmount] = [:]
        for (item, tally) in self where tally.amount != .zero {
            sums[item[keyPath: part], default: .zero] += tally.amount
        }
        return sums
    }
}

extension Energy {
    /// What was certainly taken since a counter stood at `earlier`: it may have been nearly a step further on then. A
    /// counter whose readings are all round counts in such steps.
    func certain(since earlier: Energy) -> Energy {
        var step: Int64 = 1
        while step < 1_000_000, milliwattHours.isMultiple(of: step * 10),
            earlier.milliwattHours.isMultiple(of: step * 10)
        {
            step *= 10
        }
        return Energy(milliwattHours: max(0, milliwattHours - earlier.milliwattHours - step))
    }

    /// mW, rounded up. At most 10^12 mWh of 3.6 * 10^6 ms an hour.
    fileprivate func mean(over milliseconds: Int64) -> Int64 {
        (milliwattHours * 3_600_000 + milliseconds - 1) / milliseconds
    }
}

extension Timestamp {
    /// The nearest time that calendars are kept for.
    public var clamped: Timestamp {
        min(max(self, CalendarPeriods.supported.lowerBound), CalendarPeriods.supported.upperBound)
    }
}
