import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Synchronization

@testable import EnergyCommands

struct FixedClock: WallClock {
    var now = Samples.now
}

/// The four services with a home in them.
final class FakeHome: Sendable {
    struct State {
        var venues = [Samples.home]
        var guidance: Guidance? = Samples.guidance()
        /// What the guidance-publisher says instead of it.
        var guidanceFailure: EnergyError?
        var sessions: [SessionProgress] = []
        var sessionInsights = [Samples.sessionInsight()]
        var repairs: [EventRepair] = []
        /// What the event after a repaired one breaks.
        var remaining: RuleViolation?
        var hadOlderRules = false
        var log: [LogRecord] = []
        /// What answers about the past are true of.
        var applied = [LogHead(partition: 1, sequence: 7)]
        /// Sequences of records that the service cannot read any more.
        var damaged: Set<UInt64> = []
        /// Up to there retention has removed records of partition 1.
        var removed: UInt64 = 0
        var logID = UUID()
        var headCalls = 0
        var readers: [LogReaderState] = []
        var submitted: [EventBatch] = []
        /// The insight-service has counted what was submitted.
        var isCounted = true
        /// Events that were submitted before.
        var known: Set<UUID> = []
        var records = [Samples.day(19, energy: 10_000_000), Samples.day(21, energy: 12_345_678)]
        var queries: [InsightQuery] = []
        var activities: [ToldActivity] = []
        /// What the ingestor says of a batch instead of storing it.
        var refusal: @Sendable (EventBatch) -> EnergyError? = { _ in nil }
        var schedules = [Samples.schedule()]
        var devices = [
            ManagedDevice(
                device: Samples.car, venueID: Samples.home.id,
                vehicle: VehicleTraits(
                    batteryCapacity: Energy(milliwattHours: 75_000_000), powerMax: try! Power(milliwatts: 11_000_000)))
        ]
        var goals: [GoalDraft] = []
        /// Goals are stored, and nobody answers in time.
        var isSlow = false
        var rules: [RulesDraft] = []
        var (limits, forecasts): ([VenueLimits], [VenueForecast]) = ([], [])
        var overrides: [OverrideRequest] = []
        var removedDevices: [String] = []
        var pushes: [SignalPush] = []
        var sources: [RegionSource] = []
        var ratePlans = [Samples.ratePlan]
        var demandResponse: [DemandResponseEvent] = []
        var mayReadLog = true
        /// Whether the client may follow topics with this beginning.
        var mayFollow: @Sendable (_ prefix: String) -> Bool = { _ in true }
        var health: [ServiceKind: HealthCheckReply] = [:]
        var version = "1.2.3"
        /// What a service says that it answers; nothing unless said.
        var methods: [ServiceKind: [String]] = [:]
        /// Methods that the client's key does not allow.
        var denied: Set<String> = []
    }
    private let services: [ServiceKind: FakeService]
    let output: TestOutput
    /// What the person at the terminal says; `nil` when there is none.
    let answer = Mutex<String?>(nil)
    let clock = ManualClock()

    init(isTerminal: Bool = false, _ change: (inout State) -> Void = { _ in }) {
        output = TestOutput(isTerminal: isTerminal)
        var initial = State()
        change(&initial)
        let store = Box(initial)
        services = Dictionary(
            uniqueKeysWithValues: ServiceKind.allCases.map { ($0, FakeService(Self.methods($0, store))) })
        self.store = store
    }

    private let store: Box

    final class Box: Sendable {
        private let state: Mutex<State>
        init(_ state: State) { self.state = Mutex(state) }
        func callAsFunction<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
            state.withLock { state in body(&state) }
        }
    }

    subscript(_ service: ServiceKind) -> FakeService { services[service]! }

    var now: State { store { $0 } }

    func change(_ body: (inout State) -> Void) { store { body(&$0) } }

    func context(_ style: Style = .plain) -> CommandContext {
        var context = CommandContext(
            endpoints: Endpoints(), output: output, style: style, wallClock: FixedClock(), clock: clock,
            timeout: .seconds(1)
        ) { [services] (service, _) throws(CommandFailure) in
            services[service]!
        }
        context.ask = { [self] _ in answer.withLock { $0 } }
        context.tools.planSolver = NoSolver()
        return context
    }

    /// Appends to the log, and publishes it as the ingestor does.
    func submit(_ events: [Event]) throws {
        let record = store { state in
            let record = LogRecord(
                partition: LogPartition.of(venueID: events[0].venueID), sequence: UInt64(state.log.count + 1),
                venueID: events[0].venueID, received: events[0].timestamp, principal: "local", events: events)
            state.log.append(record)
            return record
        }
        let topic = Topics.events(venueID: record.venueID, deviceID: events[0].device.id)
        self[.events].publications.send(
            .publication(Publication(topic: topic, epoch: 1, sequence: record.sequence, body: record.encoded())))
    }

    /// What the insight service publishes when something changed.
    func announce(_ interval: Interval, of device: Device = Samples.car) {
        let change = InsightChange(venueID: Samples.home.id, deviceID: device.id, interval: interval)
        let topic = Topics.insights(venueID: change.venueID, deviceID: change.deviceID)
        self[.insights].publications.send(
            .publication(Publication(topic: topic, epoch: 1, sequence: 1, body: change.encoded())))
    }

    private static func methods(_ service: ServiceKind, _ store: Box) -> MethodTable {
        var table = MethodTable()
        addHealth(service, store, &table)
        addFollowing(store, &table)
        table.on(Methods.eraseData) { (subject, _) async throws(EnergyError) in
            ErasureReceipt(
                service: service.executable, subject: subject, erased: Samples.now, counts: [], records: nil)
        }
        switch service {
        case .guidance:
            addGuidance(store, &table)
            table.on(Methods.listSources) { (_, _) async throws(EnergyError) in
                SourceList(sources: store { $0.sources }, regions: Set(store { $0.sources.map(\.region) }).sorted())
            }
            table.on(Methods.testSource) { (reference, _) async throws(EnergyError) in
                guard let source = store({ $0.sources.first { $0.status.name == reference.source } }) else {
                    throw EnergyError(.notFound, "no such source")
                }
                guard source.status.lastError == nil else {
                    return SourceTest(source: source, isAsked: true, failure: .denied)
                }
                let newest = Interval(start: Samples.now.advanced(byMilliseconds: -1_800_000), milliseconds: 900_000)
                return SourceTest(
                    source: source, isAsked: true,
                    newest: SignalPoint(interval: newest, value: 231, isEstimated: false),
                    knownUntil: Samples.now.advanced(byMilliseconds: .millisecondsPerDay))
            }
            table.on(Methods.putSignals) { (push, _) async throws(EnergyError) in
                store { $0.pushes.append(push) }
                return SignalPushResult(source: "push:\(push.source)", count: 2)
            }
        case .events: addEvents(store, &table)
        case .insights:
            table.on(Methods.queryInsights) { (query, _, write) async throws(EnergyError) in
                let records = store { state in
                    state.queries.append(query)
                    return state.records.filter { $0.interval.overlaps(query.range) }
                }
                for record in records { try await write(InsightPage(records: [record], applied: [])) }
                try await write(InsightPage(records: [], applied: store { $0.applied }))
            }
            addSessions(store, &table)
        case .schedule: addSchedules(store, &table)
        }
        return table
    }

    /// Welcomes, as a publisher does first; what is published goes another way here.
    private static func addFollowing(_ store: Box, _ table: inout MethodTable) {
        table.add(
            FollowRequest.method,
            .streaming { (body, _, writer) async throws(CallFailure) in
                let prefix = try FollowRequest(decoding: body).prefix
                guard store({ $0.mayFollow })(prefix) else {
                    throw CallFailure(.permissionDenied, "charger may not read \(prefix)")
                }
                try await writer.write(Array(prefix.utf8))
            })
    }

    private static func addSessions(_ store: Box, _ table: inout MethodTable) {
        @Sendable func sessions(_ query: SessionQuery) -> [SessionInsight] {
            store { state in
                (state.sessionInsights + state.countedSessions).filter {
                    query.range.contains($0.began) && (query.deviceID ?? $0.deviceID) == $0.deviceID
                }
            }
        }
        table.on(Methods.querySessions) { (query, _, write) async throws(EnergyError) in
            try await write(SessionInsightPage(sessions: sessions(query), applied: store { $0.applied }))
        }
        table.on(Methods.sumSavings) { (query, _) in
            SavingsAnswer(savings: Savings(sessions(query.sessions)))
        }
        table.on(Methods.queryActivity) { (query, _, write) async throws(EnergyError) in
            let entries = store { state in
                state.activities.filter {
                    query.range.contains($0.activity.time) && query.wants($0.activity.kind)
                        && (query.deviceID ?? $0.activity.device.id) == $0.activity.device.id
                }
            }
            try await write(ActivityPage(entries: entries, applied: []))
        }
        table.on(Methods.listRepairs) { (filter, _) async throws(EnergyError) in
            // A page of one, as if the texts were long.
            let rest = store { $0.repairs.filter { $0.venueID == filter.venueID } }.dropFirst(filter.skipped)
            return RepairList(repairs: Array(rest.prefix(1)), hasMore: rest.count > 1)
        }
        table.on(Methods.repairEvent) { (draft, _) async throws(EnergyError) in
            let key = SessionKey(venueID: draft.venueID, sessionID: draft.sessionID)
            guard let session = store({ $0.sessionInsights.first { $0.key == key } }) else {
                throw EnergyError(.notFound, "no such session is counted")
            }
            store {
                $0.repairs.append(
                    EventRepair(
                        venueID: draft.venueID, sessionID: draft.sessionID, eventID: draft.eventID,
                        action: draft.action, reason: draft.reason, principal: draft.origin?.principal ?? "local",
                        made: draft.origin?.made ?? Samples.now, takenOverBy: draft.origin.map { _ in "local" }))
            }
            return RepairResult(before: session, after: session, remaining: store { $0.remaining })
        }
        table.on(Methods.rebuildInsights) { (_, _, write) async throws(EnergyError) in
            try await write(RebuildProgress(recordsCounted: 3, records: 7))
            let hadOlderRules = store { $0.hadOlderRules }
            try await write(
                RebuildProgress(
                    recordsCounted: 7, records: 7, isDone: true, isIdentical: !hadOlderRules,
                    hadOlderRules: hadOlderRules))
        }
    }

    private static func addHealth(_ service: ServiceKind, _ store: Box, _ table: inout MethodTable) {
        @Sendable func check() -> HealthCheckReply {
            store { $0.health[service] ?? HealthCheckReply(status: .serving) }
        }
        table.on(Methods.checkHealth) { (_, _) async throws(EnergyError) in check() }
        table.on(Methods.listHealth) { (_, _) async throws(EnergyError) in
            HealthListReply(services: [ServiceHealth(service: "energy.v1.Part", status: check().status)])
        }
        table.on(Methods.describe) { (_, context) async throws(EnergyError) in
            DescribeReply(
                fileDescriptorSet: [], methods: store { $0.methods[service] ?? [] }, version: store { $0.version },
                permissions: context.principal.permissions)
        }
        table.on(Methods.watchHealth) { (_, _, write) async throws(EnergyError) in
            try await write(check())
            // A service ends this stream only when it stops.
            let (forever, _) = AsyncStream<Never>.makeStream()
            for await _ in forever {}
        }
    }

    private static func addGuidance(_ store: Box, _ table: inout MethodTable) {
        table.on(Methods.listVenues) { (_, _) async throws(EnergyError) in VenueList(venues: store { $0.venues }) }
        table.on(Methods.putVenue) { (draft, _) async throws(EnergyError) in
            guard draft.region != "ATLANTIS" else {
                throw EnergyError.invalidInput(
                    RuleViolation(field: "region", rule: "must be a known grid region", value: draft.region))
            }
            let venue = Venue(
                id: Samples.id(77), name: draft.name, timeZone: draft.timeZone, region: draft.region,
                ratePlanID: draft.ratePlanID, priceWeight: draft.priceWeight, changed: Samples.now)
            store { $0.venues.append(venue) }
            return venue
        }
        table.on(Methods.removeVenue) { (removal, _) async throws(EnergyError) in
            let venue = store { state in
                defer { state.venues.removeAll { $0.id == removal.id } }
                return state.venues.first { $0.id == removal.id }
            }
            guard var venue else { throw EnergyError(.notFound, "there is no venue") }
            venue.removed = Samples.now
            return venue
        }
        table.on(Methods.getVenue) { (reference, _) async throws(EnergyError) in
            guard reference == .id(Samples.cabin.id) else { throw EnergyError(.notFound, "there is no venue") }
            var cabin = Samples.cabin
            cabin.removed = Samples.now
            return cabin
        }
        addRatePlans(store, &table)
        table.on(Methods.listDemandResponse) { (_, _) async throws(EnergyError) in
            DemandResponseList(events: store { $0.demandResponse })
        }
        table.on(Methods.putDemandResponse) { (event, _) async throws(EnergyError) in
            store { $0.demandResponse.append(event) }
            return event
        }
        table.on(Methods.cancelDemandResponse) { (reference, _) async throws(EnergyError) in
            guard var event = store({ $0.demandResponse }).first(where: { $0.id == reference.id }) else {
                throw EnergyError(.notFound, "there is no demand-response event")
            }
            event.cancelled = Samples.now
            return event
        }
        table.on(Methods.getGuidance) { (request, _) async throws(EnergyError) in
            if let failure = store({ $0.guidanceFailure }) { throw failure }
            guard let guidance = store({ $0.guidance }), request.action == guidance.action else {
                throw EnergyError(.notFound, "there is no guidance for this venue yet")
            }
            return guidance
        }
    }

    private static func addEvents(_ store: Box, _ table: inout MethodTable) {
        table.on(Methods.logHeads) { (_, _) async throws(EnergyError) in
            guard store({ $0.mayReadLog }) else { throw EnergyError(.denied, "charger has no permission for this") }
            return store { state in
                state.headCalls += 1
                let heads = (0..<LogPartition.count).map { partition in
                    let last = state.log.last { $0.partition == partition }
                    return LogHead(
                        partition: partition, sequence: last?.sequence ?? 0,
                        removedSequence: partition == 1 ? state.removed : 0)
                }
                return LogHeads(heads: heads, logID: state.logID)
            }
        }
        table.on(Methods.listReaders) { (_, _) async throws(EnergyError) in LogReaderList(readers: store { $0.readers })
        }
        table.on(Methods.removeReader) { (reader, _) async throws(EnergyError) in
            let isGone = store { state in
                defer { state.readers.removeAll { $0.name == reader.name } }
                return state.readers.contains { $0.name == reader.name }
            }
            guard isGone else { throw EnergyError(.notFound, "no such reader") }
            return Empty()
        }
        table.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in
            if batch.events.contains(where: { $0.device.name == "refused" }) {
                throw EnergyError.invalidInput(
                    RuleViolation(index: 0, field: "id", rule: "must not be that of another event", value: "1"))
            }
            if let refusal = store({ $0.refusal })(batch) { throw refusal }
            return store { state in
                state.submitted.append(batch)
                let duplicates = batch.events.count { state.known.contains($0.id) }
                return SubmitResult(accepted: batch.events.count - duplicates, duplicates: duplicates)
            }
        }
        table.on(Methods.listSessions) { (filter, _) async throws(EnergyError) in
            SessionList(sessions: store { $0.sessions.filter { $0.venueID == filter.venueID } })
        }
        table.on(Methods.backUpLog) { (_, _) async throws(EnergyError) in
            LogBackup(file: "/backups/events.sqlite", bytes: 4096)
        }
        table.on(Methods.readLog) { (position, _, write) async throws(EnergyError) in
            let (records, damaged, removed) = store { state in
                let kept = state.log.filter { $0.partition == position.partition && $0.sequence > state.removed }
                return (kept.filter { $0.sequence > position.afterSequence }, state.damaged, state.removed)
            }
            if position.afterSequence > 0, position.partition == 1, position.afterSequence < removed {
                throw EnergyError(.outOfRange, "partition 1 is kept from \(removed + 1) on")
            }
            for record in records {
                if damaged.contains(record.sequence) { throw EnergyError(.dataLoss, "it is damaged on disk") }
                try await write(LogPage(records: [record]))
            }
        }
    }
}

/// Finds nothing: what a closed method plans needs no solver.
private struct NoSolver: PlanSolver {
    func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
        LinearSolution(status: .unknown, values: [], cost: .infinity, bound: -.infinity)
    }
}
