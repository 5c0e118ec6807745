public import EnergyModel
public import Foundation

/// A guidance store that forgets with the process; for tests and demonstrations.
public actor InMemoryGuidanceStore: GuidanceStore {
    private var venueHistory: [UUID: [Venue]] = [:]
    private var planHistory: [String: [RatePlan]] = [:]
    private var events: [DemandResponseEvent] = []
    private var timelines: [SignalQuantity: [String: [SignalTimeline.Entry]]] = [:]
    private var progress: [String: SourceProgress] = [:]
    private var numbers: [UUID: VenueNumber] = [:]
    private var lastNumber: VenueNumber = 0
    private var key: [UInt8]?
    private var issues: [StoredForecast] = []
    private var askersByVenue: [UUID: [String: Timestamp]] = [:]

    public init() {}

    public func venues() throws(EnergyError) -> [Venue] {
        venueHistory.values.compactMap(\.last).sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
    }

    public func venueRevisions(_ id: UUID) throws(EnergyError) -> [Venue] { venueHistory[id] ?? [] }

    public func venueNumbers() throws(EnergyError) -> [UUID: VenueNumber] { numbers }

    @discardableResult
    public func putVenue(_ venue: Venue) throws(EnergyError) -> VenueNumber {
        let others = venueHistory.values.compactMap(\.last).filter { $0.id != venue.id }
        if venue.removed == nil,
            let home = venue.homeIDs.first(where: { home in others.contains { $0.homeIDs.contains(home) } })
        {
            throw .homeTaken(home)
        }
        let history = venueHistory[venue.id] ?? []
        try GuidanceLimits.check(
            count: venueHistory.count, max: GuidanceLimits.venuesMax, revisions: history.count,
            isNewest: history.last.map { $0.changed < venue.changed } ?? true, what: "venue")
        // Homes are of the venue, not of its revisions.
        let homes = venue.removed == nil ? venue.homeIDs : []
        venueHistory[venue.id] = (history + [venue]).map { revision in
            var revision = revision
            revision.homeIDs = homes
            return revision
        }
        if let number = numbers[venue.id] { return number }
        lastNumber += 1
        numbers[venue.id] = lastNumber
        return lastNumber
    }

    public func ratePlans() throws(EnergyError) -> [RatePlan] {
        planHistory.values.compactMap(\.last).sorted { $0.id < $1.id }
    }

    public func ratePlanRevisions(_ id: String) throws(EnergyError) -> [RatePlan] { planHistory[id] ?? [] }

    public func putRatePlan(_ plan: RatePlan) throws(EnergyError) {
        let history = planHistory[plan.id] ?? []
        try GuidanceLimits.check(
            count: planHistory.count, max: GuidanceLimits.ratePlansMax, revisions: history.count,
            isNewest: history.last.map { $0.changed < plan.changed } ?? true, what: "rate plan")
        planHistory[plan.id] = history + [plan]
    }

    public func demandResponse(in interval: Interval) throws(EnergyError) -> [DemandResponseEvent] {
        events.filter { $0.interval.overlaps(interval) }.sorted {
            ($0.interval.start, $0.id.uuidString, $0.declared) < ($1.interval.start, $1.id.uuidString, $1.declared)
        }
    }

    public func putDemandResponse(_ events: [DemandResponseEvent]) throws(EnergyError) {
        for event in events {
            self.events.removeAll { ($0.id, $0.declared) == (event.id, event.declared) }
            self.events.append(event)
        }
    }

    public func recordSignals(
        _ records: [SignalRecord], region: String, learned: Timestamp
    ) throws(EnergyError) {
        guard let quantity = try GuidanceLimits.check(records) else { return }
        var entries = timelines[quantity]?[region] ?? []
        let change = SignalTimeline.change(to: entries, recording: records, learned: learned)
        let removed = Set(change.removed)
        entries.removeAll { removed.contains($0) }
        timelines[quantity, default: [:]][region] = entries + change.added
    }

    public func signals(
        _ quantity: SignalQuantity, region: String, in interval: Interval, revision: SignalRevision
    ) throws(EnergyError) -> [SignalRecord] {
        let touching = (timelines[quantity]?[region] ?? []).filter { $0.record.interval.overlaps(interval) }
        return SignalTimeline.select(touching, revision: revision)
    }

    public func sourceProgress(_ source: String) throws(EnergyError) -> SourceProgress? { progress[source] }

    public func putSourceProgress(_ progress: SourceProgress, source: String) throws(EnergyError) {
        self.progress[source] = progress
    }

    public func tokenKey(orNew new: [UInt8]) throws(EnergyError) -> [UInt8] {
        let stored = key ?? new
        key = stored
        return stored
    }

    public func addForecast(_ issue: ForecastIssue, source: String, region: String) throws(EnergyError) {
        issues.removeAll { ($0.source, $0.region, $0.issue.interval.start) == (source, region, issue.interval.start) }
        issues.append(StoredForecast(source: source, region: region, issue: issue))
    }

    public func forecasts() throws(EnergyError) -> [StoredForecast] {
        issues.sorted {
            ($0.issue.interval.start, $0.source, $0.region) < ($1.issue.interval.start, $1.source, $1.region)
        }
    }

    public func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) throws(EnergyError) {
        askersByVenue[venueID, default: [:]][principal] = instant
        guard let askers = askersByVenue[venueID], askers.count > GuidanceLimits.askersMax else { return }
        if let oldest = askers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            askersByVenue[venueID]?[oldest.key] = nil
        }
    }

    public func askers(venueID: UUID) throws(EnergyError) -> [String] {
        (askersByVenue[venueID] ?? [:]).keys.sorted()
    }

    public func eraseVenue(_ id: UUID) throws(EnergyError) -> [ErasedCount] {
        let revisions = venueHistory.removeValue(forKey: id)?.count ?? 0
        let askers = askersByVenue.removeValue(forKey: id)?.count ?? 0
        let before = events.count
        events.removeAll { $0.scope == .venue(id) }
        numbers[id] = nil
        return [
            ErasedCount(kind: "askers", count: askers),
            ErasedCount(kind: "demand_response", count: before - events.count),
            ErasedCount(kind: "venue_revisions", count: revisions),
        ]
    }

    public func prune(forecastsBefore: Timestamp, signalsBefore: Timestamp) throws(EnergyError) {
        issues.removeAll { $0.issue.interval.start < forecastsBefore }
        events.removeAll { $0.interval.end < signalsBefore }
        timelines = timelines.mapValues { regions in
            regions.mapValues { $0.filter { $0.record.interval.end >= signalsBefore } }
        }
    }
}
