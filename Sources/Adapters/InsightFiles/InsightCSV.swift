public import EnergyModel

/// Insight records as a table that opens right in a spreadsheet: a row for each period, units in the headers, times with
/// the offset of the venue's zone.
///
/// A period has one cost and one mass of carbon, except where the contract's currency or the signal's kind changed in it:
/// what a sum over the column must not mix stands in words beside it.
public struct InsightCSV: InsightFile {
    private let subject: InsightFileSubject
    private let stamp: LocalStamp

    public init(_ subject: InsightFileSubject) {
        self.subject = subject
        stamp = LocalStamp(subject.venue.timeZone)
    }

    private static let columns = [
        "start", "end", "venue", "device", "device type", "direction", "energy (kWh)", "run time (h)",
        "weighted run time (h)",
    ]

    public func start() -> [FilePiece] {
        let query = subject.query
        let splits =
            (query.byCleanliness ? FileWords.cleanliness.map(\.name) : [])
            + (query.byTariff ? FileWords.peaks.map(\.name) : []) + (query.byBand ? FileWords.bands.map(\.name) : [])
        let headers =
            Self.columns + WorthCells.headers + splits.map { "\($0) (kWh)" } + splits.map { "\($0) run time (h)" }
        return [FilePiece(CSVText.byteOrderMark + CSVText.line(headers))]
    }

    public func add(_ record: InsightRecord) -> [FilePiece] {
        let query = subject.query
        var cells = [
            stamp.text(record.interval.start), stamp.text(record.interval.end), CSVText.name(subject.venue.name),
            CSVText.name(record.deviceID ?? query.deviceID ?? ""),
            (record.deviceKind ?? query.deviceKind).map { FileWords.snake($0.rawValue) } ?? "",
            query.direction.rawValue, record.measuresEnergy ? ExactNumber.kilowattHours(record.total.energy) : "",
            ExactNumber.hours(milliseconds: record.total.runtimeMilliseconds),
            ExactNumber.hours(milliseconds: record.total.weightedRuntimeMilliseconds),
        ]
        cells += WorthCells.cells(record.knownWorth)
        let splits = self.splits(of: record)
        cells += splits.map { record.measuresEnergy ? ExactNumber.kilowattHours($0.energy) : "" }
        cells += splits.map { ExactNumber.hours(milliseconds: $0.runtimeMilliseconds) }
        return [FilePiece(CSVText.line(cells))]
    }

    public func finish(applied: [LogHead]) -> [FilePiece] { [] }

    private func splits(of record: InsightRecord) -> [InsightAmount] {
        let query = subject.query
        return (query.byCleanliness ? FileWords.cleanliness.map { record.byCleanliness?[$0.class] ?? .zero } : [])
            + (query.byTariff ? FileWords.peaks.map { record.byTariff?[$0.class] ?? .zero } : [])
            + (query.byBand ? FileWords.bands.map { record.byBand?[$0.class] ?? .zero } : [])
    }
}

/// What energy cost and emitted, as cells. Empty is unknown, never zero.
enum WorthCells {
    static let headers = [
        "cost", "currency", "priced energy (kWh)", "other costs", "carbon (g)", "carbon kind", "carbon energy (kWh)",
        "other carbon",
    ]

    static func cells(_ worth: InsightWorth) -> [String] {
        // The kind that most of the energy is known by comes first.
        let carbon = worth.carbon.enumerated().sorted {
            $0.element.energy == $1.element.energy
                ? $0.offset < $1.offset : $0.element.energy > $1.element.energy
        }.map(\.element)
        let otherCosts = worth.costs.dropFirst().map { "\(ExactNumber.currencyUnits($0)) \($0.currency)" }
        let otherCarbon = carbon.dropFirst().map {
            "\(ExactNumber.grams($0)) g \(FileWords.snake($0.kind.rawValue)) of \(ExactNumber.kilowattHours($0.energy)) kWh"
        }
        return [
            worth.costs.first.map(ExactNumber.currencyUnits) ?? "", worth.costs.first?.currency ?? "",
            worth.costs.isEmpty ? "" : ExactNumber.kilowattHours(worth.pricedEnergy),
            otherCosts.joined(separator: " and "), carbon.first.map(ExactNumber.grams) ?? "",
            carbon.first.map { FileWords.snake($0.kind.rawValue) } ?? "",
            carbon.first.map { ExactNumber.kilowattHours($0.energy) } ?? "", otherCarbon.joined(separator: " and "),
        ]
    }
}
