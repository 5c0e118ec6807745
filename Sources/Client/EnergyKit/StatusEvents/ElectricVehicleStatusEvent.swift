public import Foundation

/// Why a vehicle charges or does not, at a point in time. Needs no session and no guidance.
public struct ElectricVehicleStatusEvent: ElectricalLoadEventProtocol {
    public typealias ID = UUID

    /// The event's own: submitting it twice stores it once.
    public let id: UUID
    public let timestamp: Date
    public let deviceID: String
    /// As it is shown: without characters that cannot be, at most 250 UTF-16 units.
    public let deviceName: String
    /// Must be the venue that the event is submitted to.
    public let venueID: UUID
    public let status: Status
    /// Whole percent, `0...100`.
    public let stateOfCharge: Int
    /// What is in the battery, not what a session used.
    public let energy: Measurement<UnitEnergy>
    public let estimatedRange: Measurement<UnitLength>?
    public let chargingTarget: ChargingTarget?
    /// Of the load events' session, if one is running.
    public let sessionIdentifier: UUID?
    let deviceType: ElectricalLoadDevice.DeviceType

    public init(
        timestamp: Date, device: ElectricalLoadDevice, venueID: UUID, status: Status, stateOfCharge: Int,
        energy: Measurement<UnitEnergy>, estimatedRange: Measurement<UnitLength>? = nil,
        chargingTarget: ChargingTarget? = nil, sessionIdentifier: UUID? = nil
    ) {
        id = UUID()
        self.timestamp = timestamp
        deviceID = device.id
        deviceName = device.shownName
        deviceType = device.type
        self.venueID = venueID
        self.status = status
        self.stateOfCharge = stateOfCharge
        self.energy = energy
        self.estimatedRange = estimatedRange
        self.chargingTarget = chargingTarget
        self.sessionIdentifier = sessionIdentifier
    }
}

extension ElectricVehicleStatusEvent {
    public enum Status: Codable, Hashable, Sendable {
        /// Before any decision to charge.
        case chargerPluggedIn
        case chargerUnplugged
        case chargingActive(ElectricVehicleChargingReason.ActiveReason)
        case chargingIdle(ElectricVehicleChargingReason.IdleReason)
    }

    /// Where charging is meant to arrive, and when.
    public struct ChargingTarget: Codable, Hashable, Sendable {
        /// Whole percent, `0...100`.
        public let stateOfCharge: Int
        public let estimatedCompletionTime: Date
        public let scheduledStartTime: Date
        public let estimatedRangeAtTarget: Measurement<UnitLength>?

        public init(
            stateOfCharge: Int, estimatedCompletionTime: Date, scheduledStartTime: Date,
            estimatedRangeAtTarget: Measurement<UnitLength>? = nil
        ) {
            self.stateOfCharge = stateOfCharge
            self.estimatedCompletionTime = estimatedCompletionTime
            self.scheduledStartTime = scheduledStartTime
            self.estimatedRangeAtTarget = estimatedRangeAtTarget
        }
    }
}
