import EnergyModel
import EventIngestion
import Logging
import SQLiteStore
import ServiceRuntime

let clockAllowance = ConfigurationKey<Duration>.duration(
    "rules.clock-allowance", default: "5m", from: "0s", to: "1d",
    help: "How far a sender's clock may be ahead of this machine's.")
let isStrict = ConfigurationKey<Bool>.flag(
    "rules.strict", default: false, help: "Refuse power other than 0 at the begin and end of a session.")

let definition = ServiceDefinition(
    .eventIngestor, summary: "keeps the log of load and status events", services: ["energy.v1.Events"],
    peers: [.guidancePublisher],
    keys: [clockAllowance.declaration, isStrict.declaration] + LimitSettings.declarations
        + RetentionSettings.declarations)

await ServiceHost.run(definition) { host in
    let store = try SQLiteEventLogStore(path: host.state.file("events.sqlite"))
    host.onClose("event log") { try store.close() }
    let directory = GuidanceDirectory(client: host.connection(to: .guidancePublisher), store: store)
    let rules = EventRules(
        clockAllowanceMilliseconds: host.configuration[clockAllowance].wholeMilliseconds,
        isStrict: host.configuration[isStrict])
    let ingestor = EventIngestor(
        store: store, tokens: directory, venues: directory, publisher: host.publisher, clock: host.clock, rules: rules,
        limits: LimitSettings.limits(host.configuration))
    host.serve { ingestor.register(in: &$0, backups: host.state.file("backups")) }
    host.run("log writer") { await ingestor.run() }
    let retention = RetentionSettings.policy(host.configuration)
    host.run("log upkeep") { [logger = host.logger] in
        await ingestor.keepUp(retention, every: .seconds(600), clock: ContinuousClock()) { error in
            logger.warning("log upkeep failed", metadata: ["error": "\(error.message)"])
        }
    }
}
