/// What a schedule's reasons are in the words of a vehicle's status events.
extension ScheduleReason {
    /// Of a vehicle that charges.
    public var active: ActiveReason {
        switch self {
        case .cleanerEnergy, .ownSolar: .cleanerEnergyAvailable
        case .lowerRates: .lowerElectricityRatesAvailable
        case .chargeNow: .userInitiated
        default: .scheduledStart
        }
    }

    /// Of a vehicle that does not.
    public var idle: IdleReason {
        switch self {
        case .waitingForCleanerEnergy, .waitingForSolar, .aboveCarbonCeiling: .waitingForCleanerEnergy
        case .waitingForLowerRates, .abovePriceCeiling: .waitingForLowerElectricityRates
        case .loadBalancing, .lowPeak: .loadBalancing
        case .targetReached: .targetStateOfChargeReached
        case .paused: .userPaused
        case .stopped: .userStopped
        default: .scheduledPause
        }
    }
}
