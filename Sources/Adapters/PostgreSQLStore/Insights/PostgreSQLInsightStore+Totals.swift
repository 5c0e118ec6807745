public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

extension PostgreSQLInsightStore {
    public func series(venueID: UUID) async throws(EnergyError) -> [InsightSeries] {
        try await database.read { transaction in
            try PostgreSQLSeries.fetchAll(venueID: venueID, generation(transaction), transaction).map(\.series)
        }
    }

    public func totals(
        of scope: InsightScope, over grid: PeriodGrid, from first: Int, limit: Int
    ) async throws(EnergyError) -> InsightTotals {
        let range = first..<max(first, min(grid.count, first + limit))
        return try await database.read { transaction in
            let generation = try generation(transaction)
            var collector = TotalsCollector(periods: range.count)
            for found in try PostgreSQLSeries.fetchAll(venueID: scope.venueID, generation, transaction)
            where scope.contains(found.series) {
                try collector.add(found, grid, range)
            }
            return InsightTotals(
                entries: collector.entries, next: range.upperBound < grid.count ? range.upperBound : nil,
                applied: try Self.positions(generation, transaction))
        }
    }
}
