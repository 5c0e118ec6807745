internal import EnergyProto

// schedule.proto
extension Energy__V1__ManagedDevice: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__managed_device__init(message) }
}
extension Energy__V1__ElectricVehicleTraits: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__electric_vehicle_traits__init(message) }
}
extension Energy__V1__ListDevicesRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_devices_request__init(message) }
}
extension Energy__V1__ListDevicesReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_devices_reply__init(message) }
}
extension Energy__V1__PutDeviceRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_device_request__init(message) }
}
extension Energy__V1__Goal: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__goal__init(message) }
}
extension Energy__V1__PutGoalRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_goal_request__init(message) }
}
extension Energy__V1__RemoveDeviceRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__remove_device_request__init(message) }
}
extension Energy__V1__GoalRef: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__goal_ref__init(message) }
}
extension Energy__V1__WeeklyTime: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__weekly_time__init(message) }
}
extension Energy__V1__ChargingRules: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__charging_rules__init(message) }
}
extension Energy__V1__Absence: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__absence__init(message) }
}
extension Energy__V1__PutRulesRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_rules_request__init(message) }
}
extension Energy__V1__VenueRef: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__venue_ref__init(message) }
}
extension Energy__V1__VenueLimits: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__venue_limits__init(message) }
}
extension Energy__V1__PutObjectiveRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_objective_request__init(message) }
}
extension Energy__V1__PlanObjective: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__plan_objective__init(message) }
}
extension Energy__V1__VenueCircuit: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__venue_circuit__init(message) }
}
extension Energy__V1__ExclusiveGroup: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__exclusive_group__init(message) }
}
extension Energy__V1__DemandCharge: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__demand_charge__init(message) }
}
extension Energy__V1__VenueForecast: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__venue_forecast__init(message) }
}
extension Energy__V1__ForecastPower: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__forecast_power__init(message) }
}
extension Energy__V1__ChargingShape: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__charging_shape__init(message) }
}
extension Energy__V1__HomeBatteryTraits: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__home_battery_traits__init(message) }
}
extension Energy__V1__ApplianceTraits: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__appliance_traits__init(message) }
}
extension Energy__V1__ProfileStep: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__profile_step__init(message) }
}
extension Energy__V1__ClimateTraits: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__climate_traits__init(message) }
}
extension Energy__V1__ForecastTemperature: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__forecast_temperature__init(message) }
}
extension Energy__V1__OverrideRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__override_request__init(message) }
}
extension Energy__V1__GoalPreview: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__goal_preview__init(message) }
}
extension Energy__V1__PreviewCourse: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__preview_course__init(message) }
}
extension Energy__V1__Schedule: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__schedule__init(message) }
}
extension Energy__V1__ScheduleBlock: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__schedule_block__init(message) }
}
extension Energy__V1__ScheduleRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__schedule_request__init(message) }
}
extension Energy__V1__ListSchedulesReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_schedules_reply__init(message) }
}
