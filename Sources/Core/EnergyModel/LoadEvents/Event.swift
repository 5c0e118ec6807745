public import Foundation

/// What a device reports. The same id twice is one event.
public struct Event: Hashable, Sendable, Identifiable {
    public enum Content: Hashable, Sendable {
        case vehicleLoad(VehicleLoad)
        case hvacLoad(HVACLoad)
        case vehicleStatus(VehicleStatus)
    }

    public let id: UUID
    /// When it occurred.
    public let timestamp: Timestamp
    public let venueID: UUID
    public let device: Device
    public let content: Content

    public init(id: UUID, timestamp: Timestamp, venueID: UUID, device: Device, content: Content) {
        self.id = id
        self.timestamp = timestamp
        self.venueID = venueID
        self.device = device
        self.content = content
    }

    /// The session of a load event; `nil` for a status event.
    public var session: Session? {
        switch content {
        case .vehicleLoad(let load): load.session
        case .hvacLoad(let load): load.session
        case .vehicleStatus: nil
        }
    }
}

public enum FlowDirection: String, Hashable, Sendable, CaseIterable, Codable { case imported, exported }

/// One continuous use of electricity, in one direction.
public struct Session: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable, Codable { case begin, active, end }

    /// The same from begin to end.
    public let id: UUID
    public let state: State
    public let wasFollowingGuidance: Bool
    public let guidanceToken: UUID

    public init(id: UUID, state: State, wasFollowingGuidance: Bool, guidanceToken: UUID) {
        self.id = id
        self.state = state
        self.wasFollowingGuidance = wasFollowingGuidance
        self.guidanceToken = guidanceToken
    }
}

/// A measurement of a charging, or discharging, vehicle. Fields are as sent: ``EventRules`` says what is valid.
public struct VehicleLoad: Hashable, Sendable {
    public let session: Session
    /// Whole percent, `0...100`.
    public let stateOfCharge: Int
    /// Past sessions of another program's records may not say it; then ``stateOfCharge`` is 0, and means nothing.
    public let isStateOfChargeKnown: Bool
    public let direction: FlowDirection
    /// Now, mW, `>= 0`.
    public let powerMilliwatts: Int64
    /// Since the session began, mWh; 0 at begin; never falls.
    public let energyMilliwattHours: Int64
    public let estimatedRangeMillimetres: Int64?
    public let batteryTemperatureMillikelvin: Int64?

    public init(
        session: Session, stateOfCharge: Int, direction: FlowDirection, powerMilliwatts: Int64,
        energyMilliwattHours: Int64, estimatedRangeMillimetres: Int64? = nil,
        batteryTemperatureMillikelvin: Int64? = nil, isStateOfChargeKnown: Bool = true
    ) {
        self.session = session
        self.stateOfCharge = stateOfCharge
        self.isStateOfChargeKnown = isStateOfChargeKnown
        self.direction = direction
        self.powerMilliwatts = powerMilliwatts
        self.energyMilliwattHours = energyMilliwattHours
        self.estimatedRangeMillimetres = estimatedRangeMillimetres
        self.batteryTemperatureMillikelvin = batteryTemperatureMillikelvin
    }
}

/// How hard a heating or cooling system works.
public struct HVACLoad: Hashable, Sendable {
    public let session: Session
    /// 0 off .. 100 full power; 0 at begin and end.
    public let stage: Int

    public init(session: Session, stage: Int) {
        self.session = session
        self.stage = stage
    }
}
