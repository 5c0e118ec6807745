public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

extension GuidancePublisher {
    /// Takes a venue away: it is listed no more and gets no more guidance. What was is still answered for: the venue by
    /// its id, its tokens, and its signals, because events and insights of its past refer to them.
    ///
    /// - Returns: the venue with the time of its removal; removing it again changes nothing.
    /// - Throws: ``EnergyError`` `.notFound` for a venue that never was; `.conflict` for one that the configuration
    ///   names, because the next start would make it again.
    public func remove(_ removal: VenueRemoval) async throws(EnergyError) -> Venue {
        await enter()
        defer { leave() }
        try requireStarted()
        if let removed = roster.removed[removal.id] { return removed }
        guard var venue = roster[removal.id] else { throw .unknownVenue(removal.id) }
        guard !configuredVenueIDs.contains(venue.id) else {
            throw EnergyError(
                .conflict,
                "the venue \(venue.name) is one of the configured: take it out of the setting 'venues' ('venues: []' "
                    + "is none), start the service again, and then remove it")
        }
        venue.changed = Self.after(venue.changed, wallClock.now)
        venue.removed = venue.changed
        // They may stand for another venue now.
        venue.homeIDs = []
        roster.put(venue, number: try await store.putVenue(venue))
        note(.venue(venue.id))
        await writeDown()
        asked[venue.id] = nil
        if roster.groups.keys.allSatisfy({ $0.place != Place(region: venue.region, timeZone: venue.timeZone) }) {
            problems[Place(region: venue.region, timeZone: venue.timeZone)] = nil
        }
        updateNeededSources()
        return venue
    }

    /// Takes a rate plan away: it is listed no more, and no venue can have it. What was paid by it stays known.
    ///
    /// - Returns: the plan with the time of its removal; removing it again changes nothing.
    /// - Throws: ``EnergyError`` `.notFound` for a plan that never was; `.conflict` for one that venues have, or that the
    ///   configuration names, because the next start would make it again.
    public func remove(_ removal: RatePlanRemoval) async throws(EnergyError) -> RatePlan {
        await enter()
        defer { leave() }
        try requireStarted()
        if let removed = removedRatePlans[removal.id] { return removed }
        guard var plan = ratePlans[removal.id] else {
            throw EnergyError(.notFound, "there is no rate plan '\(removal.id.prefix(64))'")
        }
        let venues = roster.venues.filter { $0.ratePlanID == plan.id }.map(\.name).sorted()
        guard venues.isEmpty else {
            let names =
                venues.prefix(5).joined(separator: ", ") + (venues.count > 5 ? " and \(venues.count - 5) more" : "")
            throw EnergyError(
                .conflict,
                "the rate plan \(plan.name) is that of \(names): give \(venues.count == 1 ? "it" : "them") another first"
            )
        }
        guard !configuration.ratePlans.contains(where: { $0.id == plan.id }) else {
            throw EnergyError(
                .conflict,
                "the rate plan \(plan.name) is one of the configured: take it out of the setting 'rate-plans', start the "
                    + "service again, and then remove it")
        }
        plan.changed = Self.after(plan.changed, wallClock.now)
        plan.removed = plan.changed
        try await store.putRatePlan(plan)
        keep(plan)
        note(.ratePlan(plan.id))
        await writeDown()
        return plan
    }

    /// - Throws: ``EnergyError`` `.invalidInput` naming the regions there are when no source knows this one.
    ///
    /// - Parameter field: that names the region.
    func requireSource(region: String, of field: String = "venue.region") async throws(EnergyError) {
        guard await !configuration.hasSource(of: region, now: wallClock.now) else { return }
        throw .invalidInput(
            RuleViolation(
                field: field, rule: "must have a signal source (\(configuration.knownRegions()))",
                value: "\"\(region)\""))
    }
}

extension GuidanceConfiguration {
    /// Whether any source may have a signal of the region, now or later.
    public func hasSource(of region: String, now: Timestamp) async -> Bool {
        if ownProviders(of: region).contains(where: { $0.kind.quantity == .carbon }) { return true }
        for provider in commonProviders {
            let hour = Interval(start: now, milliseconds: .millisecondsPerHour)
            do throws(EnergyError) { _ = try await provider.signals(region: region, in: hour, now: now) } catch {
                // Anything else may pass.
                if error.code == .notFound { continue }
            }
            return true
        }
        return false
    }

    /// Those that are known by name, sorted: with sources of carbon of their own, or of which every region's sources know.
    var regions: [String] {
        let own = Set(providers.keys).union(automaticProviders.keys).filter { region in
            ownProviders(of: region).contains { $0.kind.quantity == .carbon }
        }
        return own.union(commonProviders.flatMap(\.regions)).sorted()
    }

    /// For people: the regions there are, and how to get another.
    ///
    /// - Parameter others: whose sources are not connected yet.
    public func knownRegions(and others: Set<String> = []) -> String {
        let known = others.union(regions).sorted().joined(separator: ", ")
        let text = known.isEmpty ? "there is none yet" : known
        return "\(text); another gets one by the guidance-publisher's settings 'sources' and 'files'"
    }
}
