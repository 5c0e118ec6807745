import EnergyFeeds
import EnergyModel
import EnergyTransport
import Insights
import Logging
import ServiceRuntime

let definition = ServiceDefinition(
    .insightService, summary: "says what was used, how clean and how dear it was", services: ["energy.v1.Insights"],
    peers: [.guidancePublisher, .eventIngestor], keys: [storeKey.declaration, StoreKeys.connections.declaration])

await ServiceHost.run(definition, open: openStore) { host, store in
    let (guidance, events) = (host.connection(to: .guidancePublisher), host.connection(to: .eventIngestor))
    let logger = host.logger

    let venues = CachedVenueSource(RemoteVenueSource(client: guidance), clock: host.clock)
    let announcer = InsightAnnouncer(publisher: host.publisher) { _, failure in
        logger.warning("a change was not published", metadata: [ServiceKeys.reason: "\(failure.message)"])
    }
    let projector = InsightProjector(
        store: store, signals: CachedSignalSource(RemoteSignalSource(client: guidance), clock: host.clock),
        venues: venues, announce: announcer.announce)
    // Without a name: what is read again is not waited for by the log's retention.
    let log = RemoteEventLog(client: events, readTimeout: .seconds(600))
    let handler = InsightHandler(
        service: InsightService(store: store, venues: venues), projector: projector, log: log, clock: host.clock)
    host.serve { handler.register(in: &$0) }
    host.servePrivacy(of: store)
    host.runProjection(projector, log: log, following: events)
}
