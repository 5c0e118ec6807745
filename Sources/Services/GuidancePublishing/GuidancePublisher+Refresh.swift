internal import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Logging

// Refreshing; only inside enter() and leave().
extension GuidancePublisher {
    /// - Parameter force: publishes whether anything changed or not.
    func refresh(_ venues: [Venue], force: Bool) async {
        let now = wallClock.now
        var method = RatingMethod(priceWeight: configuration.priceWeight)
        var made: [Guidance] = []
        var recorded: Set<String> = []
        let prices = await readPrices(for: venues, now)
        let byPlace = Dictionary(grouping: venues) { Place(region: $0.region, timeZone: $0.timeZone) }
        for (place, venues) in byPlace.sorted(by: { $0.key < $1.key }) {
            do throws(EnergyError) {
                let outlook = try await OutlookFinder(configuration: configuration, archive: archive)
                    .outlook(region: place.region, timeZone: place.timeZone, now: now)
                if recorded.insert(place.region).inserted {
                    try await store.recordSignals(outlook.records, region: place.region, learned: now)
                }
                let skill = ledger.skill(of: outlook, region: place.region, now: now)
                method.noise = skill?.relativeError ?? RatingMethod.noiseUnknown
                made += rated(venues, outlook, prices, method, now, force: force)
                for venue in venues { problems[venue.id] = nil }
                sources.succeeded(place.region, skipped: outlook.skipped, logger)
            } catch {
                for venue in venues { problems[venue.id] = error }
                sources.failed(place.region, error, logger)
            }
        }
        await issue(made)
    }

    private func rated(
        _ venues: [Venue], _ outlook: Outlook, _ prices: KnownPrices, _ method: RatingMethod, _ now: Timestamp,
        force: Bool
    ) -> [Guidance] {
        var made: [Guidance] = []
        for (terms, venues) in byTerms(venues) {
            let plan = terms.planID.flatMap { ratePlans[$0] }
            for action in SuggestedAction.allCases {
                let window = RatedWindow(
                    outlook, ratePlan: plan, prices: prices, events: terms.events, method: method, action: action)
                for venue in venues {
                    let guidance = window.guidance(
                        token: UUID(), venueID: venue.id, action: action, hasRatePlan: plan != nil, issued: now)
                    let old = current[GuidanceKey(venueID: venue.id, action: action)]
                    if force || old.map(guidance.differs) ?? true { made.append(guidance) }
                }
            }
        }
        return made
    }

    private func issue(_ made: [Guidance]) async {
        guard !made.isEmpty else { return }
        do throws(EnergyError) {
            try await store.addTokens(
                made.map {
                    IssuedToken(token: $0.token, venueID: $0.venueID, action: $0.action, issued: $0.issued)
                })
        } catch {
            // Guidance whose token would not resolve is worth less than that of the last hour.
            for guidance in made { problems[guidance.venueID] = error }
            logger.error("tokens cannot be stored", metadata: [GuidanceKeys.reason: "\(error.message)"])
            return
        }
        var failure: CallFailure?
        for guidance in made {
            current[GuidanceKey(venueID: guidance.venueID, action: guidance.action)] = guidance
            let topic = Topics.guidance(venueID: guidance.venueID, action: guidance.action)
            do throws(CallFailure) { try publisher.publish(topic, encode(guidance)) } catch { failure = error }
        }
        if let failure {
            logger.error("guidance cannot be published", metadata: [GuidanceKeys.reason: "\(failure.message)"])
        }
        logger.debug("guidance issued", metadata: [GuidanceKeys.count: "\(made.count)"])
    }

    /// The present guidance of a venue, made now if there is none or it is over an hour old.
    func freshGuidance(_ request: GuidanceRequest) async throws(EnergyError) -> Guidance {
        let key = GuidanceKey(venueID: request.venueID, action: request.action)
        if let guidance = current[key], isFresh(guidance) { return guidance }
        await enter()
        defer { leave() }
        if let guidance = current[key], isFresh(guidance) { return guidance }
        guard let venue = venues[request.venueID] else { throw .unknownVenue(request.venueID) }
        await refresh([venue], force: true)
        if let guidance = current[key], guidance.interval.contains(wallClock.now) { return guidance }
        throw problems[request.venueID] ?? EnergyError(.unavailable, "there is no guidance yet")
    }

    private func isFresh(_ guidance: Guidance) -> Bool {
        // The hourly publication may be a little late; two hours mean that it did not come.
        let age = wallClock.now.milliseconds(since: guidance.issued)
        return 0..<2 * .millisecondsPerHour ~= age && guidance.interval.contains(wallClock.now)
    }

    /// Writes down that a principal asked; again only after a day, so that asking often costs nothing.
    func remember(_ principal: String, venueID: UUID) async throws(EnergyError) {
        let now = wallClock.now
        if let last = asked[venueID]?[principal], now.milliseconds(since: last) < .millisecondsPerDay { return }
        try await store.addAsker(principal, venueID: venueID, at: now)
        if asked[venueID, default: [:]].count >= GuidanceLimits.askersMax { asked[venueID] = [:] }
        asked[venueID, default: [:]][principal] = now
    }
}

/// Venues that share an outlook.
private struct Place: Hashable, Comparable {
    let region: String
    let timeZone: TimeZone

    static func < (lhs: Place, rhs: Place) -> Bool {
        (lhs.region, lhs.timeZone.identifier) < (rhs.region, rhs.timeZone.identifier)
    }
}
