import CBCSolver
import EnergyModel
import Scheduling
import ServiceRuntime

let definition = ServiceDefinition(
    .scheduler, summary: "plans when devices run", services: ["energy.v1.Schedules"],
    peers: [.guidancePublisher, .eventIngestor],
    keys: [storeKey.declaration, StoreKeys.connections.declaration] + PlanningKeys.declarations)

await ServiceHost.run(definition, open: openStore) { host, store in
    let planning = try PlanningKeys.read(host.configuration, solver: CBCSolver())
    let (guidance, events) = (host.connection(to: .guidancePublisher), host.connection(to: .eventIngestor))
    let connections = SchedulerConnections(
        guidance: guidance, guidanceUpdates: guidance, events: events, eventUpdates: events, publisher: host.publisher)
    let queues = PlanningQueues()
    let scheduler = DividedScheduler {
        [clock = host.clock, logger = host.logger] (partitions) async throws(EnergyError) in
        try await Scheduler(
            store: store.partitions(partitions), partitions: partitions, connections: connections, planning: planning,
            queues: queues, wallClock: clock, clock: ContinuousClock(), logger: logger)
    }
    host.serve { SchedulingHandler(scheduler: scheduler).register(in: &$0) }
    host.servePrivacy(store.documents) { (subject) async throws(EnergyError) in
        try await scheduler.of(subject.venueID) { (scheduler) async throws(EnergyError) in
            try await scheduler.erase(subject)
        }
    }
    try await host.plan(scheduler, in: store)
}
