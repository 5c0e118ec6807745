/// The four services that clients talk to. The raw value names one where endpoints are written.
public enum ServiceKind: String, CaseIterable, Sendable {
    case guidance, events, insights, schedule

    /// The process that is the service.
    public var executable: String {
        switch self {
        case .guidance: "guidance-publisher"
        case .events: "event-ingestor"
        case .insights: "insight-service"
        case .schedule: "scheduler"
        }
    }

    /// Where `make run-all` starts it.
    public var defaultEndpoint: Endpoint {
        switch self {
        case .guidance: .local(requestPort: 7400)
        case .events: .local(requestPort: 7410)
        case .insights: .local(requestPort: 7420)
        case .schedule: .local(requestPort: 7430)
        }
    }
}
