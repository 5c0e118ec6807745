import EnergyWire
import Foundation
import GridSignals
import GuidancePublishing
import HTTPFetcher
import SQLiteStore
import ServiceRuntime

await ServiceHost.run(GuidanceSettings.definition) { host in
    var configuration = try GuidanceSettings.read(host.configuration)
    let environment = ProcessInfo.processInfo.environment
    let sources = try SourceSettings.read(host.configuration, environment: environment)
    let store = try SQLiteGuidanceStore(path: host.state.file("guidance.sqlite"))
    host.onClose("guidance store") { try store.close() }

    let (news, announce) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let polled = try configuration.add(
        sources, store: store, wallClock: host.clock,
        connect: {
            let http = try AsyncHTTPFetcher(
                proxies: HTTPProxies(environment: environment), wallClock: SourceSettings.networkClock)
            host.onClose("connections to sources") { await http.close() }
            return http
        }, onChange: { announce.yield() })

    let publisher = GuidancePublisher(
        store: store, configuration: configuration, publisher: host.publisher, wallClock: host.clock,
        logger: host.logger)
    host.serve { GuidanceHandler.register(publisher, on: &$0) }
    // All at once: the first guidance waits for each source's first answer.
    for provider in polled { Task { await provider.poll() } }
    // Before the first request, so that "ready" means that guidance is answered.
    try await publisher.start()
    host.run("guidance") { try await publisher.run() }
    guard !polled.isEmpty else { return }
    host.run("sources") { await PolledProvider.run(polled) }
    host.run("news of sources") { for await _ in news { await publisher.refresh() } }
}
