import EnergyModel
import EnergyWire
import Foundation
import GridSignals
import GuidancePublishing
import ServiceRuntime
import SodiumAuthentication

await ServiceHost.run(GuidanceSettings.definition, open: openStore) { host, opened in
    let store = opened.store
    let environment = ProcessInfo.processInfo.environment
    let sources = try await SourceSettings.read(host.configuration, environment: environment)
    var configuration = try await GuidanceSettings.read(
        host.configuration, sources: sources, now: host.clock.now)

    let (news, announce) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (polled, automatic, alerts) = try configuration.add(
        sources, store: store, wallClock: host.clock, connect: { try host.connectToSources(environment) },
        onChange: { announce.yield() })
    let needed = NeededSources(automatic)
    configuration.onNeed = needed.need
    host.onClose("automatic sources") { needed.need([]) }

    let publisher = GuidancePublisher(
        store: store, journal: opened.journal, configuration: configuration, publisher: host.publisher,
        authentication: SodiumAuthenticator.init, wallClock: host.clock,
        logger: host.logger, onNote: { [health = host.health] in health.note("energy.v1.Guidance", $0) })
    host.serve { GuidanceHandler.register(publisher, on: &$0) }
    host.servePrivacy(store) { (subject) async throws(EnergyError) in try await publisher.erase(subject) }
    try await host.run(publisher, polled, alerts, news: news)
}
