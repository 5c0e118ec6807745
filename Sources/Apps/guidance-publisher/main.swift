import GuidancePublishing
import SQLiteStore
import ServiceRuntime

await ServiceHost.run(GuidanceSettings.definition) { host in
    let configuration = try GuidanceSettings.read(host.configuration)
    let store = try SQLiteGuidanceStore(path: host.state.file("guidance.sqlite"))
    host.onClose("guidance store") { try store.close() }
    let publisher = GuidancePublisher(
        store: store, configuration: configuration, publisher: host.publisher, wallClock: host.clock,
        logger: host.logger)
    host.serve { GuidanceHandler.register(publisher, on: &$0) }
    // Before the first request, so that "ready" means that guidance is answered.
    try await publisher.start()
    host.run("guidance") { try await publisher.run() }
}
