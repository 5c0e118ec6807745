public import EnergyModel
public import EnergyStore
internal import GRDB

extension SQLiteInsightStore {
    public func digest() async throws(EnergyError) -> UInt64 {
        try await database.read { db in
            let generation = try generation(db)
            var digest = InsightDigest()
            try SeriesRow.forEach(generation, db) { row in
                try DayRows(series: row).forEachBucket(db) { digest.add(row.series, $0, $1) }
            }
            try CountedSessionRow.forEach(generation, db) { digest.add($0) }
            try StatusRow.forEach(generation, db) { digest.add($0) }
            return digest.value
        }
    }

    public func rules() async throws(EnergyError) -> Int {
        guard case .serving = role else { return InsightRules.version }
        return try await database.read { try Int.fetchOne($0, sql: "SELECT rules FROM projection") ?? 1 }
    }

    public func beginRebuild() async throws(EnergyError) -> any InsightStore {
        let generation = try await database.write { db in
            let next = try Self.serving(db) + 1
            try Self.forget(next, db)
            return next
        }
        return SQLiteInsightStore(database: database, role: .rebuilding(generation: generation))
    }

    public func finishRebuild() async throws(EnergyError) {
        try await database.write { db in
            let serving = try Self.serving(db)
            guard try Self.positions(serving, db) == Self.positions(serving + 1, db) else {
                throw EnergyError(.conflict, "the rebuild is not as far as what it would replace")
            }
            try db.execute(
                sql: "UPDATE projection SET generation = generation + 1, rules = ?", arguments: [InsightRules.version])
            try Self.forget(serving, db)
        }
    }
}
