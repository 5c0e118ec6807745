public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB
internal import SQLColumns

extension SQLiteInsightStore: DocumentStore {
    public func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await database.erasing { db in
            var (buckets, sessions) = (0, 0)
            // Of a rebuild that is under way too.
            for generation in [try Self.serving(db), try Self.serving(db) + 1] {
                for row in try SeriesRow.fetchAll(venueID: venueID, generation, db)
                where isErased(row.series.deviceID) {
                    buckets += try DayRows(series: row).remove(db)
                    try db.execute(
                        sql: """
                            DELETE FROM repair WHERE venue_id = ?
                                AND session_id IN (SELECT session_id FROM session WHERE series_id = ?)
                            """, arguments: [venueID.bytes, row.id])
                    try db.execute(sql: "DELETE FROM session WHERE series_id = ?", arguments: [row.id])
                    sessions += db.changesCount
                    try db.execute(sql: "DELETE FROM series WHERE id = ?", arguments: [row.id])
                }
            }
            let statuses = try db.erase("status", venueID: venueID, where: isErased)
            // When something was used can be seen from what is frozen.
            try db.execute(
                sql: """
                    DELETE FROM frozen_day WHERE venue_id = ?
                        AND NOT EXISTS (SELECT * FROM series WHERE series.venue_id = frozen_day.venue_id)
                    """, arguments: [venueID.bytes])
            return [
                ErasedCount(kind: "bucket", count: buckets), ErasedCount(kind: "session", count: sessions),
                ErasedCount(kind: "status", count: statuses),
            ]
        }
        // Else nothing was removed now; what was before is gone from the files since then.
        if counts.contains(where: { $0.count > 0 }) { try await database.scrub() }
        return counts
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.read { db in
            let rows = try SeriesRow.fetchAll(venueID: subject.venueID, generation(db), db)
                .filter { subject.covers(deviceID: $0.series.deviceID) }
            var page = DocumentPage(skipped: skipped, countMax: countMax)
            for row in rows where !page.isFull {
                let days = try DayRows(series: row).allBuckets(db)
                while let buckets = try days.next() { try page.add(StoredDocument(row.series, buckets)) }
                for session in try CountedSessionRow.fetch(series: row.id, db) { try page.add(StoredDocument(session)) }
            }
            let statuses = try StatusRow.fetch(
                of: subject, skipped: page.skipped, countMax: countMax - page.documents.count, generation(db), db)
            return page.documents + (try statuses.map { try StoredDocument($0) })
        }
    }
}
