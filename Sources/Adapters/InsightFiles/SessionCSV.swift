public import EnergyModel
internal import Foundation

/// Sessions as a table: a row each, as ``InsightCSV`` has periods. ``SessionReader`` reads it back.
public struct SessionCSV: Sendable {
    private let venue: Venue
    private let stamp: LocalStamp

    public init(_ venue: Venue) {
        self.venue = venue
        stamp = LocalStamp(venue.timeZone)
    }

    static let columns = [
        "session", "start", "end", "venue", "device", "device type", "direction", "energy (kWh)", "run time (h)",
        "weighted run time (h)", "state of charge at start (%)", "state of charge at end (%)", "over",
        "following guidance", "repaired",
    ]

    public func start() -> String {
        let splits =
            FileWords.cleanliness.map(\.name) + FileWords.peaks.map(\.name) + FileWords.bands.map(\.name)
        return CSVText.byteOrderMark
            + CSVText.line(
                Self.columns + WorthCells.headers
                    + ["baseline cost", "saved", "baseline carbon (g)", "saved carbon (g)"]
                    + splits.map { "\($0) (kWh)" })
    }

    /// What was saved is exactly the baseline without the cost or carbon, so that the columns' sums agree too.
    public func row(_ session: SessionInsight) -> String {
        // Of heating and cooling none is known.
        func energyText(_ energy: Energy?) -> String {
            session.measuresEnergy ? ExactNumber.kilowattHours(energy ?? .zero) : ""
        }
        var cells = [
            session.key.sessionID.uuidString.lowercased(), stamp.text(session.began), stamp.text(session.last),
            CSVText.name(venue.name), CSVText.name(session.deviceID), FileWords.snake(session.deviceKind.rawValue),
            session.direction.rawValue, energyText(session.amount.energy),
            ExactNumber.hours(milliseconds: session.amount.runtimeMilliseconds),
            ExactNumber.hours(milliseconds: session.amount.weightedRuntimeMilliseconds),
            session.stateOfChargeAtBegin.map(String.init) ?? "", session.stateOfChargeAtLast.map(String.init) ?? "",
            yes(session.isOver), yes(session.wasFollowingGuidance), yes(session.isRepaired),
        ]
        cells += WorthCells.cells(session.knownWorth)
        let energy = session.amount.energy
        cells += [
            session.baseline?.worth.cost(ofAll: energy).map(ExactNumber.currencyUnits) ?? "",
            session.savedMoney.map(ExactNumber.currencyUnits) ?? "",
            session.baseline?.worth.carbon(ofAll: energy).map(ExactNumber.grams) ?? "",
            session.savedCarbon.map(ExactNumber.grams) ?? "",
        ]
        cells += FileWords.cleanliness.map { energyText(session.byCleanliness[$0.class]?.energy) }
        cells += FileWords.peaks.map { energyText(session.byTariff[$0.class]?.energy) }
        cells += FileWords.bands.map { energyText(session.byBand[$0.class]?.energy) }
        return CSVText.line(cells)
    }

    private func yes(_ claim: Bool) -> String { claim ? "yes" : "no" }
}
