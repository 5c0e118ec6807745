public import EnergyModel
internal import Foundation

extension DemandResponseEvent {
    /// The row of the table `demand_response`. It has a venue, or a region, or, for all, neither.
    public var columns: ColumnList {
        var (venueID, region): (UUID?, String?) = (nil, nil)
        switch scope {
        case .venue(let id): venueID = id
        case .region(let name): region = name
        case .all: break
        }
        return ColumnList([
            ("event_id", id), ("declared_ms", declared), ("cancelled_ms", cancelled), ("kind", kind.rawValue),
            ("venue_id", venueID), ("region", region), ("start_ms", interval.start), ("end_ms", interval.end),
            ("reason", reason), ("price_micros", price?.microsPerKilowattHour), ("currency", currency),
            ("source", source),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        let (venueID, region): (UUID?, String?) = (try row["venue_id"], try row["region"])
        let price: Int64? = try row["price_micros"]
        self.init(
            id: try row["event_id"], kind: try row.word("kind"),
            scope: venueID.map { .venue($0) } ?? region.map { .region($0) } ?? .all, interval: try row.interval(),
            reason: try row["reason"], price: price.map(Price.init(microsPerKilowattHour:)),
            currency: try row["currency"], declared: try row["declared_ms"], cancelled: try row["cancelled_ms"],
            source: try row["source"])
    }
}
