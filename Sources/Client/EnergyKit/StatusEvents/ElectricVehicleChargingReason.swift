internal import EnergyModel

/// Why a vehicle charges, or why not.
public enum ElectricVehicleChargingReason {
    /// Why charging started or went on.
    public enum ActiveReason: CaseIterable, Codable, Hashable, Sendable {
        case cleanerEnergyAvailable
        case lowerElectricityRatesAvailable
        case userInitiated
        case userResumed
        case scheduledStart
        case scheduledResume
        case demandResponseEnded
        case batteryThermalManagementCompleted
        case batteryHealthManagementCompleted
        case chargerFaultCleared
        case sufficientPowerRestored
        case loadBalancingCompleted
        case unknown
    }

    /// Why the vehicle, though plugged in, does not charge.
    public enum IdleReason: CaseIterable, Codable, Hashable, Sendable {
        case targetStateOfChargeReached
        case batteryFull
        case targetAlreadyReached
        case scheduledEnd
        case scheduledPause
        case waitingForCleanerEnergy
        case waitingForLowerElectricityRates
        case userPaused
        case userStopped
        case chargerFault
        case demandResponseActive
        case batteryThermalManagement
        case batteryHealthManagement
        case insufficientPower
        case loadBalancing
        case unknown
    }
}

extension ElectricVehicleChargingReason.ActiveReason {
    var model: EnergyModel.ActiveReason {
        switch self {
        case .cleanerEnergyAvailable: .cleanerEnergyAvailable
        case .lowerElectricityRatesAvailable: .lowerElectricityRatesAvailable
        case .userInitiated: .userInitiated
        case .userResumed: .userResumed
        case .scheduledStart: .scheduledStart
        case .scheduledResume: .scheduledResume
        case .demandResponseEnded: .demandResponseEnded
        case .batteryThermalManagementCompleted: .batteryThermalManagementCompleted
        case .batteryHealthManagementCompleted: .batteryHealthManagementCompleted
        case .chargerFaultCleared: .chargerFaultCleared
        case .sufficientPowerRestored: .sufficientPowerRestored
        case .loadBalancingCompleted: .loadBalancingCompleted
        case .unknown: .unknown
        }
    }
}

extension ElectricVehicleChargingReason.IdleReason {
    var model: EnergyModel.IdleReason {
        switch self {
        case .targetStateOfChargeReached: .targetStateOfChargeReached
        case .batteryFull: .batteryFull
        case .targetAlreadyReached: .targetAlreadyReached
        case .scheduledEnd: .scheduledEnd
        case .scheduledPause: .scheduledPause
        case .waitingForCleanerEnergy: .waitingForCleanerEnergy
        case .waitingForLowerElectricityRates: .waitingForLowerElectricityRates
        case .userPaused: .userPaused
        case .userStopped: .userStopped
        case .chargerFault: .chargerFault
        case .demandResponseActive: .demandResponseActive
        case .batteryThermalManagement: .batteryThermalManagement
        case .batteryHealthManagement: .batteryHealthManagement
        case .insufficientPower: .insufficientPower
        case .loadBalancing: .loadBalancing
        case .unknown: .unknown
        }
    }
}
