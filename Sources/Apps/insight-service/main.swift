import EnergyFeeds
import EnergyModel
import EnergyTransport
import Insights
import Logging
import SQLiteStore
import ServiceRuntime

let definition = ServiceDefinition(
    .insightService, summary: "says what was used, how clean and how dear it was", services: ["energy.v1.Insights"],
    peers: [.guidancePublisher, .eventIngestor])

await ServiceHost.run(definition) { host in
    let (guidance, events) = (host.connection(to: .guidancePublisher), host.connection(to: .eventIngestor))
    let logger = host.logger
    let store = try SQLiteInsightStore(path: host.state.file("insights.sqlite"))
    host.onClose("insight store") { try store.close() }

    let venues = CachedVenueSource(RemoteVenueSource(client: guidance), clock: host.clock)
    host.serve { InsightHandler(service: InsightService(store: store, venues: venues)).register(in: &$0) }

    let announcer = InsightAnnouncer(publisher: host.publisher) { _, failure in
        logger.warning("a change was not published", metadata: [ServiceKeys.reason: "\(failure.message)"])
    }
    let projector = InsightProjector(
        store: store, signals: CachedSignalSource(RemoteSignalSource(client: guidance), clock: host.clock),
        announce: announcer.announce)
    let follower = LogFollower(client: events, subscriber: events, clock: ContinuousClock(), reader: "insight-service")
    { error, wait in
        logger.info("the log cannot be read", metadata: [ServiceKeys.reason: "\(error.message); again in \(wait)"])
    }
    host.run("projection") { [health = host.health] in
        try await projector.run(
            following: follower,
            whenAnother: { difference in
                logger.warning(
                    "the event log is another one than before; counting it from its beginning",
                    metadata: [ServiceKeys.reason: "\(difference)"])
                health.set("energy.v1.Insights", .notServing("counts the event log anew: \(difference)"))
            },
            whenCaughtUp: { health.set("energy.v1.Insights", .serving) })
    }
}
