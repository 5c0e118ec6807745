import EnergyModel
import GuidancePublishing
import SQLiteStore
import ServiceRuntime

await ServiceHost.run(GuidanceSettings.definition) { host in
    let configuration = try await GuidanceSettings.read(host.configuration, now: host.clock.now)
    let store = try SQLiteGuidanceStore(path: host.state.file("guidance.sqlite"))
    host.onClose("guidance store") { try store.close() }
    let publisher = GuidancePublisher(
        store: store, configuration: configuration, publisher: host.publisher, wallClock: host.clock,
        logger: host.logger, onNote: { [health = host.health] in health.note("energy.v1.Guidance", $0) })
    host.serve { GuidanceHandler.register(publisher, on: &$0) }
    // Before the first request, so that "ready" means that guidance is answered.
    try await publisher.start()
    host.run("guidance") { try await publisher.run() }
}
