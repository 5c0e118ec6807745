public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

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
                for day in try DayRows(series: row).days(db) { try page.add(Self.document(row, day: day, db)) }
                for session in try CountedSessionRow.fetch(series: row.id, db) { try page.add(Self.document(session)) }
            }
            let statuses = try StatusRow.fetch(
                of: subject, skipped: page.skipped, countMax: countMax - page.documents.count, generation(db), db)
            return page.documents + (try statuses.map(Self.document))
        }
    }

    private struct DocumentPage {
        private(set) var documents: [StoredDocument] = []
        /// Still to be passed over.
        private(set) var skipped: Int
        let countMax: Int
        var isFull: Bool { documents.count >= countMax }

        init(skipped: Int, countMax: Int) { (self.skipped, self.countMax) = (skipped, countMax) }

        mutating func add(_ document: @autoclosure () throws -> StoredDocument) rethrows {
            guard !isFull else { return }
            guard skipped == 0 else {
                skipped -= 1
                return
            }
            documents.append(try document())
        }
    }

    private static func document(_ status: Activity) throws -> StoredDocument {
        struct Document: Encodable {
            let venueId: String
            let deviceId: String
            let deviceName: String
            let eventId: String
            let timeUnixMs: Int64
            let kind: String
            let stateOfCharge: Int?
            let energyMwh: Int64?
        }
        var report: VehicleStatus?
        if case .status(let value) = status.content { report = value }
        let document = Document(
            venueId: status.venueID.uuidString.lowercased(), deviceId: status.device.id, deviceName: status.device.name,
            eventId: status.id.uuidString.lowercased(),
            timeUnixMs: status.time.unixMilliseconds, kind: status.kind.rawValue,
            stateOfCharge: report?.stateOfCharge, energyMwh: report?.energyMilliwattHours)
        return StoredDocument(kind: "status", json: try json(document))
    }

    private struct Bucket: Encodable {
        let startUnixMs: Int64
        let classCode: Int32
        let energyMwh: Int64
        let runtimeMs: Int64
        let costMicros: Int64
        let carbonMg: Int64
    }

    private static func document(_ row: SeriesRow, day: Int64, _ db: Database) throws -> StoredDocument {
        struct Day: Encodable {
            let venueId: String
            let deviceId: String
            let direction: String
            var buckets: [Bucket] = []
        }
        var document = Day(
            venueId: row.series.venueID.uuidString.lowercased(), deviceId: row.series.deviceID,
            direction: row.series.direction.rawValue)
        try DayRows(series: row).forEachBucket(in: day...day, db) { key, tally in
            document.buckets.append(
                Bucket(
                    startUnixMs: key.start.unixMilliseconds, classCode: key.class.code,
                    energyMwh: tally.amount.energy.milliwattHours, runtimeMs: tally.amount.runtimeMilliseconds,
                    costMicros: tally.costMicros, carbonMg: tally.carbonMilligrams))
        }
        return StoredDocument(kind: "bucket", json: try json(document))
    }

    private static func document(_ session: CountedSession) throws -> StoredDocument {
        struct Document: Encodable {
            let venueId: String
            let deviceId: String
            let sessionId: String
            let pluggedInUnixMs: Int64?
            let beganUnixMs: Int64
            let lastUnixMs: Int64
            let energyMwh: Int64
            let isOver: Bool
            let wasFollowingGuidance: Bool
        }
        let document = Document(
            venueId: session.key.venueID.uuidString.lowercased(), deviceId: session.series.deviceID,
            sessionId: session.key.sessionID.uuidString.lowercased(),
            pluggedInUnixMs: session.pluggedIn?.unixMilliseconds,
            beganUnixMs: session.began.unixMilliseconds, lastUnixMs: session.timestamp.unixMilliseconds,
            energyMwh: session.energy.milliwattHours, isOver: session.isOver,
            wasFollowingGuidance: session.wasFollowingGuidance)
        return StoredDocument(kind: "session", json: try json(document))
    }

    private static func json(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}
