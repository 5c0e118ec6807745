internal import EnergyModel

/// How a record becomes numbers of a chart and words of a table.
struct HistoryMeasure {
    let measure: HistoryQuestion.Measure
    let formats: Formats
    /// Of all that is shown; `nil` where nothing is priced.
    let currency: String?
    /// Likewise of carbon: kinds have no sum.
    let carbonKind: SignalKind?

    /// - Parameter worth: of all that is shown.
    init(measure: HistoryQuestion.Measure, formats: Formats, worth: InsightWorth) {
        (self.measure, self.formats) = (measure, formats)
        currency = worth.costs.first?.currency
        carbonKind = worth.carbon.max { $0.energy < $1.energy }?.kind
    }

    private var language: Language { formats.language }

    var word: Word {
        switch measure {
        case .energy: .energy
        case .runtime: .runTime
        case .cost: .cost
        case .carbon: .carbon
        }
    }

    /// kWh, hours, units of money or kg; 0 where nothing is known.
    func value(_ amount: InsightAmount, _ worth: InsightWorth) -> Double {
        switch measure {
        case .energy: amount.energy.kilowattHours
        case .runtime: Double(amount.runtimeMilliseconds) / Double(Int64.millisecondsPerHour)
        case .cost: Double(worth.costs.first { $0.currency == currency }?.micros ?? 0) / 1_000_000
        case .carbon: Double(worth.carbon.first { $0.kind == carbonKind }?.milligrams ?? 0) / 1_000_000
        }
    }

    func value(_ record: InsightRecord?) -> Double { record.map { value($0.total, $0.worth) } ?? 0 }
    func value(_ total: HistoryTotal) -> Double { value(total.amount, total.worth) }

    /// With its unit.
    func text(_ amount: InsightAmount, _ worth: InsightWorth) -> String {
        // Heating and cooling report run time, but no energy: it is not 0, it is not known.
        if measure != .runtime, !amount.measuresEnergy { return "–" }
        switch measure {
        case .energy: return formats.energy(amount.energy)
        case .runtime: return formats.length(milliseconds: amount.runtimeMilliseconds)
        case .cost:
            return worth.costs.isEmpty ? language(.notKnown) : worth.costs.map(formats.money).joined(separator: ", ")
        case .carbon:
            guard !worth.carbon.isEmpty else { return language(.notKnown) }
            return worth.carbon.map {
                formats.kilograms(milligrams: Double($0.milligrams)) + formats.kind($0, among: worth.carbon)
            }.joined(separator: ", ")
        }
    }

    func text(_ total: HistoryTotal) -> String { text(total.amount, total.worth) }

    /// Of an axis.
    func quantity(_ value: Double, decimals: Int) -> String {
        let number = formats.number(value, decimals: decimals)
        switch measure {
        case .energy: return number + " kWh"
        case .runtime: return language(.hours, number)
        case .cost: return currency.map { formats.money(value, $0, decimals: decimals) } ?? number
        case .carbon: return number + " kg"
        }
    }
}

/// The parts of a record, by what it is split by.
enum HistorySplit {
    static let cleanlinesses: [(class: Cleanliness, name: String, hatch: String?, word: Word)] = [
        (.cleaner, "good", nil, .cleaner), (.lessClean, "fair", "fair", .lessClean), (.avoid, "avoid", "avoid", .dirty),
        (.unknown, "unknown", "unknown", .unknown),
    ]
    static let tariffs: [(class: TariffPeak, name: String, hatch: String?, word: Word)] = [
        (.superOffPeak, "tariff-1", nil, .superOffPeak), (.offPeak, "tariff-2", nil, .offPeak),
        (.partialPeak, "tariff-3", "fair", .partialPeak), (.onPeak, "tariff-4", "avoid", .onPeak),
        (.criticalPeak, "tariff-5", "unknown", .criticalPeak), (.unknown, "unknown", "unknown", .unknown),
    ]

    struct Part {
        let name: String
        let hatch: String?
        let word: Word
        let amount: InsightAmount
    }

    static func words(_ split: HistoryQuestion.Split) -> [Word] {
        split == .cleanliness ? cleanlinesses.map(\.word) : tariffs.map(\.word)
    }

    static func parts(of record: InsightRecord, _ split: HistoryQuestion.Split) -> [Part] {
        switch split {
        case .cleanliness:
            cleanlinesses.compactMap { item in
                record.byCleanliness?[item.class].map {
                    Part(name: item.name, hatch: item.hatch, word: item.word, amount: $0)
                }
            }
        case .tariff:
            tariffs.compactMap { item in
                record.byTariff?[item.class].map {
                    Part(name: item.name, hatch: item.hatch, word: item.word, amount: $0)
                }
            }
        }
    }
}
