internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// SQL on the table `frozen_day`.
enum FrozenDayRow {
    /// What is there was rated among its UTC day. Part of a migration: never edited once it was released.
    static func rateAnew(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE frozen_day ADD COLUMN needs_rating INTEGER NOT NULL DEFAULT 0;
                UPDATE frozen_day SET needs_rating = 1;
                CREATE INDEX frozen_day_to_rate ON frozen_day (day) WHERE needs_rating;
                """)
    }

    static func fetch(_ key: FrozenDayKey, _ db: Database) throws -> FrozenDay? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT first_half, second_half, terms, needs_rating FROM frozen_day
                    WHERE venue_id = ? AND day = ?
                    """),
            arguments: [key.venueID.bytes, day(key)]
        ).map { row in
            FrozenDay(
                start: key.start,
                isFrozen: (UInt64(bitPattern: row[0] as Int64), UInt64(bitPattern: row[1] as Int64)),
                terms: try terms(row[2], from: key.start), needsRating: row[3])
        }
    }

    static func save(_ frozen: FrozenDay, _ key: FrozenDayKey, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO frozen_day (venue_id, day, first_half, second_half, is_incomplete, terms, needs_rating)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            key.venueID.bytes, day(key), Int64(bitPattern: frozen.isFrozen.0), Int64(bitPattern: frozen.isFrozen.1),
            frozen.isIncomplete, packed(frozen.terms, from: key.start), frozen.needsRating,
        ])
    }

    static func incomplete(since start: Timestamp, limit: Int, _ db: Database) throws -> [FrozenDayKey] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT venue_id, day FROM frozen_day WHERE is_incomplete AND day >= ?
                    ORDER BY day DESC, venue_id LIMIT ?
                    """),
            arguments: [start.unixMilliseconds / .millisecondsPerDay, limit]
        ).map(key)
    }

    static func toRate(limit: Int, _ db: Database) throws -> [FrozenDayKey] {
        try Row.fetchAll(
            db,
            sql: "SELECT venue_id, day FROM frozen_day WHERE needs_rating ORDER BY day DESC, venue_id LIMIT ?",
            arguments: [limit]
        ).map(key)
    }

    private static func key(_ row: Row) throws -> FrozenDayKey {
        FrozenDayKey(
            venueID: try row.uuid("venue_id"),
            start: Timestamp(unixMilliseconds: (row[1] as Int64) &* .millisecondsPerDay))
    }

    private static func day(_ key: FrozenDayKey) -> Int64 { key.start.unixMilliseconds / .millisecondsPerDay }

    /// Gap to the span before, length, classes, prices, carbon.
    private static func packed(_ timeline: TermsTimeline, from start: Timestamp) -> Data {
        var columns = [[Int64]](repeating: [], count: 7)
        var end = start
        for span in timeline.spans {
            let numbers = [
                span.start.milliseconds(since: end), span.end.milliseconds(since: span.start),
                Int64(span.terms.imported.code), Int64(span.terms.exported.code ^ span.terms.imported.code),
                span.terms.importPriceMicros,
                span.terms.exportPriceMicros, span.terms.carbonMilligramsPerKilowattHour,
            ]
            for (index, number) in numbers.enumerated() { columns[index].append(number) }
            end = span.end
        }
        return PackedColumns.pack(columns)
    }

    private static func terms(_ data: Data, from start: Timestamp) throws -> TermsTimeline {
        try PackedNumbers.reading(data) { (bytes) throws(EnergyError) in
            let reader = try PackedColumns.Reader(bytes, columns: 7)
            var timeline = TermsTimeline()
            var end = start
            for index in 0..<reader.count {
                let numbers = (0..<7).map { reader[$0, index] }
                let day = Int64(0)...(.millisecondsPerDay)
                guard day ~= numbers[0], day ~= numbers[1], numbers[1] > 0 else { throw .damaged("frozen day") }
                let interval = Interval(start: end.advanced(byMilliseconds: numbers[0]), milliseconds: numbers[1])
                timeline.append(
                    interval,
                    InsightTerms(
                        imported: InsightClass(code: Int32(truncatingIfNeeded: numbers[2])),
                        exported: InsightClass(code: Int32(truncatingIfNeeded: numbers[2] ^ numbers[3])),
                        importPriceMicros: numbers[4], exportPriceMicros: numbers[5],
                        carbonMilligramsPerKilowattHour: numbers[6]))
                end = interval.end
            }
            return timeline
        }
    }
}
