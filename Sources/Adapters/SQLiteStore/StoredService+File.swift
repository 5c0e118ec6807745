public import EnergyStore

extension StoredService {
    /// In the service's state directory.
    public var sqliteFile: String {
        switch self {
        case .guidancePublisher: "guidance.sqlite"
        case .eventIngestor: "events.sqlite"
        case .insightService: "insights.sqlite"
        case .scheduler: "schedules.sqlite"
        }
    }
}
