internal import EnergyModel
internal import EnergyProto

// The numbers of `proto/` are fixed forever: new cases go to the end of their list.

extension SuggestedAction: ProtoEnum {
    static let protoPrefix = "SUGGESTED_ACTION"
    static let protoValues: [Self] = [.shift, .reduce]
}

extension FlowDirection: ProtoEnum {
    static let protoPrefix = "FLOW_DIRECTION"
    static let protoValues: [Self] = [.imported, .exported]
}

extension Device.Kind: ProtoEnum {
    static let protoPrefix = "DEVICE_TYPE"
    static let protoValues: [Self] = [.electricVehicle, .hvac, .homeBattery, .appliance]
}

extension Cleanliness: ProtoEnum {
    static let protoPrefix = "CLEANLINESS"
    static let protoValues: [Self] = [.cleaner, .lessClean, .avoid, .unknown]
}

extension TariffPeak: ProtoEnum {
    static let protoPrefix = "TARIFF_PEAK"
    static let protoValues: [Self] = [.superOffPeak, .offPeak, .partialPeak, .onPeak, .criticalPeak, .unknown]
}

extension Holiday.Observance: ProtoEnum {
    static let protoPrefix = "HOLIDAY_OBSERVANCE"
    static let protoValues: [Self] = [.onTheDay, .mondayAfterSunday, .nearestWeekday]
}

extension DemandResponseEvent.Kind: ProtoEnum {
    static let protoPrefix = "DEMAND_RESPONSE_KIND"
    static let protoValues: [Self] = [.criticalPeak, .reduce]
}

extension SignalKind: ProtoEnum {
    static let protoPrefix = "SIGNAL_KIND"
    static let protoValues: [Self] = [.averageDirect, .averageLifecycle, .marginal, .price]
}

extension Session.State: ProtoEnum {
    static let protoPrefix = "SESSION_STATE"
    static let protoValues: [Self] = [.begin, .active, .end]
}

extension ActiveReason: ProtoEnum {
    static let protoPrefix = "ACTIVE_REASON"
    static let protoValues: [Self] = [
        .cleanerEnergyAvailable, .lowerElectricityRatesAvailable, .userInitiated, .userResumed, .scheduledStart,
        .scheduledResume, .demandResponseEnded, .batteryThermalManagementCompleted,
        .batteryHealthManagementCompleted, .chargerFaultCleared, .sufficientPowerRestored, .loadBalancingCompleted,
        .unknown,
    ]
}

extension IdleReason: ProtoEnum {
    static let protoPrefix = "IDLE_REASON"
    static let protoValues: [Self] = [
        .targetStateOfChargeReached, .batteryFull, .targetAlreadyReached, .scheduledEnd, .scheduledPause,
        .waitingForCleanerEnergy, .waitingForLowerElectricityRates, .userPaused, .userStopped, .chargerFault,
        .demandResponseActive, .batteryThermalManagement, .batteryHealthManagement, .insufficientPower,
        .loadBalancing, .unknown,
    ]
}

extension Granularity: ProtoEnum {
    static let protoPrefix = "GRANULARITY"
    static let protoValues: [Self] = [.hourly, .daily, .weekly, .monthly, .yearly, .quarterHourly]
}

extension InsightGrouping: ProtoEnum {
    static let protoPrefix = "INSIGHT_GROUPING"
    static let protoValues: [Self] = [.venue, .kind, .device]
}

extension ScheduleReason: ProtoEnum {
    static let protoPrefix = "SCHEDULE_REASON"
    static let protoValues: [Self] = [
        .cleanerEnergy, .lowerRates, .deadline, .waitingForCleanerEnergy, .waitingForLowerRates, .targetReached,
        .reduced, .normal, .noGuidance, .loadBalancing, .abovePriceCeiling, .aboveCarbonCeiling, .away, .chargeNow,
        .minimumCharge, .paused, .stopped, .supplying, .comfort, .preconditioning,
        .waitingForPreconditioning, .beingPlanned, .ownSolar, .waitingForSolar, .longRun, .longPause, .noBetterTime,
        .laterIsAsGood, .comfortable, .peakShaving, .lowPeak, .guaranteed, .tooLittleTime,
    ]
}

extension ChargeOverride: ProtoEnum {
    static let protoPrefix = "CHARGE_OVERRIDE"
    static let protoValues: [Self] = [.chargeNow, .paused, .stopped]
}

extension OverrideAction: ProtoEnum {
    static let protoPrefix = "OVERRIDE_ACTION"
    static let protoValues: [Self] = [.chargeNow, .pause, .resume, .stop, .skipNext]
}

extension Energy__V1__SuggestedAction: ProtoNumber {}
extension Energy__V1__FlowDirection: ProtoNumber {}
extension Energy__V1__DeviceType: ProtoNumber {}
extension Energy__V1__Cleanliness: ProtoNumber {}
extension Energy__V1__TariffPeak: ProtoNumber {}
extension Energy__V1__HolidayObservance: ProtoNumber {}
extension Energy__V1__DemandResponseKind: ProtoNumber {}
extension Energy__V1__SignalKind: ProtoNumber {}
extension Energy__V1__SessionState: ProtoNumber {}
extension Energy__V1__ActiveReason: ProtoNumber {}
extension Energy__V1__IdleReason: ProtoNumber {}
extension Energy__V1__Granularity: ProtoNumber {}
extension Energy__V1__InsightGrouping: ProtoNumber {}
extension Energy__V1__ScheduleReason: ProtoNumber {}
extension Energy__V1__ChargeOverride: ProtoNumber {}
extension Energy__V1__OverrideAction: ProtoNumber {}
