internal import EnergyModel
internal import Foundation
internal import SQLColumns

/// A table with something of a venue or its devices in it: it has a column `venue_id` and, where `ofDevices`, `device_id`.
struct PersonalTable: Sendable {
    let name: String
    let ofDevices: Bool

    init(_ name: String, ofDevices: Bool = true) { (self.name, self.ofDevices) = (name, ofDevices) }

    /// - Returns: `nil` when the table has nothing of such a subject.
    func condition(_ subject: DataSubject) -> (sql: String, values: [(any PostgreSQLParameter)?])? {
        guard let deviceID = subject.deviceID else { return ("venue_id = $1", [subject.venueID]) }
        return ofDevices ? ("venue_id = $1 AND device_id = $2", [subject.venueID, deviceID]) : nil
    }
}

extension PostgreSQLDatabase {
    /// Removes the subject's rows in one transaction, then makes the tables anew without unused places. The server's
    /// write-ahead log and its backups keep what they hold until they are removed.
    ///
    /// - Parameter lease: as of ``run(_:timeout:mayRepeat:under:_:)``.
    func erase(
        _ subject: DataSubject, from tables: [PersonalTable], under lease: WriteLease? = .whole
    ) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await write(under: lease) { try Self.delete(subject, from: tables, $0) }
        for table in tables { try await scrub(table.name) }
        return counts
    }

    static func delete(
        _ subject: DataSubject, from tables: [PersonalTable], _ transaction: PostgreSQLTransaction
    ) throws -> [ErasedCount] {
        try tables.map { table in
            guard let condition = table.condition(subject) else { return ErasedCount(kind: table.name, count: 0) }
            let count = try transaction.execute("DELETE FROM \(table.name) WHERE \(condition.sql)", condition.values)
            return ErasedCount(kind: table.name, count: count)
        }.sorted { $0.kind < $1.kind }
    }

    /// Makes a table anew without unused places. Who uses it waits meanwhile.
    func scrub(_ table: String) async throws(EnergyError) {
        try await runAlone("VACUUM (FULL) \(table)", timeout: .seconds(600))
    }

    /// The subject's rows, each as a JSON object, table by table.
    func documents(
        of subject: DataSubject, in tables: [PersonalTable], skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await read { transaction in
            var (documents, skipped) = ([StoredDocument](), skipped)
            for table in tables where documents.count < countMax {
                guard let condition = table.condition(subject) else { continue }
                let rows = try transaction.query(
                    "SELECT count(*) AS count FROM \(table.name) WHERE \(condition.sql)", condition.values)
                let count: Int = try rows.first?["count"] ?? 0
                guard skipped < count else {
                    skipped -= count
                    continue
                }
                let next = condition.values.count + 1
                let found = try transaction.query(
                    """
                    SELECT row_to_json(stored)::text AS document FROM \(table.name) AS stored WHERE \(condition.sql)
                    ORDER BY stored LIMIT $\(next) OFFSET $\(next + 1)
                    """,
                    condition.values + [countMax - documents.count, skipped])
                skipped = 0
                documents += try found.map { StoredDocument(kind: table.name, json: try $0["document"]) }
            }
            return documents
        }
    }
}
