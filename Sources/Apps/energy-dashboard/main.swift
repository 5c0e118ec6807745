import EnergyDashboard
import Logging
import ServiceRuntime

let definition = ServiceDefinition(
    .energyDashboard, summary: "pages for people: what is planned, what happened, and what it was worth",
    peers: [.guidancePublisher, .eventIngestor, .insightService, .scheduler], keys: PageSettings.declarations)

await ServiceHost.run(definition) { host in
    let settings = try PageSettings.read(host.configuration)
    let connections = DashboardConnections(
        guidance: host.connection(to: .guidancePublisher), events: host.connection(to: .eventIngestor),
        insights: host.connection(to: .insightService), schedules: host.connection(to: .scheduler))
    let dashboard = Dashboard(
        settings: settings, connections: connections, keys: host.keys, wallClock: host.clock,
        clock: ContinuousClock(), logger: host.logger)
    host.run("news") { await dashboard.follow() }
    let (pages, open) = AsyncStream<Void>.makeStream()
    host.run("pages") { [logger = host.logger] in
        try await dashboard.serve { port in
            logger.notice("pages are served", metadata: ["url": "\(settings.url(port: port))"])
            open.finish()
        }
    }
    host.awaitBeforeServing { for await _ in pages {} }
}
