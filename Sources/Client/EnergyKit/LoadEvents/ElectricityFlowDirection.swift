internal import EnergyModel

/// Which way electricity flows, seen from the grid.
public enum ElectricityFlowDirection: Codable, Hashable, Sendable {
    /// From the grid: the device consumes.
    case imported
    /// To the grid: the device produces.
    case exported

    var model: FlowDirection {
        switch self {
        case .imported: .imported
        case .exported: .exported
        }
    }
}
