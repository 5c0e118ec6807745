import EnergyModel
import Logging
import ServiceRuntime

/// Says how the projection is doing: in health, and in the process's log.
struct ProjectionReport {
    private static let service = "energy.v1.Insights"

    let health: HealthRegistry
    let logger: Logger

    func begins(anew difference: String) {
        logger.warning(
            "the event log is another one than before; counting it from its beginning",
            metadata: [ServiceKeys.reason: "\(difference)"])
        health.set(Self.service, .notServing("counts the event log anew: \(difference)"))
    }

    func failed(_ error: EnergyError, _ wait: Duration) {
        guard error.code == .dataLoss else {
            logger.warning(
                "counts no further now", metadata: [ServiceKeys.reason: "\(error.message); again in \(wait)"])
            health.note(Self.service, "counts no further now: \(error.message)")
            return
        }
        // It will be tried again for ever, and is told once.
        let health = HealthRegistry.Health.notServing(
            "counts no further, and answers what it had counted: \(error.message)")
        guard self.health.check(Self.service) != health else { return }
        logger.error("the event log cannot be counted further", metadata: [ServiceKeys.reason: "\(error.message)"])
        self.health.set(Self.service, health)
    }

    /// What there is to catch up with may take long: a failure is over when it goes on.
    func counted() { health.note(Self.service, nil) }

    func notFilled(_ error: EnergyError) {
        logger.info("late signals cannot be filled in now", metadata: [ServiceKeys.reason: "\(error.message)"])
    }

    func missed(_ partition: Int, _ records: ClosedRange<UInt64>) {
        logger.error(
            "records were removed from the event log before they were counted",
            metadata: ["partition": "\(partition)", "records": "\(records.lowerBound) to \(records.upperBound)"])
    }

    func caughtUp() {
        health.note(Self.service, nil)
        health.set(Self.service, .serving)
    }
}
