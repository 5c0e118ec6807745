public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation
internal import Logging

extension GuidancePublisher {
    /// How long events that are over can be listed.
    static let pastMilliseconds: Int64 = 31 * .millisecondsPerDay

    /// Declares an event, or replaces the one of its id from now on. Guidance of its venues is made anew at once.
    ///
    /// - Parameter source: the principal who declares it.
    /// - Throws: ``EnergyError`` `.invalidInput` naming each broken rule, for one that is over, and for a venue or
    ///   region that is not known; `.rateLimited` above ``GuidanceLimits/demandResponseMax``.
    public func declare(
        _ event: DemandResponseEvent, source: String
    ) async throws(EnergyError) -> DemandResponseEvent {
        await enter()
        defer { leave() }
        try requireStarted()
        if case .region(let region) = event.scope, !roster.regions.contains(region) {
            try await requireSource(region: region, of: "event.region")
        }
        let (kept, isChanged) = try await store(event, source: source)
        if isChanged { await refreshVenues(of: [kept]) }
        return kept
    }

    /// Those that stand and are not over; with `includesPast` all of the last 31 days.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown venue.
    public func listDemandResponse(_ filter: DemandResponseFilter) async throws(EnergyError) -> DemandResponseList {
        try requireStarted()
        await catchUpIfFollowing()
        var events = demandResponse
        if let id = filter.venueID {
            guard let venue = roster[id] else { throw .unknownVenue(id) }
            events = events.filter { $0.applies(to: venue) }
        }
        let now = wallClock.now
        let listed = events.filter { filter.includesPast || $0.stands(at: now) }
        return DemandResponseList(
            events: listed.sorted {
                ($0.interval.start, $0.id.uuidString, $0.declared) < ($1.interval.start, $1.id.uuidString, $1.declared)
            })
    }

    /// Ends an event now; one that was never to begin does not apply at all. Twice is once.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an event that is not known; `.conflict` for one that a configured source
    ///   declares, which would declare it again.
    public func cancel(_ reference: DemandResponseReference) async throws(EnergyError) -> DemandResponseEvent {
        await enter()
        defer { leave() }
        try requireStarted()
        guard let present = newest(reference.id) else {
            throw EnergyError(.notFound, "there is no demand-response event \(reference.id)")
        }
        let now = wallClock.now
        guard present.stands(at: now) else { return present }
        guard !configuration.demandResponseSources.contains(where: { $0.name == present.source }) else {
            throw EnergyError(
                .conflict, "the event is declared by \(present.source): take it out there, and it ends by itself")
        }
        let cancelled = present.cancelled(at: now)
        try await keep([cancelled])
        await refreshVenues(of: [cancelled])
        return cancelled
    }
}

// Only inside enter() and leave().
extension GuidancePublisher {
    /// Those that stand.
    var standingEvents: [DemandResponseEvent] {
        let now = wallClock.now
        return demandResponse.filter { $0.stands(at: now) }
    }

    /// Venues of a group with the same events share their ratings.
    static func byEvents(
        _ group: VenueGroup, _ venueIDs: [UUID], _ events: [DemandResponseEvent]
    ) -> [(events: [DemandResponseEvent], venueIDs: [UUID])] {
        let members = Set(events.isEmpty ? [] : venueIDs)
        var single: Set<UUID> = []
        let common = events.filter { event in
            switch event.scope {
            case .venue(let id):
                if members.contains(id) { single.insert(id) }
                return false
            case .region(let region): return region == group.place.region
            case .all: return true
            }
        }
        let rest = single.isEmpty ? venueIDs : venueIDs.filter { !single.contains($0) }
        return (rest.isEmpty ? [] : [(common, rest)])
            + single.map { id in (events.filter { common.contains($0) || $0.scope == .venue(id) }, [id]) }
    }

    /// Asks every source, and declares, replaces and cancels what changed. A source that fails changes nothing.
    func readDemandResponse() async {
        let now = wallClock.now
        for source in configuration.demandResponseSources {
            var failure: String?
            do throws(EnergyError) {
                let named = try await source.events(now: now).filter { $0.interval.end > now }
                for event in named {
                    // One that breaks a rule must not keep the others from being declared, or withdrawn.
                    do throws(EnergyError) { _ = try await store(event, source: source.name) } catch {
                        failure = failure ?? error.message
                    }
                }
                let ids = Set(named.map(\.id))
                let gone = demandResponse.filter {
                    $0.source == source.name && $0.stands(at: now) && !ids.contains($0.id)
                }
                try await keep(gone.map { $0.cancelled(at: now) })
            } catch { failure = error.message }
            sources.declared(by: source.name, failure: failure, logger)
        }
        let oldest = now.advanced(byMilliseconds: -Self.pastMilliseconds)
        demandResponse.removeAll { $0.interval.end < oldest }
    }

    static func timeOfDemandResponse(_ now: Timestamp) -> Interval {
        // Events far ahead are declared, too: as far as a timestamp reaches on the wire.
        let end = Timestamp(unixMilliseconds: 253_402_300_800_000)
        let start = now.advanced(byMilliseconds: -pastMilliseconds)
        return Interval(start: start, end: end) ?? Interval(start: now, milliseconds: 1)
    }

    private func store(
        _ draft: DemandResponseEvent, source: String
    ) async throws(EnergyError) -> (event: DemandResponseEvent, isChanged: Bool) {
        var event = try draft.validated()
        let now = wallClock.now
        let present = newest(event.id)
        if let present, present.stands(at: now), present.asks(theSameAs: event) { return (present, false) }
        try check(event, now)
        (event.cancelled, event.source) = (nil, source)
        // A revision of its own even if the clock stood still.
        event.declared = present.map { max(now, $0.declared.advanced(byMilliseconds: 1)) } ?? now
        let replaced = present.flatMap { $0.stands(at: now) ? $0.cancelled(at: event.declared) : nil }
        try await keep([replaced, event].compactMap(\.self))
        return (event, true)
    }

    private func check(_ event: DemandResponseEvent, _ now: Timestamp) throws(EnergyError) {
        if event.interval.end <= now {
            throw .invalidInput(
                RuleViolation(
                    field: "event.interval", rule: "must end in the future", value: "\(event.interval.end)"))
        }
        if case .venue(let id) = event.scope, roster[id] == nil {
            throw .invalidInput(
                RuleViolation(field: "event.venue_id", rule: "must be a known venue", value: id.uuidString))
        }
        if demandResponse.count(where: { $0.stands(at: now) }) >= GuidanceLimits.demandResponseMax {
            throw EnergyError(
                .rateLimited, "there are \(GuidanceLimits.demandResponseMax) demand-response events, no more are kept")
        }
    }

    private func keep(_ events: [DemandResponseEvent]) async throws(EnergyError) {
        guard !events.isEmpty else { return }
        try await store.putDemandResponse(events)
        note(.demandResponse)
        for event in events {
            demandResponse.removeAll { ($0.id, $0.declared) == (event.id, event.declared) }
            demandResponse.append(event)
        }
    }

    private func newest(_ id: UUID) -> DemandResponseEvent? {
        demandResponse.filter { $0.id == id }.max { $0.declared < $1.declared }
    }

    private func refreshVenues(of events: [DemandResponseEvent]) async {
        let touched = roster.groups.compactMapValues { ids in
            let ids = ids.filter { id in
                roster[id].map { venue in events.contains { $0.applies(to: venue) } } ?? false
            }
            return ids.isEmpty ? nil : ids
        }
        await refresh(touched, force: true)
    }
}

extension DemandResponseEvent {
    /// Whether it is still to apply, now or later.
    func stands(at now: Timestamp) -> Bool { cancelled == nil && interval.end > now }

    func cancelled(at now: Timestamp) -> DemandResponseEvent {
        var event = self
        event.cancelled = max(now, declared)
        return event
    }
}
