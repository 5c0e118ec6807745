internal import EnergyModel
internal import Foundation
internal import GRDB

/// A table with something of a venue or its devices in it.
struct PersonalTable: Sendable {
    let name: String
    /// Which venue's a row is.
    let venue: String
    /// Which device's a row is; `nil` for what is of the whole venue only.
    let device: String?

    init(_ name: String, venue: String = "venue_id", device: String? = "device_id") {
        (self.name, self.venue, self.device) = (name, venue, device)
    }

    /// - Returns: `nil` when the table has nothing of such a subject.
    func condition(_ subject: DataSubject) -> (sql: String, arguments: StatementArguments)? {
        guard let deviceID = subject.deviceID else { return ("\(venue) = ?", [subject.venueID.bytes]) }
        return device.map { ("\(venue) = ? AND \($0) = ?", [subject.venueID.bytes, deviceID]) }
    }
}

extension SQLiteDatabase {
    /// Removes the subject's rows in one transaction, and then what is left of them in unused places of the files.
    func erase(_ subject: DataSubject, from tables: [PersonalTable]) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await erasing { try Self.delete(subject, from: tables, $0) }
        try await scrub()
        return counts
    }

    /// As ``write(_:)``; what is deleted is written over.
    func erasing<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EnergyError) -> Value {
        try await write { connection in
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? connection.execute(sql: "PRAGMA secure_delete = OFF") }
            return try body(connection)
        }
    }

    static func delete(
        _ subject: DataSubject, from tables: [PersonalTable], _ connection: Database
    ) throws -> [ErasedCount] {
        try tables.map { table in
            guard let condition = table.condition(subject) else { return ErasedCount(kind: table.name, count: 0) }
            try connection.execute(
                sql: "DELETE FROM \(table.name) WHERE \(condition.sql)", arguments: condition.arguments)
            return ErasedCount(kind: table.name, count: connection.changesCount)
        }.sorted { $0.kind < $1.kind }
    }

    /// Makes the file anew without unused places, and begins the write-ahead log anew: in both, what was deleted would stay
    /// until it is written over. Writers wait meanwhile. Takes as much room again as the file.
    func scrub() async throws(EnergyError) {
        do {
            try await pool.barrierWriteWithoutTransaction { connection in
                try connection.execute(sql: "VACUUM")
                try connection.checkpoint(.truncate)
            }
        } catch { throw Self.translate(error) }
    }

    /// The subject's rows, each as a JSON object, table by table.
    func documents(
        of subject: DataSubject, in tables: [PersonalTable], skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await read { connection in
            var (documents, skipped) = ([StoredDocument](), skipped)
            for table in tables where documents.count < countMax {
                guard let condition = table.condition(subject) else { continue }
                let count =
                    try Int.fetchOne(
                        connection, sql: "SELECT count(*) FROM \(table.name) WHERE \(condition.sql)",
                        arguments: condition.arguments) ?? 0
                guard skipped < count else {
                    skipped -= count
                    continue
                }
                let rows = try Row.fetchAll(
                    connection,
                    // In the order of the one index that there is to find them by.
                    sql: "SELECT * FROM \(table.name) WHERE \(condition.sql) LIMIT ? OFFSET ?",
                    arguments: condition.arguments + [countMax - documents.count, skipped])
                skipped = 0
                documents += rows.map { StoredDocument(kind: table.name, json: Self.json($0)) }
            }
            return documents
        }
    }

    private static func json(_ row: Row) -> String {
        let members = row.map { column, value in "\(quoted(column)):\(json(value))" }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "null"
        case .int64(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : quoted("\(number)")
        case .string(let text): quoted(text)
        case .blob(let data):
            quoted(UUID.fromDatabaseValue(value)?.uuidString.lowercased() ?? data.base64EncodedString())
        }
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
