internal import EnergyModel
internal import Foundation

struct EventsDocument: Encodable {
    let events: [EventDocument]
}

struct DeviceDocument: Codable {
    let id: String
    let name: String
    let type: String

    init(_ device: Device) {
        id = device.id
        name = device.name
        type = Words.snake(device.kind.rawValue)
    }
}

struct EventDocument: Codable {
    struct SessionPart: Codable {
        let id: String
        let state: String
        let wasFollowingGuidance: Bool
        let guidanceToken: String
    }
    struct VehicleLoadPart: Codable {
        let session: SessionPart
        let stateOfCharge: Int?
        let direction: String
        let powerMw: Int64
        let energyMwh: Int64
        let estimatedRangeMm: Int64?
        let batteryTemperatureMk: Int64?
    }
    struct HVACLoadPart: Codable {
        let session: SessionPart
        let stage: Int
    }
    struct TargetPart: Codable {
        let stateOfCharge: Int
        let estimatedCompletion: String
        let scheduledStart: String
        let estimatedRangeMm: Int64?
    }
    struct VehicleStatusPart: Codable {
        let status: String
        let activeReason: String?
        let idleReason: String?
        let stateOfCharge: Int
        let energyMwh: Int64
        let estimatedRangeMm: Int64?
        let target: TargetPart?
        let sessionId: String?
    }
    let id: String
    let timestamp: String
    let venueId: String
    let device: DeviceDocument
    let vehicleLoad: VehicleLoadPart?
    let hvacLoad: HVACLoadPart?
    let vehicleStatus: VehicleStatusPart?

    init(_ event: Event, in zone: TimeZone) {
        id = event.id.text
        timestamp = event.timestamp.iso8601(in: zone)
        venueId = event.venueID.text
        device = DeviceDocument(event.device)
        var (vehicle, hvac, status): (VehicleLoadPart?, HVACLoadPart?, VehicleStatusPart?) = (nil, nil, nil)
        switch event.content {
        case .vehicleLoad(let load): vehicle = VehicleLoadPart(load)
        case .hvacLoad(let load): hvac = HVACLoadPart(session: SessionPart(load.session), stage: load.stage)
        case .vehicleStatus(let value): status = VehicleStatusPart(value, in: zone)
        }
        (vehicleLoad, hvacLoad, vehicleStatus) = (vehicle, hvac, status)
    }
}

extension EventDocument.SessionPart {
    init(_ session: Session) {
        self.init(
            id: session.id.text, state: session.state.rawValue, wasFollowingGuidance: session.wasFollowingGuidance,
            guidanceToken: session.guidanceToken.text)
    }
}

extension EventDocument.VehicleLoadPart {
    init(_ load: VehicleLoad) {
        self.init(
            session: .init(load.session), stateOfCharge: load.isStateOfChargeKnown ? load.stateOfCharge : nil,
            direction: load.direction.rawValue,
            powerMw: load.powerMilliwatts, energyMwh: load.energyMilliwattHours,
            estimatedRangeMm: load.estimatedRangeMillimetres, batteryTemperatureMk: load.batteryTemperatureMillikelvin)
    }
}

extension EventDocument.VehicleStatusPart {
    init(_ value: VehicleStatus, in zone: TimeZone) {
        let (status, active, idle): (String, String?, String?) =
            switch value.status {
            case .pluggedIn: ("plugged_in", nil, nil)
            case .unplugged: ("unplugged", nil, nil)
            case .active(let reason): ("active", Words.snake(reason.rawValue), nil)
            case .idle(let reason): ("idle", nil, Words.snake(reason.rawValue))
            }
        let target = value.target.map {
            EventDocument.TargetPart(
                stateOfCharge: $0.stateOfCharge, estimatedCompletion: $0.estimatedCompletion.iso8601(in: zone),
                scheduledStart: $0.scheduledStart.iso8601(in: zone), estimatedRangeMm: $0.estimatedRangeMillimetres)
        }
        self.init(
            status: status, activeReason: active, idleReason: idle, stateOfCharge: value.stateOfCharge,
            energyMwh: value.energyMilliwattHours, estimatedRangeMm: value.estimatedRangeMillimetres, target: target,
            sessionId: value.sessionID?.text)
    }
}
