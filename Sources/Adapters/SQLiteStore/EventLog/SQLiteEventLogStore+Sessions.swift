public import EnergyModel
public import Foundation
internal import GRDB

extension SQLiteEventLogStore {
    public func sessions(ofVenue venueID: UUID, countMax: Int) async throws(EnergyError) -> [SessionProgress] {
        try await database.read { connection in
            let rows = try Row.fetchAll(
                connection,
                sql: """
                    SELECT \(SessionProgress.columns) FROM session WHERE venue_id = ?
                    ORDER BY last_ms DESC, id LIMIT ?
                    """,
                arguments: [venueID, countMax])
            return try rows.map(SessionProgress.init(row:))
        }
    }
}

extension SessionProgress {
    /// What ``init(row:)`` reads.
    static let columns =
        "id, venue_id, device_id, kind, direction, began_ms, last_ms, energy_mwh, is_ended, is_abandoned"

    init(row: Row) throws {
        let direction: String? = row[4]
        guard let kind = Device.Kind(rawValue: row[3]) else {
            throw EnergyError(.unavailable, "the log holds a session of an unknown kind")
        }
        self.init(
            id: row[0], venueID: row[1], deviceID: row[2], kind: kind,
            direction: direction.flatMap(FlowDirection.init(rawValue:)), began: Timestamp(unixMilliseconds: row[5]),
            last: Timestamp(unixMilliseconds: row[6]), energyMilliwattHours: row[7], isEnded: row[8],
            isAbandoned: row[9])
    }
}
