public import EnergyFeeds
public import EnergyModel
internal import EnergyStore
public import EnergyTransport
internal import EnergyWire

/// Puts the service behind the contract's methods.
public struct InsightHandler: Sendable {
    /// Repairs that are kept: read at every start.
    private static let repairsMax = 10_000

    private let service: InsightService
    private let projector: InsightProjector
    private let rebuilder: InsightRebuilder
    private let log: any EventLogReader
    private let clock: any WallClock

    /// - Parameter log: read again for repairs and rebuilds.
    public init(
        service: InsightService, projector: InsightProjector, log: any EventLogReader, clock: any WallClock
    ) {
        self.service = service
        self.projector = projector
        self.log = log
        self.clock = clock
        rebuilder = InsightRebuilder(projector: projector, log: log)
    }

    public func register(in methods: inout MethodTable) {
        methods.on(Methods.queryInsights) { [service] (query, _, write) async throws(EnergyError) in
            try await service.answer(query, write: write)
        }
        methods.on(Methods.querySessions) { [service] (query, _, write) async throws(EnergyError) in
            try await service.answer(query, write: write)
        }
        methods.on(Methods.sumSavings) { [service] (query, _) async throws(EnergyError) in
            try await service.answer(query)
        }
        methods.on(Methods.queryActivity) { [service] (query, _, write) async throws(EnergyError) in
            try await service.answer(query, write: write)
        }
        methods.on(Methods.listRepairs) { [service] (filter, _) async throws(EnergyError) in
            let rest = try await service.store.repairs().lazy.filter { $0.venueID == filter.venueID }
                .dropFirst(filter.skipped)
            return RepairList(
                repairs: Array(rest.prefix(RepairList.countMax)), hasMore: !rest.dropFirst(RepairList.countMax).isEmpty)
        }
        methods.on(Methods.repairEvent) { [self] (draft, context) async throws(EnergyError) in
            try await repair(draft, by: context.principal.name)
        }
        methods.on(Methods.rebuildInsights) { [rebuilder] (request, _, write) async throws(EnergyError) in
            let hasOlderRules = try await service.store.rules() < InsightRules.version
            let isIdentical = try await rebuilder.rebuild(acceptsLoss: request.acceptsLoss) {
                (progress) async throws(EnergyError) in
                try await write(
                    RebuildProgress(recordsCounted: progress.recordsCounted, records: progress.records))
            }
            let heads = try await service.store.positions()
            let records = heads.reduce(0) { $0 &+ $1.sequence }
            try await write(
                RebuildProgress(
                    recordsCounted: records, records: records, isDone: true, isIdentical: isIdentical,
                    hadOlderRules: hasOlderRules))
        }
    }

    private func repair(_ draft: RepairDraft, by principal: String) async throws(EnergyError) -> RepairResult {
        guard try await service.store.repairs().count < Self.repairsMax else {
            throw EnergyError(.outOfRange, "there are \(Self.repairsMax) repairs already")
        }
        let repair = EventRepair(
            venueID: draft.venueID, sessionID: draft.sessionID, eventID: draft.eventID, action: draft.action,
            reason: draft.reason, principal: draft.origin?.principal ?? principal,
            made: draft.origin?.made ?? clock.now, takenOverBy: draft.origin == nil ? nil : principal)
        let result = try await projector.repair(repair, from: log)
        return RepairResult(
            before: SessionInsight(result.before), after: SessionInsight(result.after), remaining: result.remaining)
    }
}
