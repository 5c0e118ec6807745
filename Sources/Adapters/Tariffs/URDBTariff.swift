internal import EnergyModel
internal import Foundation

/// OpenEI's Utility Rate Database: `energyratestructure[period][tier]`, and a schedule of 12 months by 24 hours of periods
/// for weekdays, and one for weekends.
///
/// The price of a period is `rate + adj`; a tier begins at the `max` of the one before it, kWh since the billing month
/// began, over all periods. `sell` is the price for energy that is fed in. The hours are those of the clock on the wall.
///
/// - Source: openei.org/services/doc/rest/util_rates, version 7 and 8.
enum URDBTariff {
    static func read(_ root: DocumentNode, _ terms: TariffTerms) throws(EnergyError) -> TariffDraft {
        let rate = try rate(root, label: terms.label)
        let periods = try Periods(rate)
        let weekdays = try schedule(rate["energyweekdayschedule"], periods: periods.all.count)
        let weekends = try schedule(rate["energyweekendschedule"], periods: periods.all.count)
        let blocks = blocks(weekdays, weekends)
        var draft = TariffDraft(
            terms, name: try rate["name"].textIfPresent(), currency: "USD",
            zones: blocks.map { $0.zone(periods.all[$0.period]) })
        if periods.all.contains(where: { $0.sell != nil }) {
            draft.plan.exportZones = blocks.compactMap { block in
                periods.all[block.period].sell.map { sell in
                    var zone = block.zone(periods.all[block.period])
                    (zone.price, zone.tiers) = (sell, [])
                    return zone
                }
            }
        }
        let used = Set(blocks.map(\.period))
        draft.findings = periods.findings
        for (index, _) in periods.all.enumerated() where !used.contains(index) {
            draft.findings.append(
                RatePlanFinding(
                    .warning, at: rate["energyratestructure"]["\(index)"].path, "no schedule names this period"))
        }
        draft.findings += notes(rate)
        return draft
    }

    /// Of a list of rates the one asked for, or the only one.
    private static func rate(_ root: DocumentNode, label: String?) throws(EnergyError) -> DocumentNode {
        guard root["items"].exists else { return root }
        let items = try root["items"].elements()
        let chosen = items.filter { item in label == nil || item["label"].said == label }
        if chosen.count == 1 { return chosen[0] }
        let labels = items.prefix(5).compactMap { try? $0["label"].text() }.joined(separator: ", ")
        throw root["items"].refusal(
            label == nil ? "must have one rate, or a label must be said" : "must have one rate of the label",
            "\(chosen.count) of \(items.count) rates (\(labels)\(items.count > 5 ? ", ..." : ""))")
    }

    /// The rates of a list that can be told apart, in its order; none of a document that is one rate.
    static func choices(_ root: DocumentNode) -> [TariffChoice] {
        guard let items = try? root["items"].elements(count: 0...choicesMax) else { return [] }
        let labels = items.compactMap { $0["label"].said }
        return items.compactMap { item in
            guard let label = item["label"].said, labels.count(where: { $0 == label }) == 1 else { return nil }
            let start = day(item["startdate"]).map { "from \($0)" }
            let end = day(item["enddate"]).map { "until \($0)" }
            let parts = [item["name"].said, item["utility"].said, start, end].compactMap(\.self)
            return TariffChoice(label: label, name: parts.isEmpty ? label : parts.joined(separator: ", "))
        }
    }

    /// The database gives at most as many at once.
    private static let choicesMax = 500

    private static func day(_ node: DocumentNode) -> String? {
        guard let seconds = try? node.number(), abs(seconds) < 1e11 else { return nil }
        return String("\(Timestamp(unixMilliseconds: Int64(seconds) * 1000))".prefix(10))
    }

    private static func schedule(_ node: DocumentNode, periods: Int) throws(EnergyError) -> [[Int]] {
        var result: [[Int]] = []
        for month in try node.elements("must be 12 lists of months", count: 12...12) {
            var hours: [Int] = []
            for hour in try month.elements("must be 24 hours", count: 24...24) {
                let period = try hour.number("must be the number of a period")
                guard let index = Int(exactly: period), 0..<periods ~= index else {
                    throw hour.refusal("must be a period of energyratestructure, 0 to \(periods - 1)")
                }
                hours.append(index)
            }
            result.append(hours)
        }
        return result
    }

    /// The same hours of the same period on the same days of several months are one block. Blocks do not overlap.
    private static func blocks(_ weekdays: [[Int]], _ weekends: [[Int]]) -> [Block] {
        var months: [Block: UInt32] = [:]
        for month in 0..<12 {
            let (working, free) = (Set(runs(weekdays[month])), Set(runs(weekends[month])))
            let parts: [(Set<Run>, UInt32)] = [
                (working.intersection(free), 0), (working.subtracting(free), Days.working),
                (free.subtracting(working), Days.free),
            ]
            for (runs, days) in parts {
                for run in runs {
                    let block = Block(period: run.period, hours: run.hours, days: days)
                    months[block, default: 0] |= 1 << UInt32(month)
                }
            }
        }
        return months.map { block, months in
            var block = block
            block.months = months == Days.allMonths ? 0 : months
            return block
        }
        .sorted()
    }

    private static func runs(_ hours: [Int]) -> [Run] {
        var result: [Run] = []
        for (hour, period) in hours.enumerated() {
            if let last = result.last, last.period == period {
                result[result.count - 1] = Run(period: period, hours: last.hours.lowerBound..<hour + 1)
            } else {
                result.append(Run(period: period, hours: hour..<hour + 1))
            }
        }
        return result
    }

    /// What the record says and the price of a kilowatt-hour does not.
    private static func notes(_ rate: DocumentNode) -> [RatePlanFinding] {
        let left = [
            ("fixedchargefirstmeter", "a fixed charge"), ("demandratestructure", "charges for power by time"),
            ("flatdemandstructure", "charges for power"), ("mincharge", "a minimum charge"),
        ]
        var result = left.filter { rate[$0.0].exists }.map {
            RatePlanFinding(.note, at: rate[$0.0].path, "left out, as no part of the price of a kilowatt-hour: \($0.1)")
        }
        for (member, word) in [("startdate", "from"), ("enddate", "until")] {
            guard let day = day(rate[member]) else { continue }
            result.append(RatePlanFinding(.note, at: rate[member].path, "the rate is in force \(word) \(day)"))
        }
        return result
    }

    struct Run: Hashable {
        let period: Int
        let hours: Range<Int>
    }

    struct Block: Hashable, Comparable {
        let period: Int
        let hours: Range<Int>
        let days: UInt32
        var months: UInt32 = 0

        static func < (lhs: Block, rhs: Block) -> Bool {
            (lhs.months, lhs.days, lhs.hours.lowerBound, lhs.period) < (
                rhs.months, rhs.days, rhs.hours.lowerBound, rhs.period
            )
        }

        func zone(_ period: Periods.Period) -> RateZone {
            RateZone(
                name: period.label, price: period.price, tiers: period.tiers, peak: PeakLabel.peak(period.label),
                weekdays: days, months: months, startMinute: hours.lowerBound * 60, endMinute: hours.upperBound * 60)
        }
    }
}

extension DocumentNode {
    /// The text, if there is one; a number as text.
    fileprivate var said: String? { try? text() }
}

/// Sets of days and months as the bits of a zone.
enum Days {
    static let working: UInt32 = 0b001_1111
    static let free: UInt32 = 0b110_0000
    static let all: UInt32 = 0b111_1111
    static let allMonths: UInt32 = 0b1111_1111_1111
}
