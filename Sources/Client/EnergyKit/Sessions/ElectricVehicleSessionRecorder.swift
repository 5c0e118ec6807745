public import Foundation

/// Makes a vehicle's load events from readings: feed it every reading, submit what it returns.
///
/// - A reading with power begins a session: a begin event with energy and power 0, and an active event.
/// - While there is power: an active event with the first reading of each quarter of an hour (:00, :15, :30, :45), when
///   power changes by a tenth and by 100 W, and after new guidance.
/// - A reading without power ends the session: an end event with the energy of the whole session and power 0.
///
/// Energy never falls within a session. A reading that is older than the one before, or not a number, gives no event.
///
/// ```swift
/// var recorder = ElectricVehicleSessionRecorder(device: car, guidance: guidanceState)
/// let events = recorder.record(ElectricVehicleReading(timestamp: .now, stateOfCharge: 43, power: power))
/// try await venue.submitEvents(events)
/// ```
public struct ElectricVehicleSessionRecorder: Sendable {
    public let device: ElectricalLoadDevice
    public let direction: ElectricityFlowDirection
    /// What the device goes by. Set it when there is new guidance, or when the device stops following it.
    public var guidance: ElectricVehicleLoadEvent.Session.GuidanceState {
        didSet { isGuidanceNew = true }
    }

    private var running: Running?
    private var isGuidanceNew = false

    fileprivate struct Running {
        let id: UUID
        /// Of the last reading with a meter.
        var meter: Double?
        /// Since the session began, mWh.
        var energy = 0.0
        var last: ElectricVehicleReading
        /// In the last event, mW.
        var reportedPower: Double
        /// The quarter of an hour of the last event.
        var reportedQuarter: Double
    }

    /// - Parameters:
    ///   - device: the vehicle.
    ///   - direction: of all its sessions: a vehicle that also feeds the grid has a recorder for each direction.
    ///   - guidance: what the device goes by at first.
    public init(
        device: ElectricalLoadDevice, direction: ElectricityFlowDirection = .imported,
        guidance: ElectricVehicleLoadEvent.Session.GuidanceState
    ) {
        self.device = device
        self.direction = direction
        self.guidance = guidance
    }

    /// Of the session that is running, for status events.
    public var sessionIdentifier: UUID? { running?.id }

    /// - Returns: none, one or two events, in the order in which they must be submitted.
    public mutating func record(_ reading: ElectricVehicleReading) -> [ElectricVehicleLoadEvent] {
        guard reading.isSound else { return [] }
        let power = reading.milliwatts
        guard var running else { return power > 0 ? begin(reading) : [] }
        guard reading.timestamp >= running.last.timestamp else { return [] }
        running.add(reading)
        if power == 0 {
            self.running = nil
            isGuidanceNew = false
            return [event(.end, reading, id: running.id, milliwatts: 0, energy: running.energy)]
        }
        let isReported = isGuidanceNew || running.isWorthReporting(reading)
        if isReported { running.report(reading) }
        self.running = running
        guard isReported else { return [] }
        isGuidanceNew = false
        return [event(.active, reading, id: running.id, milliwatts: power, energy: running.energy)]
    }

    /// Ends the session without a further reading, for example when the vehicle is unplugged.
    ///
    /// The event has the energy of the last reading, however much later it is: what flowed since then was not measured,
    /// so it is not claimed. Where it matters, record a last reading first.
    ///
    /// - Returns: the end event; `nil` when no session is running.
    public mutating func end(at timestamp: Date) -> ElectricVehicleLoadEvent? {
        guard let running else { return nil }
        self.running = nil
        isGuidanceNew = false
        var reading = running.last
        reading.timestamp = max(timestamp, running.last.timestamp)
        return event(.end, reading, id: running.id, milliwatts: 0, energy: running.energy)
    }

    private mutating func begin(_ reading: ElectricVehicleReading) -> [ElectricVehicleLoadEvent] {
        let running = Running(
            id: UUID(), meter: reading.meterMilliwattHours, last: reading, reportedPower: reading.milliwatts,
            reportedQuarter: reading.quarter)
        self.running = running
        isGuidanceNew = false
        return [
            event(.begin, reading, id: running.id, milliwatts: 0, energy: 0),
            event(.active, reading, id: running.id, milliwatts: reading.milliwatts, energy: 0),
        ]
    }

    private func event(
        _ state: ElectricVehicleLoadEvent.Session.State, _ reading: ElectricVehicleReading, id: UUID,
        milliwatts: Double, energy: Double
    ) -> ElectricVehicleLoadEvent {
        ElectricVehicleLoadEvent(
            timestamp: reading.timestamp,
            measurement: ElectricVehicleLoadEvent.ElectricalMeasurement(
                stateOfCharge: reading.stateOfCharge, direction: direction,
                power: Measurement(value: milliwatts.rounded(), unit: .milliwatts),
                energy: Measurement(value: energy.rounded(), unit: .EnergyKit.milliwattHours),
                performanceMetrics: reading.performanceMetrics),
            session: ElectricVehicleLoadEvent.Session(id: id, state: state, guidanceState: guidance), device: device)
    }
}

extension ElectricVehicleSessionRecorder.Running {
    /// By the meter, where both readings have one and it was not reset; else by the mean power of both readings.
    mutating func add(_ reading: ElectricVehicleReading) {
        if let before = meter, let now = reading.meterMilliwattHours, now >= before {
            energy += now - before
        } else {
            let hours = reading.timestamp.timeIntervalSince(last.timestamp) / 3600
            energy += (last.milliwatts + reading.milliwatts) / 2 * hours
        }
        meter = reading.meterMilliwattHours
        last = reading
    }

    func isWorthReporting(_ reading: ElectricVehicleReading) -> Bool {
        let change = abs(reading.milliwatts - reportedPower)
        return reading.quarter != reportedQuarter || change >= 100_000 && change >= reportedPower / 10
    }

    mutating func report(_ reading: ElectricVehicleReading) {
        reportedPower = reading.milliwatts
        reportedQuarter = reading.quarter
    }
}

extension ElectricVehicleReading {
    fileprivate var milliwatts: Double { power.converted(to: .milliwatts).value }

    fileprivate var meterMilliwattHours: Double? { meter?.converted(to: .EnergyKit.milliwattHours).value }

    /// Every zone is a whole number of quarters of an hour away from UTC: its quarters begin with these.
    fileprivate var quarter: Double { (timestamp.timeIntervalSince1970 / 900).rounded(.down) }

    fileprivate var isSound: Bool {
        milliwatts.isFinite && milliwatts >= 0 && timestamp.timeIntervalSince1970.isFinite
            && meterMilliwattHours.map { $0.isFinite && $0 >= 0 } ?? true
    }
}
