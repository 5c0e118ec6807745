internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What some events add up to, before it is stored.
///
/// Events of one session mostly come together: the session, and the buckets of its series, are held at hand until
/// another comes, and not looked up for every event.
struct ProjectionDraft {
    private static let bucketsMax = 100_000
    private static let changesMax = 5_000

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
    private var bucketCount = 0

    /// Whether it is to be stored before more is counted. Each change of a session and each status is a row or more, and a
    /// transaction has seconds only.
    var isFull: Bool { bucketCount >= Self.bucketsMax || touched.count + statuses.count >= Self.changesMax }

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
        guard let segment = segment(endingWith: event, sequence) else { return }
        // Mostly of the day that was asked for last: nothing is waited for.
        if let terms = book.termsAtHand(event.venueID, segment.interval) { return add(segment, terms) }
        add(segment, try await book.terms(event.venueID, segment.interval))
    }

    /// Counts the event; what happened since the one before is yet to be added.
    private mutating func segment(endingWith event: Event, _ sequence: UInt64) -> SessionSegment? {
        guard let key = CountedSession.key(of: event) else {
            if let status = Activity(event) { statuses.append(status) }
            return nil
        }
        if key != keyAtHand { take(key) }
        guard sessionAtHand?.isOver != true else { return nil }
        let repair =
            repairs.isEmpty ? nil : repairs[EventRepair.Target(venueID: event.venueID, eventID: event.id)]
        isTouchedAtHand = true
        guard let first = sessionAtHand?.sequences.lowerBound else {
            begun.insert(key)
            let counted = CountedSession.following(nil, event, repair: repair)
            sessionAtHand = counted?.progress
            sessionAtHand?.sequences = sequence...sequence
            return counted?.segment
        }
        sessionAtHand?.sequences = (first == 0 ? sequence : min(first, sequence))...sequence
        return sessionAtHand?.count(event, repair: repair)
    }

    private mutating func add(_ segment: SessionSegment, _ terms: TermsTimeline) {
        if let series = sessionAtHand?.series, series != seriesAtHand { take(series) }
        let before = bucketsAtHand.count
        for share in segment.shares(terms: terms) {
            sessionAtHand?.tallies[share.class, default: .zero] += share.tally
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
