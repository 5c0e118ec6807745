internal import EnergyModel
internal import Foundation

extension LogEventDocument {
    init(_ event: Event) {
        id = LogID(event.id)
        timestamp = LogTime(event.timestamp)
        timestampUnixMs = nil
        device = DevicePart(
            id: event.device.id, name: event.device.name, type: Words.snake(event.device.kind.rawValue))
        var (vehicle, hvac, status): (VehicleLoadPart?, HVACLoadPart?, VehicleStatusPart?) = (nil, nil, nil)
        switch event.content {
        case .vehicleLoad(let load):
            vehicle = VehicleLoadPart(
                session: SessionPart(load.session), stateOfCharge: load.isStateOfChargeKnown ? load.stateOfCharge : nil,
                direction: Words.snake(load.direction.rawValue), powerMw: load.powerMilliwatts,
                energyMwh: load.energyMilliwattHours, estimatedRangeMm: load.estimatedRangeMillimetres,
                batteryTemperatureMk: load.batteryTemperatureMillikelvin)
        case .hvacLoad(let load): hvac = HVACLoadPart(session: SessionPart(load.session), stage: load.stage)
        case .vehicleStatus(let value): status = VehicleStatusPart(value)
        }
        (vehicleLoad, hvacLoad, vehicleStatus) = (vehicle, hvac, status)
    }

    /// - Throws: for words that are not the contract's, and for none or several contents.
    func event(venueID: UUID) throws(LogFault) -> Event {
        let content: Event.Content
        switch (vehicleLoad, hvacLoad, vehicleStatus) {
        case (let load?, nil, nil): content = .vehicleLoad(try within("vehicle_load", load.load))
        case (nil, let load?, nil): content = .hvacLoad(try within("hvac_load", load.load))
        case (nil, nil, let status?): content = .vehicleStatus(try within("vehicle_status", status.value))
        default: throw LogFault("must have one of vehicle_load, hvac_load and vehicle_status")
        }
        let kind: Device.Kind = try value(device.type, "device.type", among: Device.Kind.reporting)
        return Event(
            id: id.uuid, timestamp: try timestamp.timestamp(or: timestampUnixMs, "timestamp"), venueID: venueID,
            device: Device(id: device.id, name: device.name, kind: kind), content: content)
    }
}

private func within<Value>(
    _ path: String, _ body: () throws(LogFault) -> Value
) throws(LogFault) -> Value {
    do throws(LogFault) { return try body() } catch { throw error.within(path) }
}

/// The case that is spelled so.
private func value<Value: RawRepresentable<String> & CaseIterable>(
    _ word: String?, _ field: String, among allowed: [Value] = Array(Value.allCases)
) throws(LogFault) -> Value {
    guard let value = allowed.first(where: { Words.snake($0.rawValue) == word }) else {
        let words = allowed.map { Words.snake($0.rawValue) }.joined(separator: ", ")
        let said =
            word.map { "is \"\(TerminalText.safe(TerminalText.cut($0, to: 40, ellipsis: "...")))\"" } ?? "is missing"
        throw LogFault(field, "must be one of \(words), but \(said)")
    }
    return value
}

extension LogEventDocument.SessionPart {
    fileprivate init(_ session: Session) {
        self.init(
            id: LogID(session.id), state: Words.snake(session.state.rawValue),
            wasFollowingGuidance: session.wasFollowingGuidance, guidanceToken: LogID(session.guidanceToken))
    }

    fileprivate func session() throws(LogFault) -> Session {
        Session(
            id: id.uuid, state: try value(state, "session.state"), wasFollowingGuidance: wasFollowingGuidance,
            guidanceToken: guidanceToken.uuid)
    }
}

extension LogEventDocument.VehicleLoadPart {
    fileprivate func load() throws(LogFault) -> VehicleLoad {
        VehicleLoad(
            session: try session.session(), stateOfCharge: stateOfCharge ?? 0,
            direction: try EnergyCommands.value(direction, "direction"),
            powerMilliwatts: powerMw, energyMilliwattHours: energyMwh, estimatedRangeMillimetres: estimatedRangeMm,
            batteryTemperatureMillikelvin: batteryTemperatureMk, isStateOfChargeKnown: stateOfCharge != nil)
    }
}

extension LogEventDocument.HVACLoadPart {
    fileprivate func load() throws(LogFault) -> HVACLoad { HVACLoad(session: try session.session(), stage: stage) }
}

extension LogEventDocument.VehicleStatusPart {
    fileprivate init(_ value: VehicleStatus) {
        let (status, active, idle): (String, String?, String?) =
            switch value.status {
            case .pluggedIn: ("plugged_in", nil, nil)
            case .unplugged: ("unplugged", nil, nil)
            case .active(let reason): ("active", Words.snake(reason.rawValue), nil)
            case .idle(let reason): ("idle", nil, Words.snake(reason.rawValue))
            }
        self.init(
            status: status, activeReason: active, idleReason: idle, stateOfCharge: value.stateOfCharge,
            energyMwh: value.energyMilliwattHours, estimatedRangeMm: value.estimatedRangeMillimetres,
            target: value.target.map(LogEventDocument.TargetPart.init), sessionId: value.sessionID.map(LogID.init))
    }

    private enum Word: String, CaseIterable { case pluggedIn, unplugged, active, idle }

    fileprivate func value() throws(LogFault) -> VehicleStatus {
        let word: Word = try EnergyCommands.value(self.status, "status")
        let status: VehicleStatus.Status =
            switch word {
            case .pluggedIn: .pluggedIn
            case .unplugged: .unplugged
            case .active: .active(try EnergyCommands.value(activeReason, "active_reason"))
            case .idle: .idle(try EnergyCommands.value(idleReason, "idle_reason"))
            }
        return VehicleStatus(
            status: status, stateOfCharge: stateOfCharge, energyMilliwattHours: energyMwh,
            estimatedRangeMillimetres: estimatedRangeMm, target: try target?.target(), sessionID: sessionId?.uuid)
    }
}

extension LogEventDocument.TargetPart {
    fileprivate init(_ target: ChargingTarget) {
        self.init(
            stateOfCharge: target.stateOfCharge,
            estimatedCompletion: LogTime(target.estimatedCompletion), scheduledStart: LogTime(target.scheduledStart),
            estimatedCompletionUnixMs: nil, scheduledStartUnixMs: nil,
            estimatedRangeMm: target.estimatedRangeMillimetres)
    }

    fileprivate func target() throws(LogFault) -> ChargingTarget {
        ChargingTarget(
            stateOfCharge: stateOfCharge,
            estimatedCompletion: try estimatedCompletion.timestamp(
                or: estimatedCompletionUnixMs, "target.estimated_completion"),
            scheduledStart: try scheduledStart.timestamp(or: scheduledStartUnixMs, "target.scheduled_start"),
            estimatedRangeMillimetres: estimatedRangeMm)
    }
}
