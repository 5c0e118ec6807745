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
    var sessions: [SessionKey: CountedSession]
    /// Those of which something changed.
    var touched: Set<SessionKey> = []
    /// Those whose first event was counted.
    private(set) var begun: Set<SessionKey> = []
    private(set) var statuses: [Activity] = []
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
        book: TermsBook, sessions: [SessionKey: CountedSession] = [:],
        repairs: [EventRepair.Target: EventRepair.Action]
    ) {
        self.book = book
        self.sessions = sessions
        self.repairs = repairs
    }

    mutating func count(_ event: Event, sequence: UInt64) async throws(EnergyError) {
        guard let key = CountedSession.key(of: event) else {
            if let status = Activity(event) { statuses.append(status) }
            return
        }
        if key != keyAtHand { take(key) }
        let repair =
            repairs.isEmpty ? nil : repairs[EventRepair.Target(venueID: event.venueID, eventID: event.id)]
        guard let counted = CountedSession.following(sessionAtHand, event, repair: repair) else { return }
        if sessionAtHand == nil { begun.insert(key) }
        var progress: CountedSession
        let segment: SessionSegment?
        (progress, segment) = counted
        // Let go of, so that what it adds up to is changed in place.
        sessionAtHand = nil
        progress.sequences = min(progress.sequences.lowerBound, sequence)...sequence
        if progress.sequences.lowerBound == 0 { progress.sequences = sequence...sequence }
        if let segment { try await add(segment, to: &progress) }
        isTouchedAtHand = true
        sessionAtHand = progress
    }

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
    mutating func forget(_ book: TermsBook, where isErased: (CountedSession) -> Bool) {
        letGo()
        sessions = sessions.filter { !isErased($0.value) }
        self.book = book
    }

    /// Puts the session at hand back among the others.
    mutating func letGo() { take(SessionKey?.none) }

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
        letGo()
        take(InsightSeries?.none)
        let effects = InsightEffects(
            partition: partition, after: after, through: through, checksum: checksum,
            sessions: touched.reduce(into: [:]) { $0[$1] = sessions[$1] }, tallies: tallies.mapValues { $0.joined() },
            statuses: statuses,
            frozenDays: book.changed.reduce(into: [:]) { $0[$1] = book.days[$1] },
            timeZones: timeZones)
        (touched, begun, tallies, bucketCount, statuses) = ([], [], [:], 0, [])
        book.forgetChanged()
        return effects
    }
}
