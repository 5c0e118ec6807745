internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import SQLColumns

/// Which events a log knows: a file keeps them packed by keys that nobody can undo, so they are made anew, from the
/// records that they are in. Those of records that retention has removed before are left out.
struct LogEvents {
    static let recordTable = "log_record"
    static let eventTable = "known_event"

    let records: StoredTable
    /// Of the target.
    let table: StoredTable
    let now: Timestamp

    /// Those of a schema that a file has, too.
    static func ofFiles(among tables: [StoredTable]) -> [StoredTable] { tables.filter { $0.name != eventTable } }

    /// Those of a record that are known still; none of a record that nobody keeps in mind any more.
    ///
    /// - Throws: `.dataLoss` for a record that is not as it was written.
    private func known(in row: StoredRow) throws(EnergyError) -> [StoredRow] {
        let named = NamedRow(records, row)
        guard let record = (try? StoredRecord(named)) ?? nil else {
            throw .damagedRecord(try named["sequence"], inPartition: try named["partition"])
        }
        let age = now.unixMilliseconds - record.received.unixMilliseconds
        // What was erased has nothing in it.
        guard age < EventMark.knownMilliseconds, record.erasure == nil,
            let batch = try? EventBatch(decoding: record.payload)
        else { return [] }
        return batch.events.map { event in
            let values: [String: ColumnValue] = [
                "venue_id": record.venueID.column, "id": event.id.column,
                "digest": .integer(Int64(bitPattern: event.digest)), "received_ms": record.received.column,
            ]
            return table.columns.map { values[$0.name] ?? .null }
        }
    }

    func known(in rows: [StoredRow]) throws(EnergyError) -> [StoredRow] {
        var all: [StoredRow] = []
        for row in rows { all += try known(in: row) }
        return all
    }

    /// What changes among them with some records. Those of a record that retention has removed stay.
    func changes(for differences: [Difference]) throws(EnergyError) -> [RowChange] {
        var changes: [RowChange] = []
        for difference in differences {
            guard let new = difference.new else { continue }
            let known = try known(in: new)
            if let old = difference.old {
                let kept = Set(known.map { $0.prefix(table.keyCount) })
                for former in try self.known(in: old) where !kept.contains(former.prefix(table.keyCount)) {
                    changes.append(.remove(former.prefix(table.keyCount)))
                }
            }
            changes += known.map(RowChange.put)
        }
        return changes
    }
}
