import EnergyFeeds
import EnergyTransport
import Insights
import ServiceRuntime

extension ServiceHost {
    /// Counts the log as it grows, and fills in what was unknown when it was counted.
    func runProjection(
        _ projector: InsightProjector, log: RemoteEventLog, following events: any ServiceConnection
    ) {
        let report = ProjectionReport(health: health, logger: logger)
        let follower = LogFollower(
            client: events, subscriber: events, clock: ContinuousClock(), reader: "insight-service",
            onFailure: report.failed)
        runLeading("projection") {
            try await projector.run(
                following: follower, whenAnother: report.begins(anew:), whenMissed: report.missed,
                whenCounted: report.counted, whenCaughtUp: report.caughtUp)
        }
        runLeading("late signals") { [clock] in
            await projector.fillGaps(
                from: log, clock: ContinuousClock(), wallClock: clock, onFailure: report.notFilled)
        }
    }
}
