internal import EnergyModel
internal import Foundation

extension LogEventDocument {
    init(_ event: Event) {
        id = event.id
        timestampUnixMs = event.timestamp.unixMilliseconds
        device = DevicePart(
            id: event.device.id, name: event.device.name, type: Words.snake(event.device.kind.rawValue))
        var (vehicle, hvac, status): (VehicleLoadPart?, HVACLoadPart?, VehicleStatusPart?) = (nil, nil, nil)
        switch event.content {
        case .vehicleLoad(let load):
            vehicle = VehicleLoadPart(
                session: SessionPart(load.session), stateOfCharge: load.stateOfCharge,
                direction: Words.snake(load.direction.rawValue), powerMw: load.powerMilliwatts,
                energyMwh: load.energyMilliwattHours, estimatedRangeMm: load.estimatedRangeMillimetres,
                batteryTemperatureMk: load.batteryTemperatureMillikelvin)
        case .hvacLoad(let load): hvac = HVACLoadPart(session: SessionPart(load.session), stage: load.stage)
        case .vehicleStatus(let value): status = VehicleStatusPart(value)
        }
        (vehicleLoad, hvacLoad, vehicleStatus) = (vehicle, hvac, status)
    }

    /// - Returns: `nil` for words that are not the contract's, and for none or several contents.
    func event(venueID: UUID) -> Event? {
        let contents: [Event.Content?] = [
            vehicleLoad.flatMap { $0.load.map(Event.Content.vehicleLoad) },
            hvacLoad.flatMap { $0.load.map(Event.Content.hvacLoad) },
            vehicleStatus.flatMap { $0.value.map(Event.Content.vehicleStatus) },
        ]
        let present = contents.compactMap(\.self)
        guard let content = present.first, present.count == 1, let kind: Device.Kind = value(device.type) else {
            return nil
        }
        return Event(
            id: id, timestamp: Timestamp(unixMilliseconds: timestampUnixMs), venueID: venueID,
            device: Device(id: device.id, name: device.name, kind: kind), content: content)
    }
}

/// The case that is spelled so.
private func value<Value: RawRepresentable<String> & CaseIterable>(_ word: String) -> Value? {
    Value.allCases.first { Words.snake($0.rawValue) == word }
}

extension LogEventDocument.SessionPart {
    fileprivate init(_ session: Session) {
        self.init(
            id: session.id, state: Words.snake(session.state.rawValue),
            wasFollowingGuidance: session.wasFollowingGuidance, guidanceToken: session.guidanceToken)
    }

    fileprivate var session: Session? {
        guard let state: Session.State = value(state) else { return nil }
        return Session(
            id: id, state: state, wasFollowingGuidance: wasFollowingGuidance, guidanceToken: guidanceToken)
    }
}

extension LogEventDocument.VehicleLoadPart {
    fileprivate var load: VehicleLoad? {
        guard let session = session.session, let direction: FlowDirection = value(direction) else { return nil }
        return VehicleLoad(
            session: session, stateOfCharge: stateOfCharge, direction: direction, powerMilliwatts: powerMw,
            energyMilliwattHours: energyMwh, estimatedRangeMillimetres: estimatedRangeMm,
            batteryTemperatureMillikelvin: batteryTemperatureMk)
    }
}

extension LogEventDocument.HVACLoadPart {
    fileprivate var load: HVACLoad? { session.session.map { HVACLoad(session: $0, stage: stage) } }
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
            target: value.target.map(LogEventDocument.TargetPart.init), sessionId: value.sessionID)
    }

    fileprivate var value: VehicleStatus? {
        let status: VehicleStatus.Status
        switch self.status {
        case "plugged_in": status = .pluggedIn
        case "unplugged": status = .unplugged
        case "active":
            guard let reason: ActiveReason = EnergyCommands.value(activeReason ?? "") else { return nil }
            status = .active(reason)
        case "idle":
            guard let reason: IdleReason = EnergyCommands.value(idleReason ?? "") else { return nil }
            status = .idle(reason)
        default: return nil
        }
        return VehicleStatus(
            status: status, stateOfCharge: stateOfCharge, energyMilliwattHours: energyMwh,
            estimatedRangeMillimetres: estimatedRangeMm, target: target?.target, sessionID: sessionId)
    }
}

extension LogEventDocument.TargetPart {
    fileprivate init(_ target: ChargingTarget) {
        self.init(
            stateOfCharge: target.stateOfCharge,
            estimatedCompletionUnixMs: target.estimatedCompletion.unixMilliseconds,
            scheduledStartUnixMs: target.scheduledStart.unixMilliseconds,
            estimatedRangeMm: target.estimatedRangeMillimetres)
    }

    fileprivate var target: ChargingTarget {
        ChargingTarget(
            stateOfCharge: stateOfCharge,
            estimatedCompletion: Timestamp(unixMilliseconds: estimatedCompletionUnixMs),
            scheduledStart: Timestamp(unixMilliseconds: scheduledStartUnixMs),
            estimatedRangeMillimetres: estimatedRangeMm)
    }
}
