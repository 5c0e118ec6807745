import EnergyModel
import EventIngestion
import Logging
import ServiceRuntime
import SodiumAuthentication

let definition = ServiceDefinition(
    .eventIngestor, summary: "keeps the log of load and status events", services: ["energy.v1.Events"],
    peers: [.guidancePublisher],
    keys: [storeKey.declaration, StoreKeys.connections.declaration] + IngestSettings.declarations)

await ServiceHost.run(definition, open: openLog) { host, store in
    let directory = GuidanceDirectory(client: host.connection(to: .guidancePublisher), store: store)
    let ingestor = EventIngestor(
        store: store, tokens: directory, venues: directory, publisher: host.publisher, clock: host.clock,
        rules: IngestSettings.rules(host.configuration), limits: IngestSettings.limits(host.configuration),
        whenLogChanges: { [health = host.health, logger = host.logger] condition in
            LogReport(health: health, logger: logger).tell(condition)
        })
    host.serve { ingestor.register(in: &$0, backups: host.state.file("backups")) }
    host.servePrivacy(store) { (subject) async throws(EnergyError) in
        try await ingestor.erase(subject, hash: SodiumHash.sha256)
    }
    if host.configuration[storeKey] != nil {
        host.run("token memory") { await directory.run(clock: ContinuousClock()) }
    }
    host.run("log writer") { await ingestor.run() }
    host.run("log watch") { await ingestor.watchLog(clock: ContinuousClock()) }
    let retention = IngestSettings.retention(host.configuration)
    host.run("log upkeep") { [logger = host.logger] in
        await ingestor.keepUp(retention, every: .seconds(600), clock: ContinuousClock()) { error in
            logger.warning("log upkeep failed", metadata: ["error": "\(error.message)"])
        }
    }
}
