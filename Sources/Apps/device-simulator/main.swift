import DeviceSimulation
import Foundation
import ServiceRuntime

let venue = ConfigurationKey<String>(
    "simulation.venue", default: "", allowed: "a UUID; none is the first venue, and where there is none yet the demo",
    help: "The site whose devices are simulated."
) { $0.isEmpty || UUID(uuidString: $0) != nil ? $0 : nil }
let seed = ConfigurationKey<Int>.integer(
    "simulation.seed", default: 1, in: 0...1_000_000_000, help: "Everything random follows from it.")
let historyDays = ConfigurationKey<Int>.integer(
    "simulation.history", default: 14, in: 0...365, unit: "days",
    help: "How much past the devices report on the first start.")

let definition = ServiceDefinition(
    .deviceSimulator, summary: "a car and a heat pump that follow their schedules",
    peers: [.guidancePublisher, .eventIngestor, .insightService, .scheduler],
    keys: [venue.declaration, seed.declaration, historyDays.declaration])

await ServiceHost.run(definition) { host in
    let (guidance, schedules) = (host.connection(to: .guidancePublisher), host.connection(to: .scheduler))
    let settings = SimulatorConfiguration(
        venueID: UUID(uuidString: host.configuration[venue]), seed: UInt64(host.configuration[seed]),
        historyDays: host.configuration[historyDays],
        stateFile: URL(filePath: host.state.file("simulation.json")))
    let connections = SimulatorConnections(
        guidance: guidance, guidanceUpdates: guidance, events: host.connection(to: .eventIngestor),
        insights: host.connection(to: .insightService), schedules: schedules, scheduleUpdates: schedules)
    let simulator = DeviceSimulator(
        configuration: settings, connections: connections, wallClock: host.clock, clock: ContinuousClock(),
        logger: host.logger)
    host.run("devices") { try await simulator.run() }
}
