public import EnergyModel
internal import Foundation

extension SessionProgress {
    public var columns: ColumnList {
        ColumnList([
            ("venue_id", venueID), ("id", id), ("device_id", deviceID), ("kind", kind.rawValue),
            ("direction", direction?.rawValue), ("began_ms", began.unixMilliseconds),
            ("last_ms", last.unixMilliseconds), ("energy_mwh", energyMilliwattHours), ("is_ended", isEnded),
            ("is_abandoned", isAbandoned),
        ])
    }

    public init(_ row: some ColumnRow) throws {
        let direction: String? = try row["direction"]
        self.init(
            id: try row["id"], venueID: try row["venue_id"], deviceID: try row["device_id"], kind: try row.word("kind"),
            direction: direction.flatMap(FlowDirection.init(rawValue:)),
            began: Timestamp(unixMilliseconds: try row["began_ms"]),
            last: Timestamp(unixMilliseconds: try row["last_ms"]), energyMilliwattHours: try row["energy_mwh"],
            isEnded: try row["is_ended"], isAbandoned: try row["is_abandoned"])
    }
}
