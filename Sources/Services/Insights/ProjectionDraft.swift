internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What some events add up to, before it is stored.
///
/// Events of one session mostly come together: the session, and the buckets of its series, are held at hand until
/// another comes, and not looked up for every event.
struct ProjectionDraft {
    var book: TermsBook
    private let repairs: [EventRepair.Target: EventRepair.Action]
    private var sessions: [SessionKey: CountedSession]
    private var touched: Set<SessionKey> = []
    private var statuses: [Activity] = []
    private var stays: StayBook
    private var tallies: [InsightSeries: [QuarterTally]] = [:]
    /// Not in `tallies` meanwhile.
    private var bucketsAtHand: [QuarterTally] = []
    private var seriesAtHand: InsightSeries?
    /// Not in `sessions` meanwhile.
    private var sessionAtHand: CountedSession?
    private var keyAtHand: SessionKey?
    private var isTouchedAtHand = false
    private(set) var bucketCount = 0

    /// - Parameter repairs: by event.
    init(
        book: TermsBook, stays: StayBook, sessions: [SessionKey: CountedSession] = [:],
        repairs: [EventRepair.Target: EventRepair.Action]
    ) {
        self.book = book
        self.stays = stays
        self.sessions = sessions
        self.repairs = repairs
    }

    mutating func count(_ event: Event, sequence: UInt64) async throws(EnergyError) {
        guard let key = CountedSession.key(of: event) else {
            if let status = Activity(event) { statuses.append(status) }
            _ = stays.follow(event, beginning: nil)
            return try await heed(event)
        }
        if key != keyAtHand { take(key) }
        let repair =
            repairs.isEmpty ? nil : repairs[EventRepair.Target(venueID: event.venueID, eventID: event.id)]
        let begin = stays.follow(event, beginning: sessionAtHand == nil ? key : nil)
        guard let counted = CountedSession.following(sessionAtHand, event, repair: repair, begin: begin)
        else { return }
        var progress: CountedSession
        let segment: SessionSegment?
        (progress, segment) = counted
        // Let go of, so that what it adds up to is changed in place.
        sessionAtHand = nil
        progress.sequences = min(progress.sequences.lowerBound, sequence)...sequence
        if progress.sequences.lowerBound == 0 { progress.sequences = sequence...sequence }
        if let segment { try await add(segment, to: &progress) }
        if progress.isOver {
            try await measure(&progress)
            stays.end(progress, by: event)
        }
        isTouchedAtHand = true
        sessionAtHand = progress
        try await heed(event)
    }

    /// Late word of a plug-in, or of the end of the session before, changes how the newest session's stay began.
    private mutating func heed(_ event: Event) async throws(EnergyError) {
        guard let (key, begin) = stays.lateWord(event) else { return }
        var known = session(key)
        if known == nil { known = try await book.store.sessions([key])[key] }
        guard let session = known, session.pluggedIn != begin.pluggedIn || session.follows != begin.follows else {
            return
        }
        var corrected = session.of(begin)
        try await measure(&corrected)
        sessions[key] = corrected
        touched.insert(key)
        stays.move(behind: corrected)
    }

    /// Works the baseline out, if it can be said.
    private mutating func measure(_ session: inout CountedSession) async throws(EnergyError) {
        guard let baseline = session.baselineSegment else { return }
        let terms = try await book.terms(session.key.venueID, baseline.segment.interval)
        session.baseline = session.baseline(by: terms)
    }

    /// A session as it is counted by now; `nil` if nothing was counted of it here.
    mutating func session(_ key: SessionKey) -> CountedSession? {
        take(SessionKey?.none)
        return sessions[key]
    }

    /// Counts a session's baseline anew, behind the session that it follows.
    ///
    /// - Returns: the session; `nil` where nothing changes.
    mutating func move(
        _ session: CountedSession, behind previous: CountedSession
    ) async throws(EnergyError) -> CountedSession? {
        take(SessionKey?.none)
        let session = sessions[session.key] ?? session
        guard let resumes = previous.resumes else { return nil }
        var moved = session.moved(to: resumes)
        guard moved.pluggedIn != session.pluggedIn else { return nil }
        try await measure(&moved)
        sessions[session.key] = moved
        touched.insert(session.key)
        return moved
    }

    func stay(of vehicle: VehicleKey) -> VehicleStay? { stays.stay(of: vehicle) }

    mutating func keep(_ stay: VehicleStay, of vehicle: VehicleKey) { stays.keep(stay, of: vehicle) }

    private mutating func add(
        _ segment: SessionSegment, to progress: inout CountedSession
    ) async throws(EnergyError) {
        // Mostly of the day that was asked for last: nothing is waited for.
        let known = book.termsAtHand(progress.key.venueID, segment.interval)
        let terms =
            if let known { known } else { try await book.terms(progress.key.venueID, segment.interval) }
        if progress.series != seriesAtHand { take(progress.series) }
        let before = bucketsAtHand.count
        for share in segment.shares(terms: terms) {
            progress.tallies[share.class, default: .zero] += share.tally
            bucketsAtHand.add(share.tally, to: QuarterClass(start: share.quarter, class: share.class))
        }
        bucketCount += bucketsAtHand.count - before
    }

    /// Forgets sessions that were erased, and begins another book. Everything that was added is taken out before.
    mutating func forget(_ book: TermsBook, where isErased: (VehicleKey) -> Bool) {
        take(SessionKey?.none)
        sessions = sessions.filter { key, session in
            !isErased(VehicleKey(venueID: key.venueID, deviceID: session.series.deviceID))
        }
        stays.forget(where: isErased)
        self.book = book
    }

    private mutating func take(_ key: SessionKey?) {
        if let keyAtHand { sessions[keyAtHand] = sessionAtHand }
        if let keyAtHand, isTouchedAtHand { touched.insert(keyAtHand) }
        (keyAtHand, isTouchedAtHand) = (key, false)
        sessionAtHand = key.flatMap { sessions.removeValue(forKey: $0) }
    }

    private mutating func take(_ series: InsightSeries?) {
        if let seriesAtHand { tallies[seriesAtHand] = bucketsAtHand }
        seriesAtHand = series
        bucketsAtHand = series.flatMap { tallies.removeValue(forKey: $0) } ?? []
    }

    /// Takes out what has been added so far; sessions and terms stay known.
    mutating func effects(
        partition: Int, after: UInt64, through: UInt64, checksum: UInt32?, timeZones: [UUID: TimeZone]
    ) -> InsightEffects {
        take(SessionKey?.none)
        take(InsightSeries?.none)
        let effects = InsightEffects(
            partition: partition, after: after, through: through, checksum: checksum,
            sessions: touched.reduce(into: [:]) { $0[$1] = sessions[$1] }, tallies: tallies.mapValues { $0.joined() },
            statuses: statuses, stays: stays.takeChanged(),
            frozenDays: book.changed.reduce(into: [:]) { $0[$1] = book.days[$1] },
            timeZones: timeZones)
        (touched, tallies, bucketCount, statuses) = ([], [:], 0, [])
        book.forgetChanged()
        return effects
    }
}
