public import EnergyModel

extension EventRepair {
    /// The row of the table `repair`.
    public var columns: ColumnList {
        ColumnList([
            ("venue_id", venueID), ("session_id", sessionID), ("event_id", eventID),
            ("energy_mwh", action.milliwattHours), ("reason", reason), ("principal", principal),
            ("made_unix_ms", made), ("taken_over_by", takenOverBy), ("was_ignored", before == .ignore),
            ("was_energy_mwh", before?.milliwattHours), ("session_before_mwh", sessionBefore?.milliwattHours),
            ("session_after_mwh", sessionAfter?.milliwattHours), ("is_withdrawal", action == .asSent),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws(EnergyError) {
        func energy(_ column: String) throws(EnergyError) -> Energy? {
            (try row[column] as Int64?).map(Energy.init(milliwattHours:))
        }
        let (new, old) = (try energy("energy_mwh"), try energy("was_energy_mwh"))
        self.init(
            venueID: try row["venue_id"], sessionID: try row["session_id"], eventID: try row["event_id"],
            action: try row["is_withdrawal"] ? .asSent : new.map { .energy($0) } ?? .ignore,
            reason: try row["reason"], principal: try row["principal"], made: try row["made_unix_ms"],
            takenOverBy: try row["taken_over_by"],
            before: try row["was_ignored"] ? .ignore : old.map { .energy($0) },
            sessionBefore: try energy("session_before_mwh"), sessionAfter: try energy("session_after_mwh"))
    }
}

extension EventRepair.Action {
    fileprivate var milliwattHours: Int64? {
        if case .energy(let energy) = self { energy.milliwattHours } else { nil }
    }
}
