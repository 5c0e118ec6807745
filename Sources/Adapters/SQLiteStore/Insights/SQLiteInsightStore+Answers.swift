public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB
internal import SQLColumns

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
            for row in try SeriesRow.fetchAll(venueID: scope.venueID, generation, db) where scope.contains(row.series) {
                try collector.add(ReadDays(rows: DayRows(series: row), database: db), grid, range)
            }
            return InsightTotals(
                entries: collector.entries, next: range.upperBound < grid.count ? range.upperBound : nil,
                applied: try Self.positions(generation, db))
        }
    }
}
