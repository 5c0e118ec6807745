public import Foundation

/// One session's events as they are counted: as they were sent, but for what was set right by hand. It says whether one
/// more repair may be: what it makes of an event must pass the rules that the event itself had to pass, in its place.
public struct RepairedSession: Sendable {
    private let events: [Event]
    private let repairs: [EventRepair.Target: EventRepair.Action]

    /// - Parameters:
    ///   - events: load events of one session, in the order of the log.
    ///   - repairs: those in force; of other sessions' events they are left.
    public init(_ events: [Event], repairs: [EventRepair.Target: EventRepair.Action]) {
        self.events = events
        self.repairs = repairs
    }

    /// What a repair would do.
    public struct Verdict: Hashable, Sendable {
        /// What the event counts as now; `nil` where it measures no energy.
        public let before: EventRepair.Action?
        /// What the session's next event breaks then: it, too, is to be set right.
        public let remaining: RuleViolation?
    }

    /// - Throws: ``EnergyError`` `.notFound` where the session has no such event, `.invalidInput` with the rule that the
    ///   repair breaks.
    public func verdict(on eventID: UUID, _ action: EventRepair.Action) throws(EnergyError) -> Verdict {
        guard let index = events.firstIndex(where: { $0.id == eventID }), let session = events[index].session else {
            throw EnergyError(.notFound, "the session has no event \(eventID.uuidString.lowercased())")
        }
        let event = events[index]
        if action == .asSent, repairs[event.target] == nil {
            throw EnergyError(.notFound, "nothing that was set right of this event is in force")
        }
        if session.state == .begin, action == .ignore {
            throw .invalidInput(
                RuleViolation(
                    field: "ignore",
                    rule: "must not be the session's begin: without it the others belong to no session",
                    value: "begin"))
        }
        if case .energy(let energy) = action, event.counter == nil {
            throw .invalidInput(
                RuleViolation(
                    field: "energy_mwh", rule: "must not be said of an event that measures no energy",
                    value: "\(energy.milliwattHours) mWh"))
        }
        let previous = events[..<index].reduce(nil) { follow($0, $1, repairs[$1.target]) }
        if let violation = violation(of: event, action, after: previous) { throw .invalidInput(violation) }
        let next = try next(after: index, follow(previous, event, action), action)
        return Verdict(before: repairs[event.target] ?? event.counter.map(EventRepair.Action.energy), remaining: next)
    }

    // MARK: The event itself

    private func violation(
        of event: Event, _ action: EventRepair.Action, after previous: SessionProgress?
    ) -> RuleViolation? {
        guard case .energy = action, let repaired = counted(event, action, after: previous) else { return nil }
        let rules = EventRules().violations(of: repaired, now: event.timestamp)
        if let violation = rules.first(where: \.isOfEnergy) { return violation.ofRepair }
        guard let previous else { return nil }
        var tracker = SessionTracker(previous)
        // What else is wrong with the event is not this repair's doing.
        guard case .refused(let violation) = tracker.apply(repaired), violation.isOfEnergy else { return nil }
        return violation.ofRepair
    }

    // MARK: What follows

    /// - Returns: what the next event breaks, but is not refused for: that its counter jumps is what was sent.
    private func next(
        after index: Int, _ progress: SessionProgress?, _ action: EventRepair.Action
    ) throws(EnergyError) -> RuleViolation? {
        guard let progress else { return nil }
        // What was sent may fall as it did; only what was set right must still be right.
        func energy(before following: Event) -> Energy? {
            switch action {
            case .energy(let energy): energy
            case .asSent where repairs[following.target] != nil: events[index].counter
            case .asSent, .ignore: nil
            }
        }
        for event in events[(index + 1)...] {
            guard let following = counted(event, repairs[event.target], after: progress) else { continue }
            if let energy = energy(before: event), let counter = following.counter, counter < energy {
                let way =
                    action == .asSent
                    ? "withdraw the repair of that event, \(event.id.uuidString.lowercased()), first"
                    : "if that is wrong, repair it first"
                throw .invalidInput(
                    RuleViolation(
                        field: "energy_mwh", rule: "must not be more than in the session's next event; \(way)",
                        value: "\(energy.milliwattHours) mWh, before \(counter.milliwattHours) mWh"))
            }
            var tracker = SessionTracker(progress)
            guard case .refused(let violation) = tracker.apply(following) else { return nil }
            if violation.isOfEnergy { return violation }
            if action == .ignore, violation.isOfSilence { throw .invalidInput(violation) }
            return nil
        }
        return nil
    }

    // MARK: Counting

    private func follow(
        _ progress: SessionProgress?, _ event: Event, _ action: EventRepair.Action?
    ) -> SessionProgress? {
        guard let event = counted(event, action, after: progress), let session = event.session else { return progress }
        let energy = event.counter?.milliwattHours ?? 0
        var next =
            progress
            ?? SessionProgress(
                id: session.id, venueID: event.venueID, deviceID: event.device.id, kind: event.device.kind,
                direction: event.flowDirection, began: event.timestamp, last: event.timestamp)
        // As ``CountedSession`` counts what breaks a rule all the same: nothing is taken back.
        next.last = max(next.last, event.timestamp)
        next.energyMilliwattHours = max(next.energyMilliwattHours, energy)
        next.isEnded = session.state == .end
        return next
    }

    /// - Returns: `nil` for an event that is as if it had never come.
    private func counted(
        _ event: Event, _ action: EventRepair.Action?, after progress: SessionProgress?
    ) -> Event? {
        switch action {
        case nil, .asSent: event
        case .energy(let energy): event.with(counter: energy)
        case .ignore where event.session?.state == .active: nil
        case .ignore: event.with(counter: Energy(milliwattHours: progress?.energyMilliwattHours ?? 0))
        }
    }
}

extension RuleViolation {
    fileprivate var isOfEnergy: Bool { field.hasSuffix("energy_mwh") }
    fileprivate var isOfSilence: Bool { field.hasSuffix("session.id") }

    /// Of the repair's own field, without what a device could do instead.
    fileprivate var ofRepair: RuleViolation {
        RuleViolation(field: "energy_mwh", rule: String(rule.prefix { $0 != ";" }), value: value)
    }
}

extension Event {
    fileprivate var target: EventRepair.Target { EventRepair.Target(venueID: venueID, eventID: id) }

    /// Since the session began; `nil` for content that measures none.
    fileprivate var counter: Energy? {
        if case .vehicleLoad(let load) = content { Energy(milliwattHours: load.energyMilliwattHours) } else { nil }
    }

    fileprivate var flowDirection: FlowDirection? {
        if case .vehicleLoad(let load) = content { load.direction } else { nil }
    }

    fileprivate func with(counter: Energy) -> Event {
        guard case .vehicleLoad(let load) = content else { return self }
        let repaired = VehicleLoad(
            session: load.session, stateOfCharge: load.stateOfCharge, direction: load.direction,
            powerMilliwatts: load.powerMilliwatts, energyMilliwattHours: counter.milliwattHours,
            estimatedRangeMillimetres: load.estimatedRangeMillimetres,
            batteryTemperatureMillikelvin: load.batteryTemperatureMillikelvin,
            isStateOfChargeKnown: load.isStateOfChargeKnown)
        return Event(id: id, timestamp: timestamp, venueID: venueID, device: device, content: .vehicleLoad(repaired))
    }
}
