public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

extension PostgreSQLInsightStore: DocumentStore {
    private static let tables = ["day", "quarters", "series", "session", "status", "repair", "frozen_day"]

    public func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await database.run(.readCommitted) { transaction in
            // Of a rebuild that is under way too.
            let serving = try Self.serving(transaction, .alone)
            var buckets = 0
            for generation in [serving, serving + 1] {
                for found in try PostgreSQLSeries.fetchAll(venueID: venueID, generation, transaction)
                where isErased(found.series.deviceID) {
                    buckets += try found.remove()
                }
            }
            let devices = try Self.devices(of: venueID, transaction).filter(isErased)
            try transaction.send(
                """
                DELETE FROM repair WHERE venue_id = $1 AND session_id IN
                    (SELECT session_id FROM session WHERE venue_id = $1 AND device_id = ANY($2))
                """,
                [venueID, devices])
            let counts = try ["session", "status"].map { table in
                ErasedCount(
                    kind: table,
                    count: try transaction.execute(
                        "DELETE FROM \(table) WHERE venue_id = $1 AND device_id = ANY($2)", [venueID, devices]))
            }
            // When something was used can be seen from what is frozen.
            try transaction.send(
                """
                DELETE FROM frozen_day WHERE venue_id = $1 AND NOT EXISTS (SELECT 1 FROM series WHERE venue_id = $1)
                """,
                [venueID])
            return [ErasedCount(kind: "bucket", count: buckets)] + counts
        }
        // Else nothing was removed now; what was before is gone from the files since then.
        if counts.contains(where: { $0.count > 0 }) {
            for table in Self.tables { try await database.scrub(table) }
        }
        return counts
    }

    private static func devices(of venueID: UUID, _ transaction: PostgreSQLTransaction) throws -> [String] {
        try transaction.query(
            """
            SELECT device_id FROM session WHERE venue_id = $1 UNION SELECT device_id FROM status WHERE venue_id = $1
            """,
            [venueID]
        ).map { try $0["device_id"] }
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.read { transaction in
            let generation = try generation(transaction)
            var page = DocumentPage(skipped: skipped, countMax: countMax)
            for found in try PostgreSQLSeries.fetchAll(venueID: subject.venueID, generation, transaction)
            where !page.isFull && subject.covers(deviceID: found.series.deviceID) {
                try found.forEachDay { try page.add(StoredDocument(found.series, $0)) }
                for session in try found.sessions() { try page.add(StoredDocument(session)) }
            }
            let statuses = try transaction.query(
                """
                SELECT * FROM status
                WHERE venue_id = $1 AND generation = $2 AND ($3::text IS NULL OR device_id = $3)
                ORDER BY time_unix_ms, log_order, event_id LIMIT $4 OFFSET $5
                """,
                [
                    subject.venueID, generation, subject.deviceID, max(0, countMax - page.documents.count),
                    page.skipped,
                ])
            return page.documents + (try statuses.map { try StoredDocument(Activity($0)) })
        }
    }
}
