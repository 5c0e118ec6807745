internal import EnergyModel

/// What uses electricity and reports about it.
public struct ElectricalLoadDevice: Codable, Hashable, Sendable {
    public enum DeviceType: String, Codable, Hashable, Sendable {
        case hvac
        case electricVehicle
    }

    /// 1 to 64 letters and digits of ASCII, spaces, hyphens or apostrophes; first and last a letter or digit. A UUID will
    /// do.
    public let id: String
    /// For people. What cannot be shown is removed when an event is made, and all beyond 250 UTF-16 units.
    public let name: String
    public let type: DeviceType

    public init(id: String, name: String, type: DeviceType) {
        self.id = id
        self.name = name
        self.type = type
    }

    /// The name without what cannot be shown; the id if nothing is left of it.
    var shownName: String {
        let name = NameRules.sanitized(name)
        return NameRules.violation(ofName: name, field: "") == nil ? name : id
    }
}

extension ElectricalLoadDevice.DeviceType {
    var model: Device.Kind {
        switch self {
        case .hvac: .hvac
        case .electricVehicle: .electricVehicle
        }
    }
}
