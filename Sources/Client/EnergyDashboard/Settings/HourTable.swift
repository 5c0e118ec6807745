internal import EnergyModel
internal import Foundation

/// What somebody chose for each hour of a workday and of the weekend, in one season or two: one of a few prices.
struct HourTable: Hashable, Sendable {
    static let levels = 4
    static let seasons = 2
    /// Columns: Monday to Friday, and the weekend.
    static let dayKinds = 2

    /// Per kWh, of the levels 1 to ``levels``; empty where it is not used.
    var prices = [String](repeating: "", count: levels)
    /// Months, 1 to 12, both included, of the second season, which may go over New Year; `nil` without one.
    var secondFrom: Int?
    var secondTo: Int?
    /// Levels by season, kind of day and hour.
    var cells = [[[Int]]](
        repeating: [[Int]](repeating: [Int](repeating: 1, count: 24), count: dayKinds), count: seasons)

    init() {}

    init(_ request: PageRequest) {
        prices = (1...Self.levels).map { FormText.line(request, Self.priceName($0)) }
        secondFrom = Self.month(request.field("second-from"))
        secondTo = Self.month(request.field("second-to"))
        // One look at all fields: each cell is one of a hundred.
        let sent = Dictionary(request.form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for (season, day, hour) in Self.places {
            let level = Int(sent[Self.cellName(season, day, hour)] ?? "") ?? 1
            cells[season][day][hour] = 1...Self.levels ~= level ? level : 1
        }
    }

    static var places: [(season: Int, day: Int, hour: Int)] {
        (0..<seasons).flatMap { season in
            (0..<dayKinds).flatMap { day in (0..<24).map { (season, day, $0) } }
        }
    }

    static func priceName(_ level: Int) -> String { "level-\(level)" }
    static func cellName(_ season: Int, _ day: Int, _ hour: Int) -> String { "hour-\(season)-\(day)-\(hour)" }

    private static func month(_ text: String) -> Int? { Int(text).flatMap { 1...12 ~= $0 ? $0 : nil } }

    /// Which season each month is in, January first.
    private var seasonOfMonths: [Int] {
        guard let from = secondFrom, let to = secondTo else { return Array(repeating: 0, count: 12) }
        return (1...12).map { month in
            (from <= to ? from <= month && month <= to : month >= from || month <= to) ? 1 : 0
        }
    }

    /// Levels that some hour of the year has.
    private var usedLevels: [Int] {
        Set(seasonOfMonths.flatMap { cells[$0].joined() }).sorted()
    }

    func problems(_ language: Language) -> FormProblems {
        var problems: FormProblems = [:]
        for level in usedLevels where price(level) == nil {
            problems[Self.priceName(level)] = language(.mustBePrice)
        }
        if secondFrom == nil, secondTo != nil { problems["second-from"] = language(.mustBeMonth) }
        if secondTo == nil, secondFrom != nil { problems["second-to"] = language(.mustBeMonth) }
        return problems
    }

    private func price(_ level: Int) -> Double? { FormText.number(prices[level - 1], in: -10_000...10_000) }

    /// As OpenEI's database writes a contract, which knows how hours become zones.
    ///
    /// - Precondition: nothing is wrong with the input.
    var document: [UInt8] {
        let used = usedLevels
        let structure = used.map { "[{\"rate\": \(price($0) ?? 0)}]" }.joined(separator: ",")
        func schedule(_ day: Int) -> String {
            let months = seasonOfMonths.map { season in
                let periods = cells[season][day].map { "\(used.firstIndex(of: $0) ?? 0)" }
                return "[\(periods.joined(separator: ","))]"
            }
            return "[\(months.joined(separator: ","))]"
        }
        let text =
            "{\"energyratestructure\": [\(structure)], \"energyweekdayschedule\": \(schedule(0)), "
            + "\"energyweekendschedule\": \(schedule(1))}"
        return Array(text.utf8)
    }
}

extension HourTable {
    /// The hours of a contract; `nil` for one of which the table would lose something.
    init?(_ plan: RatePlan) {
        guard plan.exportZones.isEmpty, plan.datedRates.isEmpty, plan.holidays.isEmpty, plan.priceSource == nil,
            plan.charges == .none, plan.zones.allSatisfy(\.tiers.isEmpty)
        else { return nil }
        let months = [0...4, 5...6].map { plan.monthlyHours(on: $0) { $0?.price } }
        let days: [[[Price]]] = (0..<12).map { month in
            months.map { days in days[month].compactMap { $0.count == 1 ? $0.first ?? nil : nil } }
        }
        guard days.allSatisfy({ $0.allSatisfy { $0.count == 24 } }) else { return nil }
        let known = Set(days.joined().joined()).sorted { $0.microsPerKilowattHour < $1.microsPerKilowattHour }
        guard known.count <= Self.levels, let second = Self.second(days) else { return nil }
        self.init()
        for (index, price) in known.enumerated() {
            prices[index] = FormText.text(Double(price.microsPerKilowattHour) / 1_000_000)
        }
        (secondFrom, secondTo) = (second.from, second.to)
        let examples = [days.indices.first { seasonOfMonths[$0] == 0 }, second.from.map { $0 - 1 }]
        for (season, day, hour) in Self.places {
            guard let month = examples[season] else { continue }
            cells[season][day][hour] = 1 + (known.firstIndex(of: days[month][day][hour]) ?? 0)
        }
    }

    /// Months that differ from the first of the year; `nil` where that is no season.
    private static func second(_ days: [[[Price]]]) -> (from: Int?, to: Int?)? {
        let others = days.indices.filter { days[$0] != days[0] }
        guard let first = others.first, let last = others.last else { return (nil, nil) }
        guard last - first == others.count - 1, others.allSatisfy({ days[$0] == days[first] }) else { return nil }
        return (first + 1, last + 1)
    }
}
