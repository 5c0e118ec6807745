import EnergyModel
import EnergyTestSupport
import Testing

struct EventRulesTests {
    let rules = EventRules()
    let now = EventSamples.now

    private func broken(_ event: Event, _ rules: EventRules? = nil) -> [String] {
        (rules ?? self.rules).violations(of: event, now: now).map { "\($0.field) \($0.rule): \($0.value)" }
    }

    @Test func `a charge, a heating session and a status break no rule`() {
        for event in EventSamples.charge() { #expect(broken(event) == []) }
        #expect(broken(EventSamples.hvac(.begin)) == [])
        #expect(broken(EventSamples.hvac(.active, stage: 100)) == [])
        #expect(broken(EventSamples.hvac(.end)) == [])
        let target = ChargingTarget(stateOfCharge: 80, estimatedCompletion: now, scheduledStart: now)
        #expect(broken(EventSamples.status(.idle(.batteryFull), stateOfCharge: 100, range: 0, target: target)) == [])
    }

    @Test func `an event may be ahead by the clock allowance and no more`() {
        let allowed = now.advanced(byMilliseconds: 300_000)
        #expect(broken(EventSamples.status(at: allowed)) == [])
        #expect(
            broken(EventSamples.status(at: allowed.advanced(byMilliseconds: 1))) == [
                "timestamp_unix_ms must not be more than 300000 ms in the future: 1772366700001"
            ])
        let tight = EventRules(clockAllowanceMilliseconds: 0)
        #expect(broken(EventSamples.status(at: now.advanced(byMilliseconds: 1)), tight).count == 1)
    }

    @Test func `an event may be ten years old and no older`() {
        let oldest = now.advanced(byMilliseconds: -EventRules.ageMillisecondsMax)
        #expect(broken(EventSamples.status(at: oldest)) == [])
        #expect(
            broken(EventSamples.status(at: oldest.advanced(byMilliseconds: -1))) == [
                "timestamp_unix_ms must not be more than ten years ago: \(oldest.unixMilliseconds - 1)"
            ])
    }

    @Test(arguments: [Int64.min, Int64.max])
    func `an absurd timestamp is refused, not computed with`(milliseconds: Int64) {
        #expect(broken(EventSamples.status(at: Timestamp(unixMilliseconds: milliseconds))).count == 1)
    }

    @Test(arguments: [-1, 101, Int.min, Int.max])
    func `state of charge is a percentage`(percent: Int) {
        let rule = "must be 0 to 100: \(percent)"
        #expect(
            broken(EventSamples.vehicle(.active, stateOfCharge: percent)) == ["vehicle_load.state_of_charge \(rule)"])
        #expect(broken(EventSamples.status(stateOfCharge: percent)) == ["vehicle_status.state_of_charge \(rule)"])
        let target = ChargingTarget(stateOfCharge: percent, estimatedCompletion: now, scheduledStart: now)
        #expect(broken(EventSamples.status(target: target)) == ["vehicle_status.target.state_of_charge \(rule)"])
    }

    @Test(arguments: [-1, 1_000_000_001, Int64.min, Int64.max])
    func `power has a range`(power: Int64) {
        #expect(
            broken(EventSamples.vehicle(.active, power: power)) == [
                "vehicle_load.power_mw must be 0 to 1,000,000,000 mW: \(power)"
            ])
    }

    @Test(arguments: [-1, 1_000_000_000_001, Int64.min, Int64.max])
    func `energy has a range`(energy: Int64) {
        let rule = "must be 0 to 1,000,000,000,000 mWh: \(energy)"
        #expect(broken(EventSamples.vehicle(.active, energy: energy)) == ["vehicle_load.energy_mwh \(rule)"])
        #expect(broken(EventSamples.status(energy: energy)) == ["vehicle_status.energy_mwh \(rule)"])
    }

    @Test func `a session begins at zero energy`() {
        #expect(
            broken(EventSamples.vehicle(.begin, energy: 5)) == ["vehicle_load.energy_mwh must be 0 at begin: 5"])
    }

    @Test(arguments: [Session.State.begin, .end])
    func `power at begin and end is refused only when strict`(state: Session.State) {
        let event = EventSamples.vehicle(state, power: 7_200_000)
        #expect(broken(event) == [])
        #expect(
            broken(event, EventRules(isStrict: true)) == [
                "vehicle_load.power_mw must be 0 at begin and end: 7200000"
            ])
        #expect(broken(EventSamples.vehicle(.active, power: 1), EventRules(isStrict: true)) == [])
    }

    @Test(arguments: [Session.State.begin, .end])
    func `stage is zero at begin and end`(state: Session.State) {
        #expect(broken(EventSamples.hvac(state, stage: 1)) == ["hvac_load.stage must be 0 at begin and end: 1"])
    }

    @Test(arguments: [-1, 101])
    func `stage is a percentage`(stage: Int) {
        #expect(broken(EventSamples.hvac(.active, stage: stage)) == ["hvac_load.stage must be 0 to 100: \(stage)"])
    }

    @Test func `performance metrics have ranges`() {
        #expect(
            broken(EventSamples.vehicle(.active, range: -1, temperature: -1)) == [
                "vehicle_load.performance.estimated_range_mm must be 0 to 100,000,000,000 mm: -1",
                "vehicle_load.performance.battery_temperature_mk must be 0 to 1,000,000 mK: -1",
            ])
    }

    @Test func `a status has ranges for distance and for its target's times`() {
        let target = ChargingTarget(
            stateOfCharge: 80, estimatedCompletion: Timestamp(unixMilliseconds: .max),
            scheduledStart: Timestamp(unixMilliseconds: -1), estimatedRangeMillimetres: .max)
        let fields = rules.violations(of: EventSamples.status(range: -1, target: target), now: now).map(\.field)
        #expect(
            fields == [
                "vehicle_status.estimated_range_mm", "vehicle_status.target.estimated_completion_unix_ms",
                "vehicle_status.target.scheduled_start_unix_ms", "vehicle_status.target.estimated_range_mm",
            ])
    }

    @Test func `the device must be of the kind that sends such events`() {
        #expect(
            broken(EventSamples.vehicle(.active, energy: 1).replacing(EventSamples.heatPump)) == [
                "device.type must be electricVehicle with vehicle_load: hvac"
            ])
        #expect(
            broken(EventSamples.hvac(.active).replacing(EventSamples.car)) == [
                "device.type must be hvac with hvac_load: electricVehicle"
            ])
    }

    @Test func `device id and name are checked, and the name is repaired for storage`() {
        let bad = Device(id: "car/1", name: "\u{0}", kind: .electricVehicle)
        #expect(
            rules.violations(of: EventSamples.status(device: bad), now: now).map(\.field) == [
                "device.id", "device.name",
            ])
        let sloppy = Device(id: "car-1", name: "Car\u{0}", kind: .electricVehicle)
        #expect(rules.normalized(EventSamples.status(device: sloppy)).device.name == "Car")
    }

    @Test func `every broken rule of an event is told at once`() {
        let event = EventSamples.vehicle(.begin, stateOfCharge: 101, power: -1, energy: -1)
        #expect(rules.violations(of: event, now: now).count == 4)
    }
}

extension Event {
    func replacing(_ device: Device) -> Event {
        Event(id: id, timestamp: timestamp, venueID: venueID, device: device, content: content)
    }
}
