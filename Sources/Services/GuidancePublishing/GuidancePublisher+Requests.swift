public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

extension GuidancePublisher {
    /// The present guidance; made if there is none. Remembers that `principal` asked.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown venue, `.unavailable` when no source has a signal.
    public func guidance(_ request: GuidanceRequest, principal: String) async throws(EnergyError) -> Guidance {
        try requireStarted()
        await catchUpIfFollowing()
        if let venue = roster.removed[request.venueID] {
            throw EnergyError(.notFound, "the venue \(venue.name) was removed: there is no more guidance for it")
        }
        guard roster[request.venueID] != nil else { throw .unknownVenue(request.venueID) }
        try await remember(principal, venueID: request.venueID)
        return try await freshGuidance(request)
    }

    /// What a token stands for, for 400 days from its issue.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for a token that was never issued, or longer ago.
    public func resolve(_ reference: TokenReference) async throws(EnergyError) -> ResolvedToken {
        try requireStarted()
        let oldest = wallClock.now.advanced(byMilliseconds: -GuidanceLimits.tokenMilliseconds)
        let token = opened(reference.token)
        if let token, roster.id(of: token.venueNumber) == nil { await catchUpIfFollowing() }
        guard let token, token.issued >= oldest, let venueID = roster.id(of: token.venueNumber)
        else { throw EnergyError(.notFound, "the token was not issued here, or more than 400 days ago") }
        return ResolvedToken(
            token: reference.token, venueID: venueID, action: token.action, issued: token.issued,
            principals: try await store.askers(venueID: venueID))
    }

    /// What the grid and the contract were, as it was known then or, on request, is known by now, or are expected to be.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown venue, `.invalidInput` for more than 31 days.
    public func history(_ request: SignalHistoryRequest) async throws(EnergyError) -> SignalHistory {
        try requireStarted()
        if follows, request.isCorrected {
            throw .forAnother("what sources hold by now is known to the replica that asks them")
        }
        if roster.anyVenue(request.venueID) == nil { await catchUpIfFollowing() }
        guard roster.anyVenue(request.venueID) != nil else {
            throw .unknownVenue(request.venueID)
        }
        let reader = HistoryReader(
            store: store, configuration: configuration, now: wallClock.now,
            revision: request.isCorrected ? .newest : .whenItHappened)
        return SignalHistory(intervals: try await reader.intervals(venueID: request.venueID, in: request.interval))
    }

    /// Sorted by name, then id; without those that were removed.
    public func listVenues() async throws(EnergyError) -> VenueList {
        try requireStarted()
        await catchUpIfFollowing()
        return VenueList(venues: roster.venues.sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) })
    }

    /// By its id also a venue that was removed.
    ///
    /// - Throws: ``EnergyError`` `.notFound`.
    public func venue(_ reference: VenueReference) async throws(EnergyError) -> Venue {
        try requireStarted()
        await catchUpIfFollowing()
        switch reference {
        case .id(let id):
            guard let venue = roster.anyVenue(id) else { throw .unknownVenue(id) }
            return venue
        case .homeID(let home):
            guard let venue = roster.venues.first(where: { $0.homeIDs.contains(home) }) else {
                throw EnergyError(.notFound, "no venue stands for the home \(home)")
            }
            return venue
        }
    }

    /// Makes a venue, or replaces one; one that was removed is back. Its guidance is made anew at once.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` naming each broken rule, also a region that no source knows, unless the
    ///   venue is there already; `.conflict` when one of its homes stands for
    ///   another venue.
    public func put(_ draft: VenueDraft) async throws(EnergyError) -> Venue {
        await enter()
        defer { leave() }
        try requireStarted()
        if draft.id.flatMap({ roster[$0]?.region }) != draft.region { try await check(draft) }
        let (venue, isChanged) = try await store(draft)
        if isChanged {
            updateNeededSources()
            await refresh(only: [venue.id])
        }
        return venue
    }

    /// What is wrong with the venue itself is told before what is wrong with its region.
    private func check(_ draft: VenueDraft) async throws(EnergyError) {
        _ = try validated(draft)
        try await requireSource(region: draft.region)
    }

    /// Sorted by id; without those that were removed.
    public func listRatePlans() async throws(EnergyError) -> RatePlanList {
        try requireStarted()
        await catchUpIfFollowing()
        return RatePlanList(ratePlans: ratePlans.values.sorted { $0.id < $1.id })
    }

    /// Makes a rate plan, or replaces one from now on; one that was removed is back. The guidance of its venues is made anew at
    /// once.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` naming each broken rule, also a price source that is not configured or
    ///   has prices in another currency.
    public func put(_ plan: RatePlan) async throws(EnergyError) -> RatePlan {
        await enter()
        defer { leave() }
        try requireStarted()
        let (plan, isChanged) = try await store(plan)
        if isChanged {
            updateNeededSources()
            await refresh(roster.groups.filter { $0.key.ratePlanID == plan.id }, force: true)
        }
        return plan
    }
}

// Storing; only inside enter() and leave().
extension GuidancePublisher {
    func store(_ draft: VenueDraft) async throws(EnergyError) -> (venue: Venue, isChanged: Bool) {
        var venue = try validated(draft)
        if let present = roster.anyVenue(venue.id) {
            venue.changed = present.changed
            if venue == present { return (present, false) }
            venue.changed = Self.after(present.changed, wallClock.now)
        }
        roster.put(venue, number: try await store.putVenue(venue))
        note(.venue(venue.id))
        return (venue, true)
    }

    private func validated(_ draft: VenueDraft) throws(EnergyError) -> Venue {
        let venue = try Venue(
            id: draft.id ?? UUID(), name: draft.name, timeZone: draft.timeZone, region: draft.region,
            ratePlanID: draft.ratePlanID, homeIDs: draft.homeIDs, priceWeight: draft.priceWeight, changed: wallClock.now
        ).validated()
        if let plan = venue.ratePlanID, ratePlans[plan] == nil {
            throw .invalidInput(
                RuleViolation(field: "venue.rate_plan_id", rule: "must name a known rate plan", value: "\"\(plan)\""))
        }
        return venue
    }

    func store(_ draft: RatePlan) async throws(EnergyError) -> (plan: RatePlan, isChanged: Bool) {
        var plan = try draft.validated()
        try await configuration.checkPriceSource(of: plan)
        (plan.changed, plan.removed) = (wallClock.now, nil)
        if let present = ratePlans[plan.id] ?? removedRatePlans[plan.id] {
            plan.changed = present.changed
            if plan == present { return (present, false) }
            plan.changed = Self.after(present.changed, wallClock.now)
        }
        try await store.putRatePlan(plan)
        keep(plan)
        note(.ratePlan(plan.id))
        return (plan, true)
    }

    func keep(_ plan: RatePlan) {
        let isRemoved = plan.removed != nil
        (ratePlans[plan.id], removedRatePlans[plan.id]) = isRemoved ? (nil, plan) : (plan, nil)
    }

    /// Now, or just after the last change if the clock says otherwise.
    static func after(_ last: Timestamp, _ now: Timestamp) -> Timestamp {
        max(now, last.advanced(byMilliseconds: 1))
    }
}

extension EnergyError {
    static func unknownVenue(_ id: UUID) -> EnergyError { EnergyError(.notFound, "there is no venue \(id)") }
}
