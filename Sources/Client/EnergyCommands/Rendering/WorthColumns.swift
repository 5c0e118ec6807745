internal import EnergyModel

/// What energy cost and emitted, in a table's columns: one per currency and per kind of carbon that is there.
struct WorthColumns {
    private let currencies: [String]
    private let kinds: [SignalKind]

    init(_ records: [InsightRecord]) { self.init(records.map(\.knownWorth)) }

    init(_ worths: [InsightWorth]) {
        currencies = Set(worths.flatMap(\.costs).map(\.currency)).sorted()
        // Run time alone has a kind too, and emits nothing.
        kinds = SignalKind.allCases.filter { kind in
            worths.contains { $0.carbon.contains { $0.kind == kind && $0.energy > .zero } }
        }
    }

    var titles: [String] {
        currencies + (currencies.count == 1 ? ["\(currencies[0])/kWh"] : [])
            + kinds.flatMap { kind in
                kinds.count == 1 ? ["kg CO2", "g/kWh"] : ["kg CO2 \(Words.short(kind))"]
            }
    }

    func cells(_ worth: InsightWorth) -> [String] {
        var cells = currencies.map { currency in
            worth.costs.first { $0.currency == currency }.map(Quantities.money) ?? "-"
        }
        if currencies.count == 1 { cells.append(worth.averagePrice.map(Quantities.price) ?? "-") }
        for kind in kinds {
            let mass = worth.carbon.first { $0.kind == kind && $0.energy > .zero }
            cells.append(mass.map { Quantities.kilograms($0.milligrams) } ?? "-")
            if kinds.count == 1 {
                cells.append(mass?.gramsPerKilowattHour.map(Quantities.carbonIntensity) ?? "-")
            }
        }
        return cells
    }

    /// What is missing in these columns: a sum that leaves something out must not look whole.
    func notes(on record: InsightRecord) -> [String] {
        var notes: [String] = []
        let unpriced = record.total.energy - record.worth.pricedEnergy
        if !currencies.isEmpty, unpriced > .zero {
            notes.append("Of \(Quantities.kilowattHours(unpriced)) kWh no price was known: they are not in the cost.")
        }
        let known = record.worth.carbon.reduce(Energy.zero) { $0 + $1.energy }
        if !kinds.isEmpty, record.total.energy > known {
            let rest = Quantities.kilowattHours(record.total.energy - known)
            notes.append("Of \(rest) kWh the carbon intensity was not known: they are not in the CO2.")
        }
        if kinds == [.marginal] { notes.append("CO2 is marginal: what the grid emitted more because of it.") }
        return notes
    }
}

extension Words {
    static func short(_ kind: SignalKind) -> String {
        switch kind {
        case .averageDirect: "direct"
        case .averageLifecycle: "lifecycle"
        case .marginal: "marginal"
        case .price: "price"
        }
    }
}

extension Quantities {
    /// Currency units with two decimals.
    static func money(_ money: Money) -> String { text(rounded(money.micros, places: 2), places: 2) }

    /// kg with two decimals.
    static func kilograms(_ milligrams: Int64) -> String { text(rounded(milligrams, places: 2), places: 2) }

    /// `+12 %`, `-3 %`.
    static func change(_ fraction: Double) -> String {
        let text = percent(fraction)
        return text.hasPrefix("-") || text == "?" || text == "0 %" ? text : "+" + text
    }

    /// `4.00 - 1.50 = 2.50`, what was and what became of it, in millionths. Each is rounded by itself, to as many
    /// decimals as it takes that the sum is right as it is read.
    static func difference(_ after: Int64, _ saved: Int64) -> String {
        let figures = [after.addingSaturated(saved), after, saved]
        let places =
            (2..<6).first { places in
                let shown = figures.map { rounded($0, places: places) }
                return shown[0].subtractingSaturated(shown[1]) == shown[2]
            } ?? 6
        let texts = figures.map { text(rounded($0, places: places), places: places) }
        return "\(texts[0]) - \(texts[1]) = \(texts[2])"
    }

    /// Millionths in units of the last of `places` decimals, `0...6`, rounded half away from zero.
    private static func rounded(_ millionths: Int64, places: Int) -> Int64 {
        let unit = (places..<6).reduce(UInt64(1)) { unit, _ in unit * 10 }
        let (quotient, remainder) = millionths.magnitude.quotientAndRemainder(dividingBy: unit)
        let isUp = unit > 1 && remainder >= unit / 2
        return (millionths < 0 ? -1 : 1) * Int64(clamping: quotient + (isUp ? 1 : 0))
    }

    private static func text(_ value: Int64, places: Int) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(value < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
