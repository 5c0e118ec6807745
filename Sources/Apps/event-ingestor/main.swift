import EnergyModel
import EnergyStore
import EventIngestion
import Logging
import SQLiteStore
import ServiceRuntime

let clockAllowance = ConfigurationKey<Duration>.duration(
    "rules.clock-allowance", default: "5m", from: "0s", to: "1d",
    help: "How far a sender's clock may be ahead of this machine's.")
let isStrict = ConfigurationKey<Bool>.flag(
    "rules.strict", default: false, help: "Refuse power other than 0 at the begin and end of a session.")

let principalRate = ConfigurationKey<Int>.integer(
    "limits.principal-rate", default: 100_000, in: 1...100_000_000, unit: "events a second",
    help: "How many events one sender may submit.")
let principalBurst = ConfigurationKey<Int>.integer(
    "limits.principal-burst", default: 1_000_000, in: 1_000...1_000_000_000, unit: "events",
    help: "How many events one sender may submit at once after a pause.")
let venueRate = ConfigurationKey<Int>.integer(
    "limits.venue-rate", default: 10_000, in: 1...100_000_000, unit: "events a second",
    help: "How many events may be submitted for one venue.")
let venueBurst = ConfigurationKey<Int>.integer(
    "limits.venue-burst", default: 200_000, in: 1_000...1_000_000_000, unit: "events",
    help: "How many events may be submitted for one venue at once after a pause.")

let keptAge = ConfigurationKey<Int>.integer(
    "retention.days", default: 0, in: 0...36_500, unit: "days",
    help: "How long events are kept, at least until every reader has read them; 0 is for ever.")
let keptSize = ConfigurationKey<Int>.integer(
    "retention.size", default: 0, in: 0...100_000_000, unit: "MiB",
    help: "How large the log may get before its oldest events are removed; 0 is as large as the disk.")

let definition = ServiceDefinition(
    .eventIngestor, summary: "keeps the log of load and status events", services: ["energy.v1.Events"],
    peers: [.guidancePublisher],
    keys: [
        clockAllowance.declaration, isStrict.declaration, principalRate.declaration, principalBurst.declaration,
        venueRate.declaration, venueBurst.declaration, keptAge.declaration, keptSize.declaration,
    ])

await ServiceHost.run(definition) { host in
    let store = try SQLiteEventLogStore(path: host.state.file("events.sqlite"))
    host.onClose("event log") { try store.close() }
    let directory = GuidanceDirectory(client: host.connection(to: .guidancePublisher), store: store)
    let rules = EventRules(
        clockAllowanceMilliseconds: host.configuration[clockAllowance].wholeMilliseconds,
        isStrict: host.configuration[isStrict])
    let limits = IngestLimits(
        perPrincipal: RateLimit(
            eventsPerSecond: host.configuration[principalRate], burst: host.configuration[principalBurst]),
        perVenue: RateLimit(eventsPerSecond: host.configuration[venueRate], burst: host.configuration[venueBurst]))
    let ingestor = EventIngestor(
        store: store, tokens: directory, venues: directory, publisher: host.publisher, clock: host.clock, rules: rules,
        limits: limits)
    host.serve { ingestor.register(in: &$0, backups: host.state.file("backups")) }
    host.run("log writer") { await ingestor.run() }
    let (days, size) = (Int64(host.configuration[keptAge]), Int64(host.configuration[keptSize]))
    let retention = RetentionPolicy(
        ageMaxMilliseconds: days > 0 ? days * .millisecondsPerDay : nil, bytesMax: size > 0 ? size << 20 : nil)
    host.run("log upkeep") { [logger = host.logger] in
        await ingestor.keepUp(retention, every: .seconds(600), clock: ContinuousClock()) { error in
            logger.warning("log upkeep failed", metadata: ["error": "\(error.message)"])
        }
    }
}
