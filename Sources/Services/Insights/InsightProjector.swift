public import EnergyFeeds
public import EnergyModel
public import EnergyStore
internal import Foundation
internal import Synchronization

/// Counts the log: load events become segments of sessions, segments become shares of quarter-hours by class.
///
/// The terms of a quarter of an hour, its class, price and carbon, are those known when something is first counted in it,
/// and stay (``FrozenDay``). When the signals cannot be had now the projection waits where it is: late, never wrong.
public final class InsightProjector: Sendable {
    private static let cachedDaysMax = 4_096

    let store: any InsightStore
    let signals: any SignalSource
    let venues: any VenueSource
    let announce: @Sendable (InsightChange) -> Void
    let lock = ProjectionLock()
    private let cache = Mutex(Cache())

    /// What would be read again for every page.
    private struct Cache {
        var days: [FrozenDayKey: FrozenDay] = [:]
        var repairs: [EventRepair.Target: EventRepair.Action]?
    }

    /// - Parameters:
    ///   - venues: on whose clocks the buckets are kept.
    ///   - announce: told of what changed, after it is stored; at most once per device and page of the log.
    public init(
        store: any InsightStore, signals: any SignalSource, venues: any VenueSource,
        announce: @escaping @Sendable (InsightChange) -> Void = { _ in }
    ) {
        self.store = store
        self.signals = signals
        self.venues = venues
        self.announce = announce
    }

    /// Projects the log until the task is cancelled, from where the store stands.
    ///
    /// - Parameters:
    ///   - whenAnother: told why the log is another than the one that was counted; then everything is forgotten, and the
    ///     log counted from its beginning.
    ///   - whenMissed: told of records that are gone before they were counted; then what they held never will be.
    ///   - whenCounted: called after each page of the log.
    ///   - whenCaughtUp: called each time everything logged so far is counted.
    /// - Throws: when the store does not say where it stands. Later failures are the follower's: it waits and tries again.
    public func run(
        following follower: LogFollower, whenAnother: (_ difference: String) -> Void = { _ in },
        whenMissed: (_ partition: Int, ClosedRange<UInt64>) -> Void = { _, _ in },
        whenCounted: () -> Void = {}, whenCaughtUp: () async -> Void = {}
    ) async throws(EnergyError) {
        let progress = LogProgress(logID: try await store.logID(), heads: try await store.positions())
        await follower.runByPage(
            from: progress,
            adopt: { (found) async throws(EnergyError) in
                if let difference = found.difference { whenAnother(difference) }
                let (id, isAnother) = (found.id, found.difference != nil)
                try await lock.hold { [store] () async throws(EnergyError) in
                    try await store.adopt(log: id, anew: isAnother)
                }
            },
            whenMissed: { (partition, records) async throws(EnergyError) in
                whenMissed(partition, records)
                try await passOver(records, of: partition)
            },
            whenCaughtUp: whenCaughtUp,
            handlePage: { (page) async throws(EnergyError) in
                try await project(page)
                whenCounted()
            })
    }

    /// Counts records of one partition, in order and without gaps. Those counted before are passed over.
    ///
    /// - Throws: `.unavailable` when signals or store cannot be had now: nothing of the page, or some of its first
    ///   records, are counted. `.conflict` when records are missing before the page.
    public func project(_ page: [LogRecord]) async throws(EnergyError) {
        try await lock.hold { () async throws(EnergyError) in try await self.count(page) }
    }

    func passOver(_ records: ClosedRange<UInt64>, of partition: Int) async throws(EnergyError) {
        try await lock.hold { [store] () async throws(EnergyError) in
            _ = try await store.apply(
                InsightEffects(partition: partition, after: records.lowerBound - 1, through: records.upperBound))
        }
    }

    /// - Precondition: the lock is held.
    func count(_ page: [LogRecord]) async throws(EnergyError) {
        guard let partition = page.first?.partition else { return }
        let position = try await store.positions().first { $0.partition == partition }?.sequence ?? 0
        let records = page.filter { $0.sequence > position }
        guard let first = records.first else { return }
        guard first.sequence == position &+ 1 else {
            throw EnergyError(
                .conflict, "partition \(partition) is counted to \(position), not to \(first.sequence - 1)")
        }
        let keys = Self.sessionKeys(records)
        let timeZones = try await timeZones(of: Set(keys.map(\.venueID)))
        // Taken out, so that it is changed in place; what fails on the way reads it again.
        let known = cache.withLock { cache in
            defer { cache.days = [:] }
            return cache.days
        }
        var draft = ProjectionDraft(
            book: TermsBook(store: store, signals: signals, timeZones: timeZones, days: known),
            sessions: try await store.sessions(keys), repairs: try await repairs())
        var after = position
        for record in records {
            if let erasure = record.erasure {
                if record.sequence - 1 > after {
                    try await draft.settle()
                    try await commit(
                        draft.effects(
                            partition: partition, after: after, through: record.sequence - 1, checksum: nil,
                            timeZones: timeZones))
                    after = record.sequence - 1
                }
                try await erase(erasure, record.venueID, timeZones, &draft)
            }
            for event in record.events { try await draft.count(event, sequence: record.sequence) }
            guard draft.isFull || record.sequence == records.last?.sequence else { continue }
            try await draft.settle()
            try await commit(
                draft.effects(
                    partition: partition, after: after, through: record.sequence, checksum: record.checksum,
                    timeZones: timeZones))
            after = record.sequence
        }
        let days = draft.book.days
        cache.withLock { $0.days = days.count > Self.cachedDaysMax ? [:] : days }
    }

    private static func sessionKeys(_ records: [LogRecord]) -> Set<SessionKey> {
        var (keys, last): (Set<SessionKey>, SessionKey?) = ([], nil)
        for event in records.lazy.flatMap(\.events) {
            guard let key = CountedSession.key(of: event), key != last else { continue }
            keys.insert(key)
            last = key
        }
        return keys
    }

    func repairs() async throws(EnergyError) -> [EventRepair.Target: EventRepair.Action] {
        if let known = cache.withLock({ $0.repairs }) { return known }
        let actions = try await store.repairs().inForce
        cache.withLock { $0.repairs = actions }
        return actions
    }

    /// What was read before may no longer be so.
    func forgetCache() { cache.withLock { $0 = Cache() } }

    func timeZones(of venueIDs: Set<UUID>) async throws(EnergyError) -> [UUID: TimeZone] {
        var zones: [UUID: TimeZone] = [:]
        for id in venueIDs {
            do throws(EnergyError) { zones[id] = try await venues.venue(id: id).timeZone } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return zones
    }

    /// Takes back what was counted before; counting anew, the log has nothing of it.
    private func erase(
        _ erasure: Erasure, _ venueID: UUID, _ timeZones: [UUID: TimeZone], _ draft: inout ProjectionDraft
    ) async throws(EnergyError) {
        _ = try await store.erase(venueID: venueID) { erasure.covers(deviceID: $0) }
        draft.forget(TermsBook(store: store, signals: signals, timeZones: timeZones)) { session in
            session.key.venueID == venueID && erasure.covers(deviceID: session.series.deviceID)
        }
    }

    func commit(_ effects: InsightEffects) async throws(EnergyError) {
        guard try await store.apply(effects) else { return }
        for change in Self.changes(effects) { announce(change) }
    }

    /// One per device, from its first bucket to its last.
    private static func changes(_ effects: InsightEffects) -> [InsightChange] {
        struct DeviceName: Hashable {
            let venueID: UUID
            let deviceID: String
        }
        var spans: [DeviceName: (first: Timestamp, last: Timestamp)] = [:]
        for (series, tallies) in effects.tallies {
            let device = DeviceName(venueID: series.venueID, deviceID: series.deviceID)
            guard let first = tallies.first?.key.start, let last = tallies.last?.key.start else { continue }
            let span = spans[device] ?? (first, last)
            spans[device] = (min(span.first, first), max(span.last, last))
        }
        // Also where nothing was used: a session that begins or ends, a status.
        for session in effects.sessions.values {
            let device = DeviceName(venueID: session.key.venueID, deviceID: session.series.deviceID)
            let quarter = session.timestamp.floored(toMilliseconds: InsightBucket.milliseconds)
            spans[device] = spans[device] ?? (quarter, quarter)
        }
        for status in effects.statuses {
            let device = DeviceName(venueID: status.venueID, deviceID: status.device.id)
            let quarter = status.time.floored(toMilliseconds: InsightBucket.milliseconds)
            let span = spans[device] ?? (quarter, quarter)
            spans[device] = (min(span.first, quarter), max(span.last, quarter))
        }
        return spans.map { device, span in
            InsightChange(
                venueID: device.venueID, deviceID: device.deviceID,
                interval: Interval(
                    start: span.first,
                    milliseconds: span.last.milliseconds(since: span.first) + InsightBucket.milliseconds))
        }
    }
}
