internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What some events add up to, before it is stored.
struct ProjectionDraft {
    var book: TermsBook
    private let repairs: [EventRepair.ID: EventRepair.Action]
    /// As far as they are counted.
    private(set) var sessions: [SessionKey: CountedSession]
    private(set) var touched: Set<SessionKey> = []
    private(set) var statuses: [Activity] = []
    private(set) var tallies: [InsightSeries: [QuarterClass: InsightTally]] = [:]
    private(set) var bucketCount = 0

    /// - Parameter repairs: by event.
    init(book: TermsBook, sessions: [SessionKey: CountedSession] = [:], repairs: [EventRepair.ID: EventRepair.Action]) {
        self.book = book
        self.sessions = sessions
        self.repairs = repairs
    }

    mutating func count(_ event: Event, sequence: UInt64) async throws(EnergyError) {
        guard let key = CountedSession.key(of: event) else {
            if let status = Activity(event) { statuses.append(status) }
            return
        }
        // Taken out, so that it is changed in place.
        var previous = sessions.removeValue(forKey: key)
        let repair =
            repairs.isEmpty
            ? nil : repairs[EventRepair.ID(venueID: event.venueID, eventID: event.id)]
        guard let counted = CountedSession.following(previous, event, repair: repair) else {
            sessions[key] = previous
            return
        }
        var progress = counted.progress
        previous = nil
        progress.sequences = min(progress.sequences.lowerBound, sequence)...sequence
        if progress.sequences.lowerBound == 0 { progress.sequences = sequence...sequence }
        touched.insert(key)
        if let segment = counted.segment { try await add(segment, to: &progress) }
        if let baseline = progress.baselineSegment {
            let terms = try await book.terms(key.venueID, baseline.segment.interval)
            progress.baseline = progress.baseline(by: terms)
        }
        sessions[key] = progress
    }

    private mutating func add(
        _ segment: SessionSegment, to progress: inout CountedSession
    ) async throws(EnergyError) {
        let terms = try await book.terms(progress.key.venueID, segment.interval)
        // Taken out, so that a series is looked up twice and not for every bucket.
        var own = tallies.removeValue(forKey: progress.series) ?? [:]
        let before = own.count
        for share in segment.shares(terms: terms) {
            progress.tallies[share.class, default: .zero] += share.tally
            own[QuarterClass(start: share.quarter, class: share.class), default: .zero] += share.tally
        }
        bucketCount += own.count - before
        tallies[progress.series] = own
    }

    /// Takes out what has been added so far; sessions and terms stay known.
    mutating func effects(
        partition: Int, after: UInt64, through: UInt64, checksum: UInt32?, timeZones: [UUID: TimeZone]
    ) -> InsightEffects {
        let effects = InsightEffects(
            partition: partition, after: after, through: through, checksum: checksum,
            sessions: touched.reduce(into: [:]) { $0[$1] = sessions[$1] }, tallies: tallies,
            statuses: statuses, frozenDays: book.changed.reduce(into: [:]) { $0[$1] = book.days[$1] },
            timeZones: timeZones)
        (touched, tallies, bucketCount, statuses) = ([], [:], 0, [])
        return effects
    }
}
