public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

extension SQLiteInsightStore {
    public func statuses(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int
    ) async throws(EnergyError) -> (statuses: [Activity], last: ActivityCursor?, applied: [LogHead]) {
        try await database.read { db in
            let generation = try generation(db)
            let found = try StatusRow.fetch(query, after: last, limit: limit, generation, db)
            return (found.statuses, found.last, try Self.positions(generation, db))
        }
    }

    public func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { db in
            let generation = try generation(db)
            return try keys.reduce(into: [:]) { found, key in
                found[key] = try CountedSessionRow.fetch(key, generation, db)
            }
        }
    }

    public func sessions(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: [CountedSession]] {
        guard !vehicles.isEmpty else { return [:] }
        return try await database.read { db in
            let generation = try generation(db)
            return try vehicles.reduce(into: [:]) { found, item in
                let sessions = try StayRow.sessions(of: item.key, in: item.value, generation, db)
                found[item.key] = sessions.isEmpty ? nil : sessions
            }
        }
    }

    public func plugHistories(
        of vehicles: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: PlugHistory] {
        guard !vehicles.isEmpty else { return [:] }
        return try await database.read { db in
            let generation = try generation(db)
            return try vehicles.reduce(into: [:]) { found, item in
                found[item.key] = try StayRow.history(of: item.key, before: item.value, generation, db)
            }
        }
    }

    public func sessions(venueID: UUID, touching interval: Interval) async throws(EnergyError) -> [CountedSession] {
        try await database.read { db in
            try CountedSessionRow.fetch(venueID: venueID, touching: interval, generation(db), db)
        }
    }

    public func sessions(
        _ query: SessionQuery, after last: SessionCursor?, limit: Int
    ) async throws(EnergyError) -> (sessions: [CountedSession], applied: [LogHead]) {
        try await database.read { db in
            let generation = try generation(db)
            return (
                try CountedSessionRow.fetch(query, after: last, limit: limit, generation, db),
                try Self.positions(generation, db)
            )
        }
    }

    public func savings(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer {
        try await database.read { db in
            let generation = try generation(db)
            let (sessions, range) = (query.sessions, query.sessions.range)
            let series = try SeriesRow.fetchAll(venueID: sessions.venueID, generation, db).filter {
                sessions.concerns($0.series)
            }
            return SavingsAnswer(
                savings: try SavingsRow.sum(series, beganIn: range, db),
                newest: try SavingsRow.newest(query.newest, of: series, beganIn: range, db).map(SessionInsight.init),
                applied: try Self.positions(generation, db))
        }
    }

    public func series(venueID: UUID) async throws(EnergyError) -> [InsightSeries] {
        try await database.read { db in
            try SeriesRow.fetchAll(venueID: venueID, generation(db), db).map(\.series)
        }
    }

    public func totals(
        of scope: InsightScope, over grid: PeriodGrid, from first: Int, limit: Int
    ) async throws(EnergyError) -> InsightTotals {
        let range = first..<max(first, min(grid.count, first + limit))
        return try await database.read { db in
            let generation = try generation(db)
            var collector = TotalsCollector(periods: range.count)
            for row in try SeriesRow.fetchAll(venueID: scope.venueID, generation, db)
            where scope.contains(row.series) && !range.isEmpty {
                let isLaidOutAlike = row.timeZone.identifier == grid.timeZone.identifier
                if grid.granularity.isOfWholeDays, isLaidOutAlike {
                    try Self.addDays(row, grid, range, to: &collector, db)
                } else {
                    try Self.addBuckets(row, grid, range, to: &collector, db)
                }
            }
            return InsightTotals(
                entries: collector.entries, next: range.upperBound < grid.count ? range.upperBound : nil,
                applied: try Self.positions(generation, db))
        }
    }

    private static func addDays(
        _ row: SeriesRow, _ grid: PeriodGrid, _ range: Range<Int>, to collector: inout TotalsCollector, _ db: Database
    ) throws {
        let offsets = ZoneOffsets.of(row.timeZone)
        // Which days the periods begin with, and the day after the last.
        let firsts = grid.edges[range.lowerBound...range.upperBound].map { offsets.dayNumber(at: $0) }
        guard let first = firsts.first, let end = firsts.last, first < end else { return }
        var period = 0
        let days = try DayRows(series: row).sums(in: first...end - 1, db)
        while let (day, sums) = try days.next() {
            while firsts[period + 1] <= day { period += 1 }
            for index in sums.indices { collector.add(sums[index], sums.class(index), to: range.lowerBound + period) }
        }
    }

    private static func addBuckets(
        _ row: SeriesRow, _ grid: PeriodGrid, _ range: Range<Int>, to collector: inout TotalsCollector, _ db: Database
    ) throws {
        let offsets = ZoneOffsets.of(row.timeZone)
        let (start, end) = (grid.edges[range.lowerBound], grid.edges[range.upperBound])
        let days = offsets.dayNumber(at: start)...offsets.dayNumber(at: end.advanced(byMilliseconds: -1))
        var period = range.lowerBound
        let rows = try DayRows(series: row).buckets(in: days, db)
        while let buckets = try rows.next() { buckets.add(over: grid, range, from: &period, to: &collector) }
    }
}

extension Granularity {
    /// Its periods are made of local days.
    fileprivate var isOfWholeDays: Bool {
        switch self {
        case .quarterHourly, .hourly: false
        case .daily, .weekly, .monthly, .yearly: true
        }
    }
}
