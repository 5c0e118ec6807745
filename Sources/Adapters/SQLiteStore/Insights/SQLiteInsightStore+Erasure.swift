public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

extension SQLiteInsightStore: DocumentStore {
    private static let tables = [PersonalTable("bucket"), PersonalTable("session")]

    public func erase(
        venueID: UUID, where isErased: @escaping @Sendable (_ deviceID: String) -> Bool
    ) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await database.erasing { connection in
            let devices = try Self.tables.reduce(into: Set<String>()) { devices, table in
                devices.formUnion(
                    try String.fetchSet(
                        connection, sql: "SELECT DISTINCT device_id FROM \(table.name) WHERE venue_id = ?",
                        arguments: [venueID.bytes]))
            }
            return try devices.filter(isErased).flatMap { deviceID in
                try SQLiteDatabase.delete(
                    DataSubject(venueID: venueID, deviceID: deviceID), from: Self.tables, connection)
            }
        }
        // Else nothing was removed now; what was before is gone from the files since then.
        if counts.contains(where: { $0.count > 0 }) { try await database.scrub() }
        return Self.tables.map(\.name).sorted().map { name in
            ErasedCount(kind: name, count: counts.filter { $0.kind == name }.reduce(0) { $0 + $1.count })
        }
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }
}
