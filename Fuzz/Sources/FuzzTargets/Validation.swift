import EnergyModel
import Foundation

/// Events of a few sessions, good and bad, judged one after the other as the ingestor would.
///
/// Whatever comes: time and energy of a session never go back, nothing follows its end, what is refused changes nothing,
/// and a tracker that was stored and loaded in between decides the same.
@_cdecl("fuzz_validation")
public func fuzzValidation(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    var source = ByteSource(UnsafeRawBufferPointer(start: bytes, count: count))
    let rules = EventRules(clockAllowanceMilliseconds: 300_000, isStrict: source.byte() % 2 == 1)
    var judge = Judge(rules: rules)
    while !source.isEmpty { judge.judge(judge.event(from: &source)) }
    return 0
}

private struct Judge {
    private static let start = Int64(1_772_366_400_000)

    let rules: EventRules
    private var trackers: [UUID: SessionTracker] = [:]
    private var time = Judge.start

    init(rules: EventRules) { self.rules = rules }

    mutating func event(from source: inout ByteSource) -> Event {
        let choice = source.byte()
        let states = Session.State.allCases
        let session = Session(
            id: id(3 + choice % 2), state: states[Int(source.byte()) % states.count],
            wasFollowingGuidance: choice & 4 != 0, guidanceToken: id(2))
        // Mostly a little later than the event before.
        let step = source.number(in: -2_000...4_000_000)
        time = time.addingReportingOverflow(step).partialValue
        if source.byte() == 0 { time = Self.start }
        let known = trackers[session.id]?.progress?.energyMilliwattHours ?? 0
        return Event(
            id: UUID(), timestamp: Timestamp(unixMilliseconds: time), venueID: id(choice & 8 == 0 ? 1 : 10),
            device: Device(
                id: String(decoding: source.bytes(Int(source.byte() % 4)), as: UTF8.self), name: "Car",
                kind: choice & 16 == 0 ? .electricVehicle : .hvac),
            content: content(session, choice: choice, known: known, from: &source))
    }

    private func content(
        _ session: Session, choice: UInt8, known: Int64, from source: inout ByteSource
    ) -> Event.Content {
        switch choice >> 5 {
        case 0:
            .hvacLoad(HVACLoad(session: session, stage: Int(source.number(in: 0...100))))
        case 1:
            .vehicleStatus(
                VehicleStatus(
                    status: .pluggedIn, stateOfCharge: Int(source.number(in: 0...100)),
                    energyMilliwattHours: source.number(in: Energy.range), sessionID: session.id))
        default:
            .vehicleLoad(
                VehicleLoad(
                    session: session, stateOfCharge: Int(source.number(in: 0...100)),
                    direction: choice & 128 == 0 ? .imported : .exported,
                    powerMilliwatts: source.number(in: Power.range),
                    energyMilliwattHours: known.addingReportingOverflow(source.number(in: 0...20_000_000))
                        .partialValue))
        }
    }

    private func id(_ number: UInt8) -> UUID {
        UUID(uuid: (0xE0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    mutating func judge(_ event: Event) {
        let now = Timestamp(unixMilliseconds: Self.start + 30 * .millisecondsPerDay)
        guard rules.violations(of: event, now: now).isEmpty else { return }
        let normal = rules.normalized(event)
        precondition(rules.violations(of: normal, now: now).isEmpty, "what is stored breaks a rule")
        guard let session = event.session else { return }
        let before = trackers[session.id]?.progress
        var (tracker, other) = (trackers[session.id] ?? SessionTracker(), SessionTracker(before))
        let outcome = tracker.apply(event)
        precondition(other.apply(event) == outcome && other == tracker, "a tracker that was loaded decides otherwise")
        switch outcome {
        case nil: preconditionFailure("an event of a session is of none")
        case .refused: precondition(tracker.progress == before, "what is refused changes something")
        case .accepted(let after): check(after, after: before, event)
        }
        trackers[session.id] = tracker
    }

    private func check(_ after: SessionProgress, after before: SessionProgress?, _ event: Event) {
        precondition(after.last == event.timestamp && after.began <= after.last, "time goes wrong")
        precondition(after.isEnded == (event.session?.state == .end), "only an end ends")
        guard let before else {
            precondition(event.session?.state == .begin && after.energyMilliwattHours == 0, "it does not begin")
            return
        }
        precondition(!before.isEnded, "something follows the end")
        precondition(event.session?.state != .begin, "it begins twice")
        precondition(after.last >= before.last, "time goes back")
        let rise = after.energyMilliwattHours - before.energyMilliwattHours
        let length = after.last.unixMilliseconds - before.last.unixMilliseconds
        precondition(0...SessionBounds.energyMax(overMilliseconds: length) ~= rise, "energy falls, or jumps")
        precondition(
            (before.venueID, before.deviceID, before.kind, before.began)
                == (after.venueID, after.deviceID, after.kind, after.began), "it becomes another session")
        precondition(before.direction == after.direction, "it turns round")
    }
}
