public import EnergyModel
public import Foundation

extension Venue {
    /// The row of a revision in the table `venue_revisions`.
    public var columns: ColumnList {
        ColumnList([
            ("venue_id", id), ("changed_ms", changed), ("name", name), ("time_zone", timeZone.identifier),
            ("region", region), ("rate_plan_id", ratePlanID), ("removed_ms", removed), ("price_weight", priceWeight),
        ])
    }

    /// The rows of the homes that stand for it, in the table `venue_homes`: none once it is removed.
    public var homeColumns: [ColumnList] {
        guard removed == nil else { return [] }
        return homeIDs.enumerated().map { position, home in
            ColumnList([("venue_id", id), ("home_id", home), ("position", position)])
        }
    }

    /// - Parameter homes: of the venue as it is now, in their order.
    public init(_ row: some ColumnRow, homes: [UUID]) throws(EnergyError) {
        self.init(
            id: try row["venue_id"], name: try row["name"], timeZone: try row.timeZone("time_zone"),
            region: try row["region"], ratePlanID: try row["rate_plan_id"], homeIDs: homes,
            priceWeight: try row["price_weight"], changed: try row["changed_ms"], removed: try row["removed_ms"])
    }
}
