public import EnergyModel
public import Foundation

/// An ``InsightStore`` for tests and trials: gone with the process.
public actor InMemoryInsightStore: InsightStore {
    private struct Entry {
        let start: Timestamp
        var amounts: [InsightClass: InsightAmount]
    }

    private var positionsByPartition: [Int: LogHead] = [:]
    private var log: UUID?
    private var known: [SessionKey: CountedSession] = [:]
    /// Sorted by start.
    private var entries: [InsightSeries: [Entry]] = [:]

    public init() {}

    public func positions() async throws(EnergyError) -> [LogHead] { heads }

    public func logID() async throws(EnergyError) -> UUID? { log }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        log = id
        guard anew else { return }
        (positionsByPartition, known, entries) = ([:], [:], [:])
    }

    public func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession] {
        keys.reduce(into: [:]) { $0[$1] = known[$1] }
    }

    public func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool {
        let position = positionsByPartition[effects.partition]?.sequence ?? 0
        guard position < effects.through else { return false }
        guard position == effects.after else {
            throw EnergyError(
                .conflict, "partition \(effects.partition) is counted to \(position), not to \(effects.after)")
        }
        positionsByPartition[effects.partition] = LogHead(
            partition: effects.partition, sequence: effects.through, checksum: effects.checksum)
        known.merge(effects.sessions) { $1 }
        for (bucket, amount) in effects.amounts { add(amount, to: bucket) }
        return true
    }

    public func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount] {
        let series = entries.keys.filter { $0.venueID == venueID && isErased($0.deviceID) }
        for series in series { entries[series] = nil }
        let sessions = known.filter { $0.key.venueID == venueID && isErased($0.value.series.deviceID) }.keys
        for key in sessions { known[key] = nil }
        return [
            ErasedCount(kind: "bucket", count: series.count), ErasedCount(kind: "session", count: sessions.count),
        ]
    }

    public func totals(
        of scope: InsightScope, in range: Interval, by periods: CalendarPeriods, limit: Int
    ) async throws(EnergyError) -> InsightTotals {
        let series = entries.keys.filter { series in
            series.venueID == scope.venueID && series.direction == scope.direction
                && (scope.deviceID == nil || series.deviceID == scope.deviceID)
        }
        var totals: [InsightTotals.Period] = []
        var from = range.start
        while let first = series.compactMap({ firstStart(of: $0, from: from) }).min(), first < range.end {
            guard totals.count < limit else { return InsightTotals(periods: totals, next: from, applied: heads) }
            let period = periods.period(containing: first)
            var amounts: [InsightClass: InsightAmount] = [:]
            for series in series { add(series, from: first, to: period.end, into: &amounts) }
            totals.append(InsightTotals.Period(interval: period, amounts: amounts))
            from = period.end
        }
        return InsightTotals(periods: totals, next: nil, applied: heads)
    }

    private var heads: [LogHead] { positionsByPartition.values.sorted { $0.partition < $1.partition } }

    private func add(_ amount: InsightAmount, to bucket: InsightBucket) {
        let index = index(of: bucket.series, from: bucket.start)
        if index < entries[bucket.series, default: []].count, entries[bucket.series]?[index].start == bucket.start {
            entries[bucket.series]?[index].amounts[bucket.class, default: .zero] += amount
        } else {
            entries[bucket.series, default: []].insert(
                Entry(start: bucket.start, amounts: [bucket.class: amount]), at: index)
        }
    }

    private func add(
        _ series: InsightSeries, from start: Timestamp, to end: Timestamp,
        into amounts: inout [InsightClass: InsightAmount]
    ) {
        guard let entries = entries[series] else { return }
        for entry in entries[index(of: series, from: start)...].prefix(while: { $0.start < end }) {
            amounts.merge(entry.amounts, uniquingKeysWith: +)
        }
    }

    private func firstStart(of series: InsightSeries, from start: Timestamp) -> Timestamp? {
        guard let entries = entries[series] else { return nil }
        let index = index(of: series, from: start)
        return index < entries.count ? entries[index].start : nil
    }

    /// Of the first entry that does not start before `start`.
    private func index(of series: InsightSeries, from start: Timestamp) -> Int {
        guard let entries = entries[series] else { return 0 }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
