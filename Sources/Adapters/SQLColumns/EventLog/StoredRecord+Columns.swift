public import EnergyModel
public import EnergyStore
internal import Foundation

extension StoredRecord {
    /// - Returns: `nil` for a record that is not as it was written.
    public init?(_ row: some ColumnRow) throws(EnergyError) {
        let column: Data? = try row["erasure"]
        let erasure = column.map { Erasure(column: $0) }
        // A column that says something, and nothing that is an erasure.
        if case .some(.none) = erasure { return nil }
        self.init(
            partition: try row["partition"], sequence: UInt64(clamping: try row["sequence"] as Int64),
            venueID: try row["venue_id"], received: try row["received_ms"], principal: try row["principal"],
            payload: Array(try row["payload"] as Data), erasure: erasure ?? nil)
        guard checksum == UInt32(truncatingIfNeeded: try row["checksum"] as Int64) else { return nil }
    }
}
