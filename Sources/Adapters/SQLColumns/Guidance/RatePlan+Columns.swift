public import EnergyModel
internal import Foundation

extension RatePlan {
    /// The row of a revision in the table `rate_plan_revisions`.
    public func columns() throws -> ColumnList {
        ColumnList([
            ("rate_plan_id", id), ("changed_ms", changed), ("name", name), ("currency", currency),
            ("time_zone", timeZone.identifier), ("zones", try JSONText.encode(zones.map(StoredZone.init))),
            ("terms", try JSONText.encode(StoredTerms(self))),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        let (zones, terms): ([StoredZone], StoredTerms) =
            (try JSONText.decode("zones", of: row), try JSONText.decode("terms", of: row))
        let plan = RatePlan(
            id: try row["rate_plan_id"], name: try row["name"], currency: try row["currency"],
            timeZone: try row.timeZone("time_zone"),
            zones: try zones.map { (zone) throws(EnergyError) in try zone.zone() }, changed: try row["changed_ms"])
        self = try terms.added(to: plan)
    }
}
