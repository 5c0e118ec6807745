public import EnergyTransport
internal import ServiceEndpoints

/// How the dashboard reaches the four services. None of them need be up.
public struct DashboardConnections: Sendable {
    public typealias Connection = any RequestClient & Subscriber

    let guidance, events, insights, schedules: Connection

    public init(guidance: Connection, events: Connection, insights: Connection, schedules: Connection) {
        self.guidance = guidance
        self.events = events
        self.insights = insights
        self.schedules = schedules
    }

    subscript(service: ServiceKind) -> Connection {
        switch service {
        case .guidance: guidance
        case .events: events
        case .insights: insights
        case .schedule: schedules
        }
    }
}

extension ServiceKind {
    /// What it publishes.
    var topics: String {
        switch self {
        case .guidance: "guidance/"
        case .events: "events/"
        case .insights: "insights/"
        case .schedule: "schedule/"
        }
    }
}
