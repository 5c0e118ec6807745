internal import EnergyModel

/// Energy and run time per period, with what they split into and the sum.
struct InsightTable {
    let records: [InsightRecord]
    let granularity: Granularity
    let venue: Venue
    let style: Style

    static let cleanliness: [(Cleanliness, String)] = [
        (.cleaner, "cleaner"), (.lessClean, "less clean"), (.avoid, "avoid"), (.unknown, "unknown"),
    ]
    static let bands: [(RatingBand, String)] = [
        (.good, "good"), (.fair, "fair"), (.avoid, "to avoid"), (.unknown, "not rated"),
    ]
    /// What times are rated by, and lack: ``RatingBand/unknown``.
    static let whyNotRated =
        "of that time no carbon intensity is known, and where none is known all day, no price"
    static let peaks: [(TariffPeak, String)] = [
        (.superOffPeak, "super off-peak"), (.offPeak, "off-peak"), (.partialPeak, "partial peak"),
        (.onPeak, "on-peak"), (.criticalPeak, "critical peak"), (.unknown, "peak not named"),
    ]

    func lines() -> [String] {
        guard !records.isEmpty else { return ["No energy was used in this time."] }
        // A class that nothing fell into has no column.
        let cleanliness = InsightTable.cleanliness.filter { shows { $0.byCleanliness?[$1] }($0.0) }
        let peaks = InsightTable.peaks.filter { shows { $0.byTariff?[$1] }($0.0) }
        let bands = InsightTable.bands.filter { shows { $0.byBand?[$1] }($0.0) }
        let splits = cleanliness.map(\.1) + peaks.map(\.1) + bands.map(\.1)
        let worth = WorthColumns(records)
        let hasParts = records.contains { $0.deviceKind != nil }
        let isWeighted = records.contains { $0.total.weightedRuntimeMilliseconds != $0.total.runtimeMilliseconds }
        var table = Table(
            [.init(Self.periodTitle(granularity)), .init(hasParts ? "of" : "", shrinks: true)]
                + [
                    .init("kWh", .right),
                    .init("run time", .right, dropOrder: splits.isEmpty ? hasParts ? 0 : nil : 39),
                ]
                + [.init("by stage", .right, dropOrder: 40)]
                + worth.titles.enumerated().map { .init($1, .right, dropOrder: $0 + 20) }
                + splits.enumerated().map { .init($1, .right, dropOrder: $0) })
        func cells(_ label: Table.Cell, _ record: InsightRecord) -> [Table.Cell] {
            var cells: [Table.Cell] = [
                label, .init(record.part),
                .init(record.measuresEnergy ? Quantities.kilowattHours(record.total.energy) : "-"),
                .init(Quantities.runtime(milliseconds: record.total.runtimeMilliseconds)),
                .init(
                    isWeighted ? Quantities.runtime(milliseconds: record.total.weightedRuntimeMilliseconds) : ""),
            ]
            cells += worth.cells(record.knownWorth).map { .init($0) }
            cells += split(record, cleanliness.map { record.byCleanliness?[$0.0] })
            cells += split(record, peaks.map { record.byTariff?[$0.0] })
            return cells + split(record, bands.map { record.byBand?[$0.0] })
        }
        var day: CivilDate?
        let isOfOneYear = Set(records.map { VenueTime($0.interval.start, in: venue.timeZone).date.year }).count == 1
        for record in records {
            let date = VenueTime(record.interval.start, in: venue.timeZone).date
            if granularity == .hourly || granularity == .quarterHourly, date != day {
                table.addHeading(isOfOneYear ? date.short : date.long)
            }
            day = date
            table.add(cells(.init(label(record.interval)), record))
        }
        table.addRule()
        table.add(cells(.init("total", .bold), InsightTotals.sum(records)))
        var notes = worth.notes(on: InsightTotals.sum(records))
        notes += self.notes(hasSplits: !splits.isEmpty, isWeighted: isWeighted, bands.map(\.0))
        return table.lines(style) + table.notes(style)
            + notes.flatMap { TerminalText.fitted($0, to: style.width) }
    }

    private static func periodTitle(_ granularity: Granularity) -> String {
        switch granularity {
        case .quarterHourly: "from"
        case .hourly: "hour"
        case .daily, .weekly, .monthly, .yearly: "period"
        }
    }

    /// What the columns do not say by themselves.
    private func notes(hasSplits: Bool, isWeighted: Bool, _ bands: [RatingBand]) -> [String] {
        var notes: [String] = []
        if records.contains(where: { !$0.measuresEnergy }) {
            notes.append(
                "Heating and cooling report run time, and no energy"
                    + (hasSplits ? ": where kWh are missing, the other columns are hours." : "."))
        } else if isWeighted {
            notes.append("Heating and cooling report run time, and no energy: the kWh are those of other devices.")
        }
        if isWeighted { notes.append("By stage: run time times how hard it ran; an hour at 40 % is 0:24.") }
        if bands.contains(.unknown) {
            notes.append("Not rated: \(Self.whyNotRated).")
        }
        return notes
    }

    /// Rounded together, so that what is shown of the parts sums to what is shown of the whole.
    private func split(_ record: InsightRecord, _ parts: [InsightAmount?]) -> [Table.Cell] {
        guard record.measuresEnergy else {
            return parts.map { part in
                let length = part?.runtimeMilliseconds ?? 0
                return length == 0 ? "-" : .init(Quantities.runtime(milliseconds: length))
            }
        }
        let texts = Quantities.kilowattHours(of: record.total.energy, parts: parts.map { $0?.energy ?? .zero })
        return zip(parts, texts).map { part, text in
            guard let part, part.energy != .zero else { return part?.runtimeMilliseconds ?? 0 == 0 ? "-" : "0.00" }
            return .init(text)
        }
    }

    private func shows<Class>(_ amount: @escaping (InsightRecord, Class) -> InsightAmount?) -> (Class) -> Bool {
        { item in records.contains { amount($0, item).map { $0 != .zero } ?? false } }
    }

    /// - Parameter isAlone: not below a heading that says the day.
    func label(_ interval: Interval, isAlone: Bool = false) -> String {
        let start = VenueTime(interval.start, in: venue.timeZone)
        switch granularity {
        case .quarterHourly, .hourly: return isAlone ? "\(start.date.short) \(start.clock)" : start.clock
        case .daily: return start.date.long
        case .weekly:
            let last = VenueTime(interval.end.advanced(byMilliseconds: -1), in: venue.timeZone)
            return "\(start.date.short) \(style.dash) \(last.date.long)"
        case .monthly: return start.date.monthAndYear
        case .yearly: return "\(start.date.year)"
        }
    }
}

/// Sums over periods.
enum InsightTotals {
    /// - Returns: a record over the whole time of `records`; sums stop at the largest number instead of overflowing.
    static func sum(_ records: [InsightRecord]) -> InsightRecord {
        let start = records.map(\.interval.start).min() ?? Timestamp(unixMilliseconds: 0)
        let end = records.map(\.interval.end).max() ?? start
        let interval = Interval(start: start, end: end) ?? Interval(start: start, milliseconds: 1)
        var sum = InsightRecord(
            interval: interval, total: self.sum(records.map(\.total)),
            worth: records.reduce(.none) { $0 + $1.worth },
            byCleanliness: self.sum(records.compactMap(\.byCleanliness)),
            byTariff: self.sum(records.compactMap(\.byTariff)), byBand: self.sum(records.compactMap(\.byBand)))
        sum.isMeasured = records.contains { $0.measuresEnergy }
        return sum
    }

    // Sums of amounts stop at the largest number by themselves.
    private static func sum(_ amounts: [InsightAmount]) -> InsightAmount { amounts.reduce(.zero, +) }

    private static func sum<Class>(_ splits: [[Class: InsightAmount]]) -> [Class: InsightAmount]? {
        splits.isEmpty ? nil : splits.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
}

extension InsightRecord {
    /// Of what it is, where parts are apart.
    var part: String { deviceID ?? deviceKind.map(Words.plural) ?? "" }
}

extension Words {
    static func plural(_ kind: Device.Kind) -> String {
        switch kind {
        case .electricVehicle: "vehicles"
        case .hvac: "heating and cooling"
        case .homeBattery: "home batteries"
        case .appliance: "appliances"
        }
    }
}
