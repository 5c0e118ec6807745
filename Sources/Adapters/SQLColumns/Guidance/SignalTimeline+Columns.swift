public import EnergyModel
public import EnergyStore

extension SignalTimeline.Entry {
    /// The row of the table `signals`.
    public func columns(_ quantity: SignalQuantity, region: String) -> ColumnList {
        ColumnList([
            ("region", region), ("quantity", quantity.rawValue), ("start_ms", record.interval.start),
            ("revision", revision), ("end_ms", record.interval.end), ("value", record.value),
            ("estimated", record.isEstimated), ("kind", record.kind.rawValue),
            ("cleanliness", record.cleanliness.rawValue), ("source", record.source), ("issued_ms", record.issued),
            ("currency", record.currency),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        self.init(
            record: SignalRecord(
                interval: try row.interval(), value: try row["value"], isEstimated: try row["estimated"],
                kind: try row.word("kind"), cleanliness: try row.word("cleanliness"), source: try row["source"],
                issued: try row["issued_ms"], currency: try row["currency"]), revision: try row["revision"])
    }
}

extension SignalTimeline.Change {
    /// What has to be written: without what is removed only to be added again. A refresh that changes nothing, the usual
    /// case, writes nothing.
    public var essential: SignalTimeline.Change {
        let kept = Set(removed).intersection(added)
        var change = self
        change.removed.removeAll { kept.contains($0) }
        change.added.removeAll { kept.contains($0) }
        return change
    }
}
