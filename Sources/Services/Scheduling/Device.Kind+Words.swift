internal import EnergyModel

extension Device.Kind {
    /// For sentences.
    var words: String {
        switch self {
        case .electricVehicle: "an electric vehicle"
        case .hvac: "heating or cooling"
        case .homeBattery: "a home battery"
        case .appliance: "an appliance"
        }
    }
}
