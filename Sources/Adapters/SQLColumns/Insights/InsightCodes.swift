public import EnergyModel

// The numbers that stand for the model's cases in the columns. Never renumbered; what is not known reads as the first.

extension FlowDirection {
    public var code: Int64 { self == .imported ? 1 : 2 }

    public init(code: Int64) { self = code == 2 ? .exported : .imported }
}

extension Device.Kind {
    public var code: Int64 {
        switch self {
        case .electricVehicle: 1
        case .hvac: 2
        case .homeBattery: 3
        case .appliance: 4
        }
    }

    public init(code: Int64) {
        self =
            switch code {
            case 2: .hvac
            case 3: .homeBattery
            case 4: .appliance
            default: .electricVehicle
            }
    }
}
