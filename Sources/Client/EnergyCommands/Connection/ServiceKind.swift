/// The four services that answer commands. The raw value names one in `--endpoints`.
enum ServiceKind: String, CaseIterable, Sendable {
    case guidance, events, insights, schedule

    /// The process that is the service.
    var executable: String {
        switch self {
        case .guidance: "guidance-publisher"
        case .events: "event-ingestor"
        case .insights: "insight-service"
        case .schedule: "scheduler"
        }
    }

    /// Where `make run-all` starts it.
    var defaultEndpoint: Endpoint {
        switch self {
        case .guidance: .local(requestPort: 7400)
        case .events: .local(requestPort: 7410)
        case .insights: .local(requestPort: 7420)
        case .schedule: .local(requestPort: 7430)
        }
    }
}

/// Where one service listens: as many publish as request addresses, one pair per replica.
struct Endpoint: Hashable, Sendable {
    var requestAddresses: [String]
    var publishAddresses: [String]

    static func local(requestPort: Int) -> Endpoint {
        Endpoint(
            requestAddresses: ["tcp://127.0.0.1:\(requestPort)"],
            publishAddresses: ["tcp://127.0.0.1:\(requestPort + 1)"])
    }
}
