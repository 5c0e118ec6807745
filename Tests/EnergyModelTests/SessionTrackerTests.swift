import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct SessionTrackerTests {
    private let now = EventSamples.now

    private func tracker(after events: Event...) -> SessionTracker {
        var tracker = SessionTracker()
        for event in events {
            guard case .accepted = tracker.apply(event) else {
                Issue.record("\(event) was refused")
                continue
            }
        }
        return tracker
    }

    private func refusal(_ event: Event, after tracker: SessionTracker) -> RuleViolation? {
        var copy = tracker
        guard case .refused(let violation) = copy.apply(event) else { return nil }
        #expect(copy == tracker, "a refusal changes nothing")
        return violation
    }

    @Test func `a session goes from begin over any number of actives to its end`() {
        var tracker = SessionTracker()
        for event in EventSamples.charge(actives: 3) {
            guard case .accepted = tracker.apply(event) else { return #expect(Bool(false), "\(event)") }
        }
        #expect(tracker.progress?.isEnded == true)
        #expect(tracker.progress?.energyMilliwattHours == 480_000)
    }

    @Test func `a session may end right after it began`() {
        #expect(tracker(after: EventSamples.hvac(.begin), EventSamples.hvac(.end)).progress?.isEnded == true)
    }

    @Test(arguments: [Session.State.active, .end])
    func `a session's first event is its begin`(state: Session.State) {
        let violation = refusal(EventSamples.vehicle(state), after: SessionTracker())
        #expect(violation?.field == "vehicle_load.session.state")
        #expect(violation?.rule == "must be begin in a session's first event")
        #expect(violation?.value == state.rawValue)
    }

    @Test func `a session begins once`() {
        let violation = refusal(EventSamples.hvac(.begin), after: tracker(after: EventSamples.hvac(.begin)))
        #expect(violation?.field == "hvac_load.session.state")
        #expect(violation?.rule == "must be begin only once in a session: a new session has a new id")
    }

    @Test(arguments: Session.State.allCases)
    func `nothing follows the end, not even a late active`(state: Session.State) {
        let ended = tracker(after: EventSamples.vehicle(.begin), EventSamples.vehicle(.end))
        let violation = refusal(EventSamples.vehicle(state), after: ended)
        #expect(violation?.field == "vehicle_load.session.state")
        #expect(violation?.rule == "must not follow the session's end: a new session has a new id")
    }

    @Test func `a session has one direction`() {
        let begun = tracker(after: EventSamples.vehicle(.begin, direction: .exported))
        let violation = refusal(EventSamples.vehicle(.active, direction: .imported), after: begun)
        #expect(violation?.field == "vehicle_load.direction")
        #expect(violation?.value == "imported, after exported")
    }

    @Test func `a session belongs to one device`() {
        let begun = tracker(after: EventSamples.vehicle(.begin))
        let other = Device(id: "car-2", name: "Car", kind: .electricVehicle)
        let violation = refusal(EventSamples.vehicle(device: other, .active), after: begun)
        #expect(violation?.field == "device.id")
        #expect(violation?.value == "\"car-2\", after \"car-1\"")
        let heating = EventSamples.hvac(device: Device(id: "car-1", name: "Car", kind: .hvac), .active)
        let kind = refusal(heating, after: begun)
        #expect(kind?.field == "device.type")
        #expect(kind?.value == "hvac, after electricVehicle")
    }

    @Test func `a device may change its name within a session`() {
        let renamed = Device(id: "car-1", name: "New name", kind: .electricVehicle)
        #expect(
            refusal(EventSamples.vehicle(device: renamed, .active), after: tracker(after: EventSamples.vehicle(.begin)))
                == nil)
    }

    @Test func `a session may follow newer guidance`() {
        let begun = tracker(after: EventSamples.vehicle(.begin))
        #expect(refusal(EventSamples.vehicle(.active, token: EventSamples.id(77)), after: begun) == nil)
    }

    @Test func `a session belongs to one venue`() {
        let violation = refusal(
            EventSamples.vehicle(venueID: EventSamples.id(5), .active),
            after: tracker(after: EventSamples.vehicle(.begin)))
        #expect(violation?.field == "venue_id")
    }

    @Test func `time never goes back, but may stand still`() {
        let begun = tracker(after: EventSamples.vehicle(.begin))
        #expect(refusal(EventSamples.vehicle(at: now, .active), after: begun) == nil)
        let violation = refusal(EventSamples.vehicle(at: now.advanced(byMilliseconds: -1), .active), after: begun)
        #expect(violation?.field == "timestamp_unix_ms")
        #expect(violation?.rule == "must not be before the session's last event")
    }

    @Test(arguments: [Session.State.active, .end])
    func `energy never falls`(state: Session.State) {
        let charging = tracker(after: EventSamples.vehicle(.begin), EventSamples.vehicle(.active, energy: 10))
        #expect(refusal(EventSamples.vehicle(state, energy: 10), after: charging) == nil)
        let violation = refusal(EventSamples.vehicle(state, energy: 9), after: charging)
        #expect(violation?.field == "vehicle_load.energy_mwh")
        #expect(
            violation?.rule
                == "must not fall within a session; if the counter was reset, end the session with the last value that was accepted, and begin a new one"
        )
        #expect(violation?.value == "9 mWh, after 10 mWh")
    }

    @Test(arguments: [Session.State.active, .end])
    func `energy never rises faster than a megawatt`(state: Session.State) {
        let charging = tracker(
            after: EventSamples.vehicle(.begin), EventSamples.vehicle(at: after(hours: 1), .active, energy: 10_000_000))
        let second = after(hours: 1).advanced(byMilliseconds: 1_000)
        let most = 10_000_000 + SessionBounds.energyMax(overMilliseconds: 1_000)
        #expect(refusal(EventSamples.vehicle(at: second, state, energy: most), after: charging) == nil)
        let violation = refusal(EventSamples.vehicle(at: second, state, energy: most + 1), after: charging)
        #expect(violation?.field == "vehicle_load.energy_mwh")
        #expect(
            violation?.rule.hasPrefix(
                "must not rise by more than 1 MW delivers in the time and one minute; if the counter") == true)
        #expect(
            violation?.rule.hasSuffix("end the session with the last value that was accepted, and begin a new one")
                == true)
        let far = refusal(EventSamples.vehicle(at: second, state, energy: 1_000_000_000_000), after: charging)
        #expect(
            far?.value == "1000000000000 mWh, after 10000000 mWh and 1000 ms; 16944444 mWh more are possible")
        #expect(far?.rule == violation?.rule, "refusals are counted by their rules")
    }

    @Test func `steps that are each possible must not add up to what is not`() {
        var charging = tracker(after: EventSamples.vehicle(.begin))
        let step = SessionBounds.energyMax(overMilliseconds: 0)
        #expect(refusal(EventSamples.vehicle(.active, energy: step), after: charging) == nil)
        _ = charging.apply(EventSamples.vehicle(.active, energy: step))
        let violation = refusal(EventSamples.vehicle(.active, energy: step + 1), after: charging)
        #expect(
            violation?.rule.hasPrefix("must not be more than 1 MW delivers since begin and in one minute; if the")
                == true)
        #expect(violation?.value == "16666667 mWh, 0 ms after begin; 16666666 mWh are possible")
    }

    @Test func `a session that was silent for two weeks is over`() {
        let begun = tracker(after: EventSamples.vehicle(.begin))
        let last = now.advanced(byMilliseconds: SessionBounds.silenceMilliseconds)
        #expect(refusal(EventSamples.vehicle(at: last, .end), after: begun) == nil)
        let violation = refusal(EventSamples.vehicle(at: last.advanced(byMilliseconds: 1), .end), after: begun)
        #expect(violation?.field == "vehicle_load.session.id")
        #expect(
            violation?.rule
                == "must be a new one, with a begin, after 1209600000 ms without an event: the session is over")
    }

    private func after(hours: Int64) -> Timestamp { now.advanced(byMilliseconds: hours * .millisecondsPerHour) }

    @Test func `a status belongs to no session`() {
        var tracker = SessionTracker()
        #expect(tracker.apply(EventSamples.status()) == nil)
    }

    /// Random events at one session; those taken must form a session that obeys every rule.
    @Test(arguments: UInt64(0)..<300)
    func `whatever arrives, what is taken is one orderly session`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (tracker, taken) = (SessionTracker(), [Event]())
        for _ in 0..<60 {
            let event = randomEvent(using: &random)
            let before = tracker
            switch tracker.apply(event) {
            case .accepted: taken.append(event)
            case .refused, nil: #expect(tracker == before)
            }
        }
        let states = taken.compactMap(\.session?.state)
        #expect(states.isEmpty || states.first == .begin)
        #expect(states.dropFirst().allSatisfy { $0 != .begin })
        #expect(states.dropLast().allSatisfy { $0 != .end })
        #expect(Set(taken.map { "\($0.device.id) \($0.device.kind) \($0.venueID)" }).count <= 1)
        #expect(Set(taken.compactMap { measured($0)?.direction }).count <= 1)
        for (earlier, later) in zip(taken, taken.dropFirst()) {
            #expect(earlier.timestamp <= later.timestamp)
            if let first = measured(earlier), let second = measured(later) {
                #expect(first.energyMilliwattHours <= second.energyMilliwattHours)
            }
        }
    }

    private func measured(_ event: Event) -> VehicleLoad? {
        if case .vehicleLoad(let load) = event.content { load } else { nil }
    }

    /// Mostly steps that fit, so that sessions get long; sometimes anything.
    private func randomEvent(using random: inout SplitMix64) -> Event {
        let at = now.advanced(byMilliseconds: Int64.random(in: 0...50, using: &random))
        let state: Session.State =
            [.begin, .active, .active, .active, .active, .active, .active, .end]
            .randomElement(using: &random) ?? .begin
        if Int.random(in: 0..<10, using: &random) == 0 {
            return EventSamples.hvac(at: at, session: EventSamples.id(3), state)
        }
        let other = Device(id: "car-2", name: "Car", kind: .electricVehicle)
        return EventSamples.vehicle(
            at: at, venueID: EventSamples.id(Int.random(in: 0..<10, using: &random) == 0 ? 5 : 1),
            device: Int.random(in: 0..<10, using: &random) == 0 ? other : EventSamples.car, state,
            direction: Int.random(in: 0..<10, using: &random) == 0 ? .exported : .imported,
            energy: Int64.random(in: 0...50, using: &random))
    }
}
