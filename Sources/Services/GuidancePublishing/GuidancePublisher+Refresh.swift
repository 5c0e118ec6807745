internal import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Logging

// Refreshing; only inside enter() and leave().
extension GuidancePublisher {
    /// Makes the guidance of these venues anew and publishes it, whether anything changed or not.
    func refresh(only venueIDs: [UUID]) async {
        let known = venueIDs.compactMap { id in roster[id].map { (VenueGroup($0), id) } }
        await refresh(Dictionary(grouping: known, by: \.0).mapValues { $0.map(\.1) }, force: true)
    }

    /// Asks each source once, rates once per group and action, and publishes for each venue.
    ///
    /// - Parameters:
    ///   - groups: all, or some of their venues.
    ///   - force: publishes whether anything changed or not.
    func refresh(_ groups: [VenueGroup: [UUID]], force: Bool) async {
        let now = wallClock.now
        var round = RefreshRound(
            prices: await readPrices(for: Set(groups.keys.compactMap(\.ratePlanID)), now), events: standingEvents,
            issued: nextIssue(now), now: now, isForced: force)
        var recorded: Set<String> = []
        let byPlace = Dictionary(grouping: groups, by: \.key.place)
        for (place, groups) in byPlace.sorted(by: { $0.key < $1.key }) {
            do throws(EnergyError) {
                let outlook = try await OutlookFinder(configuration: configuration, archive: archive)
                    .outlook(region: place.region, timeZone: place.timeZone, now: now)
                if recorded.insert(place.region).inserted {
                    try await store.recordSignals(outlook.records, region: place.region, learned: now)
                }
                let (skill, forecast) = ledger.skill(of: outlook, region: place.region, now: now)
                if let forecast {
                    try await store.addForecast(forecast.issue, source: forecast.source, region: forecast.region)
                }
                for (group, venueIDs) in groups { rate(group, venueIDs, outlook, skill, &round) }
                await writeDown()
                problems[place] = nil
                sources.succeeded(place.region, skipped: outlook.skipped, logger)
            } catch {
                problems[place] = error
                sources.failed(place.region, error, logger)
            }
        }
        await writeDown()
        if let failure = round.failure {
            logger.error("guidance cannot be published", metadata: [GuidanceKeys.reason: "\(failure.message)"])
        }
        logger.debug("guidance issued", metadata: [GuidanceKeys.count: "\(round.count)"])
    }

    private func rate(
        _ group: VenueGroup, _ venueIDs: [UUID], _ outlook: Outlook, _ skill: ForecastSkill?,
        _ round: inout RefreshRound
    ) {
        let plan = group.ratePlanID.flatMap { ratePlans[$0] }
        let method = RatingMethod(
            priceWeight: group.priceWeight ?? configuration.priceWeight, carbonNoise: skill?.absoluteError)
        for (events, venueIDs) in Self.byEvents(group, venueIDs, round.events) {
            var (outlook, isCut) = (outlook, false)
            func priced() -> PlanPrices? {
                round.book.prices(
                    of: plan, round.prices, events, window: outlook.interval, trailing: outlook.month, now: round.now)
            }
            var prices = priced()
            if let known = prices, known.isPriced, method.priceWeight > 0 {
                let cut = outlook.cut(before: known.unpriced)
                isCut = cut.interval != outlook.interval
                if isCut {
                    outlook = cut
                    prices = priced()
                }
            }
            for action in SuggestedAction.allCases {
                let carbon =
                    isCut
                    ? outlook.carbon(action, noise: method.carbonNoise)
                    : round.carbon(of: outlook, group.place, action, noise: method.carbonNoise)
                let window = RatedWindow(
                    outlook, carbon, prices, plan,
                    source: round.prices.source(of: plan), events: events, skill: skill, method: method)
                issue(
                    IssuedWindow(window, action: action, hasRatePlan: plan != nil, issued: round.issued), to: venueIDs,
                    &round)
            }
        }
    }

    private func issue(_ new: IssuedWindow, to venueIDs: [UUID], _ round: inout RefreshRound) {
        // Most venues of a group share what was issued before, too: one comparison is enough.
        var (compared, isNews): (IssuedWindow?, Bool) = (nil, true)
        var publications: [SharedPublication] = []
        var published: [PublishedVenue] = []
        for id in venueIDs {
            if !round.isForced, let old = roster.issued(id, new.action) {
                if old !== compared { (compared, isNews) = (old, new.window.differs(from: old.window)) }
                if !isNews { continue }
            }
            guard let token = token(id, new) else { continue }
            roster.issue(new, to: id)
            let sequence = journal == nil ? nil : roster.nextSequence(id, new.action)
            if let sequence { published.append(PublishedVenue(id: id, sequence: sequence)) }
            publications.append(
                SharedPublication(
                    topic: Topics.guidance(venueID: id, action: new.action),
                    head: SharedGuidance.head(token: token, venueID: id), sequence: sequence.map(UInt64.init)))
        }
        round.count += publications.count
        guard journal == nil else {
            return note(new.document, published, publications)
        }
        do throws(CallFailure) { try publisher.publish(publications, tail: new.document.tail) } catch {
            round.failure = error
        }
    }

    /// The present guidance of a venue, made now if there is none or it is over an hour old.
    func freshGuidance(_ request: GuidanceRequest) async throws(EnergyError) -> Guidance {
        if let window = freshWindow(request) { return try guidance(window, request.venueID) }
        if follows {
            // The other makes it, or can say why not.
            throw .forAnother("this replica has no fresh guidance; another makes it")
        }
        // Else many would wait for one attempt after the other.
        if isUnwritable { throw .forAnother("this replica cannot make guidance while its store is away") }
        await enter()
        defer { leave() }
        if let window = freshWindow(request) { return try guidance(window, request.venueID) }
        guard let venue = roster[request.venueID] else { throw .unknownVenue(request.venueID) }
        await refresh(only: [venue.id])
        if let window = roster.issued(venue.id, request.action), window.window.interval.contains(wallClock.now) {
            return try guidance(window, venue.id)
        }
        throw problems[Place(region: venue.region, timeZone: venue.timeZone)]
            ?? EnergyError(.unavailable, "there is no guidance yet")
    }

    private func freshWindow(_ request: GuidanceRequest) -> IssuedWindow? {
        guard let issued = roster.issued(request.venueID, request.action) else { return nil }
        // The hourly publication may be a little late; two hours mean that it did not come. A moment ahead of the clock
        // is what tells two tokens of one millisecond apart.
        let age = wallClock.now.milliseconds(since: issued.issued)
        return -1_000..<2 * .millisecondsPerHour ~= age && issued.window.interval.contains(wallClock.now) ? issued : nil
    }

    private func guidance(_ window: IssuedWindow, _ venueID: UUID) throws(EnergyError) -> Guidance {
        guard let token = token(venueID, window) else { throw .unknownVenue(venueID) }
        return window.guidance(token: token, venueID: venueID)
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

/// What the groups of one refresh share.
struct RefreshRound {
    let prices: KnownPrices
    let events: [DemandResponseEvent]
    let issued: Timestamp
    let now: Timestamp
    let isForced: Bool
    var book = PriceBook()
    /// How many were published, and why some were not.
    var (count, failure): (Int, CallFailure?) = (0, nil)
    private var carbon: [SuggestedAction: RatingMethod.Carbon] = [:]
    private var place: Place?

    init(
        prices: KnownPrices, events: [DemandResponseEvent], issued: Timestamp, now: Timestamp, isForced: Bool
    ) {
        self.prices = prices
        self.events = events
        self.issued = issued
        self.now = now
        self.isForced = isForced
    }

    /// What all groups of a place are judged against. Places come one after the other.
    mutating func carbon(
        of outlook: Outlook, _ place: Place, _ action: SuggestedAction, noise: Double?
    ) -> RatingMethod.Carbon {
        if place != self.place { (carbon, self.place) = ([:], place) }
        if let present = carbon[action] { return present }
        let made = outlook.carbon(action, noise: noise)
        carbon[action] = made
        return made
    }
}
