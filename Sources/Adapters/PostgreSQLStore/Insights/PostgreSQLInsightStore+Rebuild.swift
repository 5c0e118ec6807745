public import EnergyModel
public import EnergyStore
internal import SQLColumns

extension PostgreSQLInsightStore {
    public func digest() async throws(EnergyError) -> UInt64 {
        try await database.run(.reading, timeout: Self.wholeTimeout) { transaction in
            let generation = try generation(transaction)
            var digest = InsightDigest()
            let venues = try transaction.query(
                """
                SELECT DISTINCT venue_id FROM series WHERE generation = $1
                UNION SELECT DISTINCT venue_id FROM status WHERE generation = $1
                """,
                [generation])
            // Venue by venue: all of it at once might be more than fits into memory.
            for venue in venues {
                let venueID = try venue.value(in: "venue_id")
                for found in try PostgreSQLSeries.fetchAll(venueID: try venue["venue_id"], generation, transaction) {
                    try found.forEachDay { buckets in
                        for index in buckets.indices {
                            digest.add(found.series, buckets.key(index), buckets[index])
                        }
                    }
                }
                func rows(_ table: String) throws -> [PostgreSQLRow] {
                    try transaction.query(
                        "SELECT * FROM \(table) WHERE venue_id = $1 AND generation = $2", [venueID, generation])
                }
                for row in try rows("session") { digest.add(try CountedSession(row)) }
                for row in try rows("status") { digest.add(try Activity(row)) }
            }
            return digest.value
        }
    }

    public func rules() async throws(EnergyError) -> Int {
        guard rebuilding == nil else { return InsightRules.version }
        return try await database.read { try $0.query("SELECT rules FROM projection").first?["rules"] ?? 1 }
    }

    public func beginRebuild() async throws(EnergyError) -> any InsightStore {
        let generation = try await database.run(.readCommitted, timeout: Self.wholeTimeout) { transaction in
            let next = try Self.serving(transaction, .alone) + 1
            try Self.forget(next, transaction)
            return next
        }
        return PostgreSQLInsightStore(database: database, rebuilding: generation)
    }

    public func finishRebuild() async throws(EnergyError) {
        // Once more would put an empty one in its place.
        try await database.run(.readCommitted, timeout: Self.wholeTimeout, mayRepeat: false) { transaction in
            let serving = try Self.serving(transaction, .alone)
            guard try Self.positions(serving, transaction) == Self.positions(serving + 1, transaction) else {
                throw EnergyError(.conflict, "the rebuild is not as far as what it would replace")
            }
            try transaction.send(
                "UPDATE projection SET generation = generation + 1, rules = $1", [InsightRules.version])
            try Self.forget(serving, transaction)
        }
    }
}
