/// The executables that run as services.
enum ServiceName: String, CaseIterable, Sendable {
    case guidance = "guidance-publisher"
    case events = "event-ingestor"
    case insights = "insight-service"
    case scheduler
    case simulator = "device-simulator"

    /// Those that answer requests.
    static let servers: [ServiceName] = [.guidance, .events, .insights, .scheduler]

    /// Its name in `--endpoints` of `energyctl`.
    var endpointName: String { self == .scheduler ? "schedule" : "\(self)" }

    /// Whom it asks.
    var peers: [ServiceName] {
        switch self {
        case .guidance: []
        case .events: [.guidance]
        case .insights, .scheduler: [.guidance, .events]
        case .simulator: [.guidance, .events, .insights, .scheduler]
        }
    }
}
