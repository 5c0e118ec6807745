public import EnergyModel
public import Foundation
internal import Synchronization

/// An ``InsightStore`` for tests and trials: gone with the process.
public final class InMemoryInsightStore: InsightStore {
    private struct OrderedStatus {
        let status: Activity
        let order: Int

        var cursor: ActivityCursor { ActivityCursor(time: status.time, order: order, id: status.id) }
    }

    /// What a rebuild makes anew.
    private struct Counted {
        var positions: [Int: LogHead] = [:]
        var sessions: [SessionKey: CountedSession] = [:]
        var buckets: [InsightSeries: [QuarterClass: InsightTally]] = [:]
        /// By venue, sorted by time and order.
        var statuses: [UUID: [OrderedStatus]] = [:]

        mutating func add(_ status: Activity) {
            // Taken out: a second reference would make every change copy all of them.
            var kept = statuses.removeValue(forKey: status.venueID) ?? []
            let end = kept.lastIndex { $0.status.time <= status.time }.map { $0 + 1 } ?? 0
            let alike = kept[..<end].reversed().prefix { $0.status.time == status.time }
            if !alike.contains(where: { $0.status.id == status.id }) {
                kept.insert(OrderedStatus(status: status, order: (alike.first?.order ?? 0) + 1), at: end)
            }
            let newest = kept.last?.status.time ?? status.time
            kept.removeFirst(
                kept.prefix { newest.milliseconds(since: $0.status.time) > ActivityRetention.milliseconds }.count)
            statuses[status.venueID] = kept
        }

        var heads: [LogHead] { positions.values.sorted { $0.partition < $1.partition } }
    }

    /// What stays.
    private struct Kept {
        var log: UUID?
        var frozenDays: [FrozenDayKey: FrozenDay] = [:]
        var repairs: [EventRepair] = []
    }

    private let counted: Mutex<Counted>
    private let kept: Shared
    private let begun = Mutex<InMemoryInsightStore?>(nil)

    private final class Shared: Sendable {
        let state = Mutex(Kept())
    }

    public convenience init() { self.init(kept: Shared()) }

    private init(kept: Shared) {
        counted = Mutex(Counted())
        self.kept = kept
    }

    public func positions() async throws(EnergyError) -> [LogHead] { counted.withLock { $0.heads } }

    public func logID() async throws(EnergyError) -> UUID? { kept.state.withLock { $0.log } }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        kept.state.withLock { $0.log = id }
        if anew { counted.withLock { $0 = Counted() } }
    }

    public func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession] {
        counted.withLock { counted in keys.reduce(into: [:]) { $0[$1] = counted.sessions[$1] } }
    }

    public func sessions(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: [CountedSession]] {
        counted.withLock { counted in
            let found = counted.sessions.values.filter { session in
                VehicleKey(session).flatMap { vehicles[$0] }?.contains(session.began) ?? false
            }
            return Dictionary(
                grouping: found.sorted { SessionCursor($0) < SessionCursor($1) },
                by: { VehicleKey(venueID: $0.key.venueID, deviceID: $0.series.deviceID) })
        }
    }

    public func plugHistories(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: PlugHistory] {
        counted.withLock { counted in
            vehicles.reduce(into: [:]) { found, item in
                let (vehicle, interval) = item
                let earliest = interval.start.advanced(byMilliseconds: -PlugHistory.millisecondsMax)
                let statuses = (counted.statuses[vehicle.venueID] ?? []).map(\.status).filter {
                    $0.device.id == vehicle.deviceID && earliest <= $0.time && $0.time < interval.end
                }
                found[vehicle] = PlugHistory(
                    previous: counted.sessions.values.filter {
                        VehicleKey($0) == vehicle && $0.began < interval.start
                    }.max { SessionCursor($0) < SessionCursor($1) },
                    words: statuses.compactMap(PlugHistory.Word.init))
            }
        }
    }

    public func sessions(venueID: UUID, touching interval: Interval) async throws(EnergyError) -> [CountedSession] {
        counted.withLock { counted in
            counted.sessions.values.filter {
                $0.key.venueID == venueID && ($0.pluggedIn ?? $0.began) < interval.end
                    && $0.timestamp >= interval.start
            }.sorted { SessionCursor($0) < SessionCursor($1) }
        }
    }

    public func sessions(
        _ query: SessionQuery, after last: SessionCursor?, limit: Int
    ) async throws(EnergyError) -> (sessions: [CountedSession], applied: [LogHead]) {
        counted.withLock { counted in
            let found = counted.sessions.values.filter { session in
                query.range.contains(session.began) && query.concerns(session.series)
                    && last.map { $0 < SessionCursor(session) } ?? true
            }
            return (Array(found.sorted { SessionCursor($0) < SessionCursor($1) }.prefix(limit)), counted.heads)
        }
    }

    public func savings(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer {
        let found = try await sessions(query.sessions, after: nil, limit: .max)
        let insights = found.sessions.map { SessionInsight($0) }
        let compared = insights.reversed().filter { SessionSaving($0)?.isCompared ?? false }
        return SavingsAnswer(
            savings: Savings(insights), newest: Array(compared.prefix(query.newest)), applied: found.applied)
    }

    public func statuses(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int
    ) async throws(EnergyError) -> (statuses: [Activity], last: ActivityCursor?, applied: [LogHead]) {
        counted.withLock { counted in
            let found = (counted.statuses[query.venueID] ?? []).filter { entry in
                query.range.contains(entry.status.time) && query.wants(entry.status.kind)
                    && (query.deviceID ?? entry.status.device.id) == entry.status.device.id
                    && last.map { $0 < entry.cursor } ?? true
            }.prefix(limit)
            return (found.map(\.status), found.last?.cursor, counted.heads)
        }
    }

    public func frozenDays(_ keys: Set<FrozenDayKey>) async throws(EnergyError) -> [FrozenDayKey: FrozenDay] {
        kept.state.withLock { kept in keys.reduce(into: [:]) { $0[$1] = kept.frozenDays[$1] } }
    }

    public func incompleteDays(since start: Timestamp, limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        frozenDays(limit) { $0.start >= start && $0.isIncomplete }
    }

    public func daysToRate(limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        frozenDays(limit, where: \.needsRating)
    }

    private func frozenDays(_ limit: Int, where isWanted: (FrozenDay) -> Bool) -> [FrozenDayKey] {
        kept.state.withLock { kept in
            let found = kept.frozenDays.filter { isWanted($0.value) }.keys
            let sorted = found.sorted { ($1.start, $0.venueID.uuidString) < ($0.start, $1.venueID.uuidString) }
            return Array(sorted.prefix(limit))
        }
    }

    public func repairs() async throws(EnergyError) -> [EventRepair] { kept.state.withLock { $0.repairs } }

    public func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool {
        let isNew = counted.withLock { counted -> Result<Bool, EnergyError> in
            let position = counted.positions[effects.partition]?.sequence ?? 0
            guard position < effects.through || position == effects.after else { return .success(false) }
            guard position == effects.after else {
                return .failure(
                    EnergyError(
                        .conflict, "partition \(effects.partition) is counted to \(position), not to \(effects.after)"))
            }
            if effects.through > effects.after {
                counted.positions[effects.partition] = LogHead(
                    partition: effects.partition, sequence: effects.through, checksum: effects.checksum)
            }
            counted.sessions.merge(effects.sessions) { $1 }
            for status in effects.statuses { counted.add(status) }
            for (series, tallies) in effects.tallies {
                for bucket in tallies {
                    let sum = counted.buckets[series, default: [:]][bucket.key, default: .zero] + bucket.tally
                    counted.buckets[series, default: [:]][bucket.key] = sum == .zero ? nil : sum
                }
                if counted.buckets[series]?.isEmpty == true { counted.buckets[series] = nil }
            }
            kept.state.withLock { kept in
                kept.frozenDays.merge(effects.frozenDays) { $1 }
                kept.repairs += effects.repairs
            }
            return .success(true)
        }
        return try isNew.get()
    }

    public func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount] {
        counted.withLock { counted in
            let series = counted.buckets.keys.filter { $0.venueID == venueID && isErased($0.deviceID) }
            for series in series { counted.buckets[series] = nil }
            let sessions = Set(
                counted.sessions.filter { $0.key.venueID == venueID && isErased($0.value.series.deviceID) }.keys)
            for key in sessions { counted.sessions[key] = nil }
            let statuses = counted.statuses[venueID, default: []].filter { isErased($0.status.device.id) }
            counted.statuses[venueID]?.removeAll { isErased($0.status.device.id) }
            let isEmpty = !counted.sessions.keys.contains { $0.venueID == venueID }
            kept.state.withLock { kept in
                kept.repairs.removeAll {
                    sessions.contains(SessionKey(venueID: $0.venueID, sessionID: $0.sessionID))
                }
                if isEmpty { kept.frozenDays = kept.frozenDays.filter { $0.key.venueID != venueID } }
            }
            return [
                ErasedCount(kind: "bucket", count: series.count),
                ErasedCount(kind: "session", count: sessions.count),
                ErasedCount(kind: "status", count: statuses.count),
            ]
        }
    }

    public func series(venueID: UUID) async throws(EnergyError) -> [InsightSeries] {
        counted.withLock { counted in
            counted.buckets.keys.filter { $0.venueID == venueID }.sorted { $0.order < $1.order }
        }
    }

    public func totals(
        of scope: InsightScope, over grid: PeriodGrid, from first: Int, limit: Int
    ) async throws(EnergyError) -> InsightTotals {
        let range = first..<max(first, min(grid.count, first + limit))
        return counted.withLock { counted in
            var collector = TotalsCollector()
            for (series, tallies) in counted.buckets where scope.contains(series) {
                for (key, tally) in tallies {
                    guard let index = grid.index(of: key.start), range.contains(index) else { continue }
                    collector.add(tally, key.class, to: index)
                }
            }
            return InsightTotals(
                entries: collector.entries, next: range.upperBound < grid.count ? range.upperBound : nil,
                applied: counted.heads)
        }
    }

    public func digest() async throws(EnergyError) -> UInt64 {
        counted.withLock { counted in
            var digest = InsightDigest()
            for (series, tallies) in counted.buckets {
                for (key, tally) in tallies { digest.add(series, key, tally) }
            }
            for session in counted.sessions.values { digest.add(session) }
            for entry in counted.statuses.values.joined() { digest.add(entry.status) }
            return digest.value
        }
    }

    public func rules() async throws(EnergyError) -> Int { InsightRules.version }

    public func beginRebuild() async throws(EnergyError) -> any InsightStore {
        let store = InMemoryInsightStore(kept: kept)
        begun.withLock { $0 = store }
        return store
    }

    public func finishRebuild() async throws(EnergyError) {
        guard let store = begun.withLock({ $0 }) else { throw EnergyError(.conflict, "no rebuild was begun") }
        let rebuilt = store.counted.withLock { $0 }
        let isDone = counted.withLock { counted in
            guard counted.heads == rebuilt.heads else { return false }
            counted = rebuilt
            return true
        }
        guard isDone else { throw EnergyError(.conflict, "the rebuild is not as far as what it would replace") }
        begun.withLock { $0 = nil }
    }
}

extension ActivityCursor: Comparable {
    public static func < (lhs: ActivityCursor, rhs: ActivityCursor) -> Bool {
        (lhs.time, lhs.order, lhs.id.bigEndian) < (rhs.time, rhs.order, rhs.id.bigEndian)
    }
}

extension SessionCursor: Comparable {
    public static func < (lhs: SessionCursor, rhs: SessionCursor) -> Bool {
        (lhs.began, lhs.sessionID.bigEndian) < (rhs.began, rhs.sessionID.bigEndian)
    }
}

extension UUID {
    /// In the order of its bytes.
    fileprivate var bigEndian: UInt128 {
        withUnsafeBytes(of: uuid) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}

extension InsightSeries {
    /// By device, kind and direction.
    fileprivate var order: (String, String, String) { (deviceID, kind.rawValue, direction.rawValue) }
}
