public import EnergyModel
public import EnergyStore

extension StoredForecast {
    /// The row of the table `forecasts`.
    public func columns() throws -> ColumnList {
        ColumnList([
            ("source", source), ("region", region), ("start_ms", issue.interval.start), ("end_ms", issue.interval.end),
            ("issued_values", try JSONText.encode(issue.values)),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        guard
            let issue = ForecastIssue(
                interval: try row.interval(), values: try JSONText.decode("issued_values", of: row))
        else { throw .damaged("issued_values") }
        self.init(source: try row["source"], region: try row["region"], issue: issue)
    }
}
