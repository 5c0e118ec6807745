internal import EnergyModel
internal import Foundation

/// An event that can be submitted.
protocol SubmittableEvent: ElectricalLoadEventProtocol where ID == UUID {
    /// - Throws: `invalidInput` for what does not fit the wire: amounts that are no numbers or far too large.
    func model(venueID: UUID) throws(EnergyError) -> EnergyModel.Event
}

extension ElectricVehicleLoadEvent: SubmittableEvent {
    func model(venueID: UUID) throws(EnergyError) -> EnergyModel.Event {
        let load = VehicleLoad(
            session: session.model, stateOfCharge: measurement.stateOfCharge, direction: measurement.direction.model,
            powerMilliwatts: try Quantities.milliwatts(measurement.power, "vehicle_load.power_mw"),
            energyMilliwattHours: try Quantities.milliwattHours(measurement.energy, "vehicle_load.energy_mwh"),
            estimatedRangeMillimetres: try Quantities.millimetres(
                measurement.performanceMetrics?.estimatedRange, "vehicle_load.performance.estimated_range_mm"),
            batteryTemperatureMillikelvin: try Quantities.millikelvin(
                measurement.performanceMetrics?.batteryTemperature, "vehicle_load.performance.battery_temperature_mk"))
        return EnergyModel.Event(
            id: id, timestamp: try Quantities.timestamp(timestamp, "timestamp_unix_ms"), venueID: venueID,
            device: Device(id: deviceID, name: deviceName, kind: deviceType.model), content: .vehicleLoad(load))
    }
}

extension ElectricHVACLoadEvent: SubmittableEvent {
    func model(venueID: UUID) throws(EnergyError) -> EnergyModel.Event {
        let load = HVACLoad(session: session.model, stage: measurement.stage)
        return EnergyModel.Event(
            id: id, timestamp: try Quantities.timestamp(timestamp, "timestamp_unix_ms"), venueID: venueID,
            device: Device(id: deviceID, name: deviceName, kind: deviceType.model), content: .hvacLoad(load))
    }
}

extension ElectricVehicleStatusEvent: SubmittableEvent {
    func model(venueID: UUID) throws(EnergyError) -> EnergyModel.Event {
        guard venueID == self.venueID else {
            throw .invalidInput(
                RuleViolation(
                    field: "venue_id", rule: "must be the venue \(venueID) that the event is submitted to",
                    value: "\(self.venueID)"))
        }
        let status = VehicleStatus(
            status: self.status.model, stateOfCharge: stateOfCharge,
            energyMilliwattHours: try Quantities.milliwattHours(energy, "vehicle_status.energy_mwh"),
            estimatedRangeMillimetres: try Quantities.millimetres(
                estimatedRange, "vehicle_status.estimated_range_mm"),
            target: try chargingTarget?.model(), sessionID: sessionIdentifier)
        return EnergyModel.Event(
            id: id, timestamp: try Quantities.timestamp(timestamp, "timestamp_unix_ms"), venueID: venueID,
            device: Device(id: deviceID, name: deviceName, kind: deviceType.model), content: .vehicleStatus(status))
    }
}

extension ElectricVehicleStatusEvent.Status {
    fileprivate var model: VehicleStatus.Status {
        switch self {
        case .chargerPluggedIn: .pluggedIn
        case .chargerUnplugged: .unplugged
        case .chargingActive(let reason): .active(reason.model)
        case .chargingIdle(let reason): .idle(reason.model)
        }
    }
}

extension ElectricVehicleStatusEvent.ChargingTarget {
    fileprivate func model() throws(EnergyError) -> EnergyModel.ChargingTarget {
        EnergyModel.ChargingTarget(
            stateOfCharge: stateOfCharge,
            estimatedCompletion: try Quantities.timestamp(
                estimatedCompletionTime, "vehicle_status.target.estimated_completion_unix_ms"),
            scheduledStart: try Quantities.timestamp(
                scheduledStartTime, "vehicle_status.target.scheduled_start_unix_ms"),
            estimatedRangeMillimetres: try Quantities.millimetres(
                estimatedRangeAtTarget, "vehicle_status.target.estimated_range_mm"))
    }
}
