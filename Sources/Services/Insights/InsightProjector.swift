public import EnergyFeeds
public import EnergyModel
public import EnergyStore
internal import Foundation

/// Counts the log: load events become segments of sessions, segments become shares of quarter-hours by class.
///
/// The class of a moment is the one known when its record is projected, and stays. When the signals cannot be had now the
/// projection waits where it is: late, never wrong.
public struct InsightProjector: Sendable {
    /// A transaction is closed after the record that fills this many buckets.
    private static let bucketsMax = 20_000

    private let store: any InsightStore
    private let signals: any SignalSource
    private let announce: @Sendable (InsightChange) -> Void

    /// - Parameter announce: told of what changed, after it is stored; at most once per device and page of the log.
    public init(
        store: any InsightStore, signals: any SignalSource,
        announce: @escaping @Sendable (InsightChange) -> Void = { _ in }
    ) {
        self.store = store
        self.signals = signals
        self.announce = announce
    }

    /// Projects the log until the task is cancelled, from where the store stands.
    ///
    /// - Parameters:
    ///   - whenAnother: told why the log is another than the one that was counted; then everything is forgotten, and the
    ///     log counted from its beginning.
    ///   - whenMissed: told of records that are gone before they were counted; then what they held never will be.
    ///   - whenCaughtUp: called each time everything logged so far is counted.
    /// - Throws: when the store does not say where it stands. Later failures are the follower's: it waits and tries again.
    public func run(
        following follower: LogFollower, whenAnother: (_ difference: String) -> Void = { _ in },
        whenMissed: (_ partition: Int, ClosedRange<UInt64>) -> Void = { _, _ in },
        whenCaughtUp: () async -> Void = {}
    ) async throws(EnergyError) {
        let progress = LogProgress(logID: try await store.logID(), heads: try await store.positions())
        await follower.runByPage(
            from: progress,
            adopt: { (found) async throws(EnergyError) in
                if let difference = found.difference { whenAnother(difference) }
                try await store.adopt(log: found.id, anew: found.difference != nil)
            },
            whenMissed: { (partition, records) async throws(EnergyError) in
                whenMissed(partition, records)
                _ = try await store.apply(
                    InsightEffects(partition: partition, after: records.lowerBound - 1, through: records.upperBound))
            },
            whenCaughtUp: whenCaughtUp,
            handlePage: { (page) async throws(EnergyError) in try await project(page) })
    }

    /// Counts records of one partition, in order and without gaps. Those counted before are passed over.
    ///
    /// - Throws: `.unavailable` when signals or store cannot be had now: nothing of the page, or some of its first
    ///   records, are counted. `.conflict` when records are missing before the page.
    public func project(_ page: [LogRecord]) async throws(EnergyError) {
        guard let partition = page.first?.partition else { return }
        let position = try await store.positions().first { $0.partition == partition }?.sequence ?? 0
        let records = page.filter { $0.sequence > position }
        guard let first = records.first else { return }
        guard first.sequence == position &+ 1 else {
            throw EnergyError(
                .conflict, "partition \(partition) is counted to \(position), not to \(first.sequence - 1)")
        }
        let keys = Set(records.lazy.flatMap(\.events).compactMap(CountedSession.key(of:)))
        var sessions = try await store.sessions(keys)
        var classes = DayClasses(signals: signals)
        var effects = InsightEffects(partition: partition, after: position, through: position)
        for record in records {
            if let erasure = record.erasure {
                if effects.through > effects.after { try await commit(effects) }
                effects = InsightEffects(partition: partition, after: effects.through, through: effects.through)
                try await erase(erasure, record.venueID, &sessions)
            }
            effects = InsightEffects(
                partition: partition, after: effects.after, through: record.sequence, checksum: record.checksum,
                sessions: effects.sessions, amounts: effects.amounts)
            for event in record.events { try await count(event, &sessions, &classes, into: &effects) }
            if effects.amounts.count >= Self.bucketsMax {
                try await commit(effects)
                effects = InsightEffects(partition: partition, after: record.sequence, through: record.sequence)
            }
        }
        if effects.through > effects.after { try await commit(effects) }
    }

    /// Takes back what was counted before; counting anew, the log has nothing of it.
    private func erase(
        _ erasure: Erasure, _ venueID: UUID, _ sessions: inout [SessionKey: CountedSession]
    ) async throws(EnergyError) {
        _ = try await store.erase(venueID: venueID) { erasure.covers(deviceID: $0) }
        sessions = sessions.filter { key, session in
            key.venueID != venueID || !erasure.covers(deviceID: session.series.deviceID)
        }
    }

    private func count(
        _ event: Event, _ sessions: inout [SessionKey: CountedSession], _ classes: inout DayClasses,
        into effects: inout InsightEffects
    ) async throws(EnergyError) {
        guard let key = CountedSession.key(of: event),
            let (progress, segment) = CountedSession.following(sessions[key], event)
        else { return }
        sessions[key] = progress
        effects.sessions[key] = progress
        guard let segment else { return }
        for (bucket, amount) in segment.shares(classes: try await classes.timeline(for: segment)) {
            effects.amounts[bucket, default: .zero] += amount
        }
    }

    private func commit(_ effects: InsightEffects) async throws(EnergyError) {
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
        for bucket in effects.amounts.keys {
            let device = DeviceName(venueID: bucket.series.venueID, deviceID: bucket.series.deviceID)
            let span = spans[device] ?? (bucket.start, bucket.start)
            spans[device] = (min(span.first, bucket.start), max(span.last, bucket.start))
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
