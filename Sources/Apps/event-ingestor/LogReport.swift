import EnergyModel
import EventIngestion
import Logging
import ServiceRuntime

/// Says how the log is doing: in health, and once in the process's own log for each change.
struct LogReport {
    let health: HealthRegistry
    let logger: Logger

    func tell(_ condition: LogCondition) {
        let service = "energy.v1.Events"
        switch condition {
        case .working:
            logger.notice("events are stored again")
            health.set(service, .serving)
        case .failing(let error):
            logger.error("no event can be stored", metadata: [ServiceKeys.reason: "\(error.message)"])
            health.set(service, .notServing("stores no events, only reading goes on: \(error.message)"))
        case .damaged(let error):
            logger.error("the event log is damaged", metadata: [ServiceKeys.reason: "\(error.message)"])
            health.note(service, "the event log is damaged: \(error.message)")
        }
    }
}
