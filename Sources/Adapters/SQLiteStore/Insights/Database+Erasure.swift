internal import Foundation
internal import GRDB

extension Database {
    /// Deletes a venue's rows about some devices, of every generation.
    ///
    /// - Parameter table: has the columns `venue_id` and `device_id`.
    /// - Returns: how many there were.
    func erase(_ table: String, venueID: UUID, where isErased: (_ deviceID: String) -> Bool) throws -> Int {
        let devices = try String.fetchAll(
            self, sql: "SELECT DISTINCT device_id FROM \(table) WHERE venue_id = ?", arguments: [venueID.bytes])
        return try devices.filter(isErased).reduce(0) { count, device in
            try execute(
                sql: "DELETE FROM \(table) WHERE venue_id = ? AND device_id = ?", arguments: [venueID.bytes, device])
            return count + changesCount
        }
    }
}
