public import EnergyModel
public import EnergyStore

extension SourceProgress {
    /// The row of the table `source_progress`.
    public func columns(source: String) -> ColumnList {
        ColumnList([
            ("source", source), ("reached_ms", reached), ("missing_start_ms", missing?.start),
            ("missing_end_ms", missing?.end),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        let isWhole = try row["missing_start_ms"] as Timestamp? == nil
        self.init(
            reached: try row["reached_ms"],
            missing: isWhole ? nil : try row.interval("missing_start_ms", "missing_end_ms"))
    }
}
