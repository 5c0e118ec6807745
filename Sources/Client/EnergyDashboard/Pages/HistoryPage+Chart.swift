internal import EnergyModel

extension HistoryPage {
    /// The periods as bars, and as a table of the same.
    var chart: HTML {
        guard answer.total.amount != .zero else {
            return .element("p", [.class("empty chart")]) { language(.noHistory) }
        }
        let measure = measure
        let isSplit = measure.measure == .energy || measure.measure == .runtime
        let bars = answer.periods.enumerated().map { index, period in bar(index, period, measure, isSplit) }
        return StackedBars(
            id: "bars", label: "\(language(measure.word)), \(title)", bars: bars,
            quantity: { measure.quantity($0, decimals: $1) }, language: language
        ).html {
            if isSplit { legend }
            Drawing.lineKey("before", language(.periodBefore))
        } table: {
            table(measure, isSplit)
        }
    }

    @HTMLBuilder private var legend: HTML {
        switch question.split {
        case .cleanliness:
            for item in HistorySplit.cleanlinesses where item.word != .unknown || isPartUnknown {
                Drawing.key(item.name, hatch: item.hatch, language(item.word))
            }
        case .tariff:
            for item in HistorySplit.tariffs where item.word != .unknown || isPartUnknown {
                Drawing.key(item.name, hatch: item.hatch, language(item.word))
            }
        }
    }

    private var isPartUnknown: Bool {
        answer.periods.compactMap(\.record).contains { record in
            HistorySplit.parts(of: record, question.split).contains { $0.word == .unknown && $0.amount != .zero }
        }
    }

    private func bar(
        _ index: Int, _ period: HistoryAnswer.Period, _ measure: HistoryMeasure, _ isSplit: Bool
    ) -> StackedBars.Bar {
        var parts: [StackedBars.Part] = []
        if let record = period.record {
            if isSplit {
                parts = HistorySplit.parts(of: record, question.split).map {
                    .init(name: $0.name, hatch: $0.hatch, value: measure.value($0.amount, .none))
                }
            } else {
                parts = [.init(name: measure.measure.rawValue, hatch: nil, value: max(0, measure.value(record)))]
            }
        }
        return StackedBars.Bar(
            label: label(period.interval), isMinor: isMinor(index), parts: parts,
            before: period.before.map(measure.value), text: text(period, measure, isSplit))
    }

    private func isMinor(_ index: Int) -> Bool {
        switch question.range {
        case .day: index % 6 != 0
        case .month: index % 5 != 0
        case .year: index % 2 != 0
        case .week, .years: false
        }
    }

    private func label(_ interval: Interval) -> String {
        switch question.range {
        case .day: formats.hour(interval.start)
        case .week: formats.weekday(interval.start)
        case .month: String(formats.isoDate(interval.start).suffix(2))
        case .year: formats.month(interval.start)
        case .years: formats.year(interval.start)
        }
    }

    private func name(_ interval: Interval) -> String {
        switch question.range {
        case .day: formats.span(interval)
        case .week, .month: formats.dayAndDate(interval.start)
        case .year: formats.longMonth(interval.start)
        case .years: formats.year(interval.start)
        }
    }

    private func text(_ period: HistoryAnswer.Period, _ measure: HistoryMeasure, _ isSplit: Bool) -> String {
        var text = name(period.interval) + " · "
        if let record = period.record {
            text += measure.text(record.total, record.worth)
            // Run time may be of what nobody knows the energy of.
            let parts =
                isSplit
                ? HistorySplit.parts(of: record, question.split).filter { measure.value($0.amount, .none) > 0 } : []
            if parts.count > 1 || parts.first?.word == .unknown {
                let words = parts.map { "\(language($0.word)) \(measure.text($0.amount, .none))" }
                text += " (" + words.joined(separator: ", ") + ")"
            }
        } else {
            text += "–"
        }
        guard let before = period.before else { return text }
        return text + " · " + language(.before, measure.text(before.total, before.worth))
    }

    /// With a column for each class that there is.
    private func table(_ measure: HistoryMeasure, _ isSplit: Bool) -> HTML {
        let parts = answer.periods.map { period in
            isSplit ? period.record.map { HistorySplit.parts(of: $0, question.split) } ?? [] : []
        }
        let words = HistorySplit.words(question.split).filter { word in
            parts.joined().contains { $0.word == word && $0.amount != .zero }
        }
        return Table.html(
            head: [language(.period), language(measure.word)] + words.map { language($0) } + [language(.periodBefore)],
            rows: zip(answer.periods, parts).map { period, parts in
                let amounts = words.map { word in parts.first { $0.word == word }?.amount }
                return [name(period.interval), period.record.map { measure.text($0.total, $0.worth) } ?? "–"]
                    + amounts.map { $0.map { measure.text($0, .none) } ?? "–" }
                    + [period.before.map { measure.text($0.total, $0.worth) } ?? "–"]
            })
    }
}
