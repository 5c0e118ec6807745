/// What must hold for one event, whatever came before it. ``SessionTracker`` says what must hold between events.
public struct EventRules: Hashable, Sendable {
    /// How far a sender's clock may be ahead of ours.
    public var clockAllowanceMilliseconds: Int64
    /// Power must be 0 at begin and end too. Off by default: Apple's own sample sends charging power there.
    public var isStrict: Bool

    /// Ten years, with the leap days that can fall into them.
    public static let ageMillisecondsMax = 3_653 * Int64.millisecondsPerDay

    /// - Parameter clockAllowanceMilliseconds: clamped to 0 to 1 day; 5 minutes by default.
    public init(clockAllowanceMilliseconds: Int64 = 5 * .millisecondsPerMinute, isStrict: Bool = false) {
        self.clockAllowanceMilliseconds = min(max(0, clockAllowanceMilliseconds), .millisecondsPerDay)
        self.isStrict = isStrict
    }

    /// Every rule that the event breaks; empty when it breaks none. The index is left to the caller.
    public func violations(of event: Event, now: Timestamp) -> [RuleViolation] {
        var findings = Findings()
        checkTimestamp(event.timestamp, now: now, &findings)
        check(event.device, of: event, &findings)
        switch event.content {
        case .vehicleLoad(let load): check(load, &findings)
        case .hvacLoad(let load): check(load, &findings)
        case .vehicleStatus(let status): check(status, &findings)
        }
        return findings.violations
    }

    /// The event as it is stored: with a sanitised device name.
    public func normalized(_ event: Event) -> Event {
        let device = event.device.sanitized
        guard device != event.device else { return event }
        return Event(
            id: event.id, timestamp: event.timestamp, venueID: event.venueID, device: device, content: event.content)
    }

    private func checkTimestamp(_ timestamp: Timestamp, now: Timestamp, _ findings: inout Findings) {
        let newest = now.advanced(byMilliseconds: clockAllowanceMilliseconds)
        findings.expect(
            timestamp <= newest, "timestamp_unix_ms",
            "must not be more than \(clockAllowanceMilliseconds) ms in the future", timestamp.unixMilliseconds)
        let oldest = now.advanced(byMilliseconds: -EventRules.ageMillisecondsMax)
        findings.expect(
            timestamp >= oldest, "timestamp_unix_ms", "must not be more than ten years ago",
            timestamp.unixMilliseconds)
    }

    private func check(_ device: Device, of event: Event, _ findings: inout Findings) {
        findings.violations += device.violationsOfEvent
        let kind = event.content.deviceKind
        findings.expect(
            device.kind == kind, "device.type", "must be \(kind.rawValue) with \(event.content.field)",
            device.kind.rawValue)
    }

    private func check(_ load: VehicleLoad, _ findings: inout Findings) {
        findings.percent(load.stateOfCharge, "vehicle_load.state_of_charge")
        if !load.isStateOfChargeKnown {
            findings.expect(
                load.stateOfCharge == 0, "vehicle_load.state_of_charge", "must be 0 with state_of_charge_unknown",
                Int64(load.stateOfCharge))
        }
        findings.expect(
            Power.range ~= load.powerMilliwatts, "vehicle_load.power_mw", "must be 0 to 1,000,000,000 mW",
            load.powerMilliwatts)
        findings.energy(load.energyMilliwattHours, "vehicle_load.energy_mwh")
        if load.session.state == .begin {
            findings.expect(
                load.energyMilliwattHours == 0, "vehicle_load.energy_mwh", "must be 0 at begin",
                load.energyMilliwattHours)
        }
        if isStrict && load.session.state != .active {
            findings.expect(
                load.powerMilliwatts == 0, "vehicle_load.power_mw", "must be 0 at begin and end", load.powerMilliwatts)
        }
        findings.range(load.estimatedRangeMillimetres, "vehicle_load.performance.estimated_range_mm")
        if let temperature = load.batteryTemperatureMillikelvin {
            findings.expect(
                0...1_000_000 ~= temperature, "vehicle_load.performance.battery_temperature_mk",
                "must be 0 to 1,000,000 mK", temperature)
        }
    }

    private func check(_ load: HVACLoad, _ findings: inout Findings) {
        findings.percent(load.stage, "hvac_load.stage")
        if load.session.state != .active {
            findings.expect(load.stage == 0, "hvac_load.stage", "must be 0 at begin and end", Int64(load.stage))
        }
    }

    private func check(_ status: VehicleStatus, _ findings: inout Findings) {
        findings.percent(status.stateOfCharge, "vehicle_status.state_of_charge")
        findings.energy(status.energyMilliwattHours, "vehicle_status.energy_mwh")
        findings.range(status.estimatedRangeMillimetres, "vehicle_status.estimated_range_mm")
        guard let target = status.target else { return }
        findings.percent(target.stateOfCharge, "vehicle_status.target.state_of_charge")
        findings.date(target.estimatedCompletion, "vehicle_status.target.estimated_completion_unix_ms")
        findings.date(target.scheduledStart, "vehicle_status.target.scheduled_start_unix_ms")
        findings.range(target.estimatedRangeMillimetres, "vehicle_status.target.estimated_range_mm")
    }
}

/// Collects what is wrong.
private struct Findings {
    var violations: [RuleViolation] = []

    mutating func expect(_ holds: Bool, _ field: String, _ rule: @autoclosure () -> String, _ value: Int64) {
        if !holds { violations.append(RuleViolation(field: field, rule: rule(), value: "\(value)")) }
    }

    mutating func expect(_ holds: Bool, _ field: String, _ rule: @autoclosure () -> String, _ value: String) {
        if !holds { violations.append(RuleViolation(field: field, rule: rule(), value: value)) }
    }

    mutating func percent(_ value: Int, _ field: String) {
        expect(0...100 ~= value, field, "must be 0 to 100", Int64(value))
    }

    mutating func energy(_ value: Int64, _ field: String) {
        expect(Energy.range ~= value, field, "must be 0 to 1,000,000,000,000 mWh", value)
    }

    /// Up to 100,000 km.
    mutating func range(_ value: Int64?, _ field: String) {
        guard let value else { return }
        expect(0...100_000_000_000 ~= value, field, "must be 0 to 100,000,000,000 mm", value)
    }

    /// From 1970 to the end of the year 9999.
    mutating func date(_ value: Timestamp, _ field: String) {
        expect(
            0...253_402_300_799_999 ~= value.unixMilliseconds, field, "must be 0 to 253,402,300,799,999 ms",
            value.unixMilliseconds)
    }
}
