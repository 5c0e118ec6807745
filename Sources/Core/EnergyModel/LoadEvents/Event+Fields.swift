extension Event.Content {
    /// The member's name in `proto/energy/v1/event.proto`.
    public var field: String {
        switch self {
        case .vehicleLoad: "vehicle_load"
        case .hvacLoad: "hvac_load"
        case .vehicleStatus: "vehicle_status"
        }
    }

    /// The kind of device that reports such content.
    public var deviceKind: Device.Kind {
        switch self {
        case .vehicleLoad, .vehicleStatus: .electricVehicle
        case .hvacLoad: .hvac
        }
    }
}
