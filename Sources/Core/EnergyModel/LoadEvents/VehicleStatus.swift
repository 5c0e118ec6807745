public import Foundation

/// Why a vehicle charges or does not, at a point in time. Needs no session and no token.
public struct VehicleStatus: Hashable, Sendable {
    public enum Status: Hashable, Sendable {
        case pluggedIn
        case unplugged
        case active(ActiveReason)
        case idle(IdleReason)
    }

    public let status: Status
    /// Whole percent, `0...100`.
    public let stateOfCharge: Int
    /// Content of the battery, not of a session.
    public let energyMilliwattHours: Int64
    public let estimatedRangeMillimetres: Int64?
    public let target: ChargingTarget?
    /// The load-event session that is running, if one is.
    public let sessionID: UUID?

    public init(
        status: Status, stateOfCharge: Int, energyMilliwattHours: Int64, estimatedRangeMillimetres: Int64? = nil,
        target: ChargingTarget? = nil, sessionID: UUID? = nil
    ) {
        self.status = status
        self.stateOfCharge = stateOfCharge
        self.energyMilliwattHours = energyMilliwattHours
        self.estimatedRangeMillimetres = estimatedRangeMillimetres
        self.target = target
        self.sessionID = sessionID
    }
}

/// Where charging is meant to arrive, and when.
public struct ChargingTarget: Hashable, Sendable {
    /// Whole percent, `0...100`.
    public let stateOfCharge: Int
    public let estimatedCompletion: Timestamp
    public let scheduledStart: Timestamp
    public let estimatedRangeMillimetres: Int64?

    public init(
        stateOfCharge: Int, estimatedCompletion: Timestamp, scheduledStart: Timestamp,
        estimatedRangeMillimetres: Int64? = nil
    ) {
        self.stateOfCharge = stateOfCharge
        self.estimatedCompletion = estimatedCompletion
        self.scheduledStart = scheduledStart
        self.estimatedRangeMillimetres = estimatedRangeMillimetres
    }
}

/// - Source: EnergyKit `ElectricVehicleChargingReason.ActiveReason`.
public enum ActiveReason: String, Hashable, Sendable, CaseIterable, Codable {
    case cleanerEnergyAvailable, lowerElectricityRatesAvailable, userInitiated, userResumed, scheduledStart,
        scheduledResume, demandResponseEnded, batteryThermalManagementCompleted, batteryHealthManagementCompleted,
        chargerFaultCleared, sufficientPowerRestored, loadBalancingCompleted, unknown
}

/// - Source: EnergyKit `ElectricVehicleChargingReason.IdleReason`.
public enum IdleReason: String, Hashable, Sendable, CaseIterable, Codable {
    case targetStateOfChargeReached, batteryFull, targetAlreadyReached, scheduledEnd, scheduledPause,
        waitingForCleanerEnergy, waitingForLowerElectricityRates, userPaused, userStopped, chargerFault,
        demandResponseActive, batteryThermalManagement, batteryHealthManagement, insufficientPower, loadBalancing,
        unknown
}
