internal import EnergyModel
internal import Foundation

/// What was used, what it cost and emitted, and what was saved.
struct HistoryPage {
    let context: PageContext
    let answer: HistoryAnswer
    /// Of the devices that are planned now, by id.
    let names: [String: String]

    var language: Language { context.language }
    var formats: Formats { context.formats }
    var question: HistoryQuestion { answer.question }
    private var zone: TimeZone { context.venue.timeZone }
    var measure: HistoryMeasure { measured(question.measure) }
    /// All that can be shown, beside each other.
    private var measures: [HistoryMeasure] {
        [HistoryQuestion.Measure.energy, .runtime, .cost, .carbon].map(measured)
    }

    private func measured(_ quantity: HistoryQuestion.Measure) -> HistoryMeasure {
        HistoryMeasure(measure: quantity, formats: formats, worth: answer.total.worth)
    }

    func html() -> HTML {
        .element("div", [.id("history")]) {
            HTML.element("div", [.class("title-row")]) {
                HTML.element("h1") { title }
                steps
            }
            ranges
            choices
            tiles
            chart
            devices
            SavingsView(saved: answer.saved, names: names, context: context).html()
            HTML.element("p", [.class("actions")]) {
                HTML.element("a", [.class("button"), .href(link("/history.csv")), Attribute("download", if: true)]) {
                    language(.download)
                }
            }
        }
    }

    private func link(_ path: String = "/history", _ change: (inout HistoryQuestion) -> Void = { _ in }) -> String {
        context.address(path, question.query(in: zone, change))
    }

    // MARK: What is asked

    var title: String {
        let (start, end) = (answer.interval.start, answer.interval.end.advanced(byMilliseconds: -1))
        switch question.range {
        case .day: return formats.longDate(start)
        case .week: return formats.dates(start, end)
        case .month: return formats.longMonth(start)
        case .year: return formats.year(start)
        case .years: return "\(formats.year(start)) – \(formats.year(end))"
        }
    }

    private var steps: HTML {
        .element("div", [.class("steps")]) {
            HTML.element(
                "a", [.class("button"), .href(link { $0.anchor = $0.previousAnchor(in: zone) }), .id("earlier")]
            ) {
                "← " + language(.earlier)
            }
            if answer.interval.end <= context.now {
                HTML.element("a", [.class("button"), .href(link { $0.anchor = answer.interval.end }), .id("later")]) {
                    language(.later) + " →"
                }
            }
        }
    }

    private var ranges: HTML {
        let words: [(HistoryQuestion.Range, Word)] = [
            (.day, .rangeDay), (.week, .rangeWeek), (.month, .rangeMonth), (.year, .rangeYear), (.years, .rangeYears),
        ]
        return .element("nav", [.label(language(.range)), .class("tabs")]) {
            for (range, word) in words {
                HTML.element(
                    "a",
                    [
                        .href(link { $0.range = range }), .id("range-\(range)"),
                        Attribute("aria-current", question.range == range ? "true" : nil),
                    ]
                ) { language(word) }
            }
        }
    }

    private var choices: HTML {
        .element("form", [.class("choices"), Attribute("method", "get"), Attribute("action", "/history")]) {
            for (name, value) in context.venues.count > 1 ? [("venue", context.venue.id.uuidString.lowercased())] : [] {
                Form.hidden(name, value)
            }
            Form.hidden("range", question.range.rawValue)
            Form.hidden("at", formats.isoDate(question.anchor))
            Form.select(
                "device", language(.device),
                [("", language(.wholeHome))] + names.sorted { $0.value < $1.value }.map { ($0.key, $0.value) },
                chosen: question.deviceID ?? "")
            Form.select(
                "measure", language(.measure),
                [
                    ("energy", language(.energy)), ("runtime", language(.runTime)), ("cost", language(.cost)),
                    ("carbon", language(.carbon)),
                ], chosen: question.measure.rawValue)
            Form.select(
                "split", language(.stackedBy),
                [("cleanliness", language(.cleanliness)), ("tariff", language(.tariff))],
                chosen: question.split.rawValue)
            HTML.element("button", [.id("history-apply")]) { language(.apply) }
        }
    }

    // MARK: What it was

    private var tiles: HTML {
        .element("dl", [.class("tiles")]) {
            for measure in measures { tile(measure) }
        }
    }

    private func tile(_ measure: HistoryMeasure) -> HTML {
        .element("div", [.class("tile")]) {
            HTML.element("dt") { language(measure.word) }
            HTML.element("dd", [.class("value")]) { measure.text(answer.total) }
            HTML.element("dd", [.class("note")]) { change(measure) }
            if let known = partlyKnown(measure.measure) { HTML.element("dd", [.class("note")]) { known } }
        }
    }

    private func change(_ measure: HistoryMeasure) -> String {
        let (now, before) = (measure.value(answer.total), measure.value(answer.before))
        guard before > 0 else { return language(.before, "–") }
        let share = (now - before) / before
        if share.magnitude < 0.005 { return language(.changeSame) }
        return language(share > 0 ? .changeMore : .changeLess, formats.percent(share.magnitude))
    }

    /// Unknown is never 0: it is said how much of the energy has a price, or an intensity.
    private func partlyKnown(_ measure: HistoryQuestion.Measure) -> String? {
        let energy = answer.total.amount.energy.milliwattHours
        let known: Int64
        switch measure {
        case .energy, .runtime: return nil
        case .cost: known = answer.total.worth.pricedEnergy.milliwattHours
        case .carbon: known = answer.total.worth.carbon.reduce(0) { $0 + $1.energy.milliwattHours }
        }
        guard energy > 0, known < energy, known > 0 else { return nil }
        return language(.partlyKnown, formats.percent(Double(known) / Double(energy)))
    }

    private var devices: HTML? {
        guard question.deviceID == nil, answer.devices.count > 1 else { return nil }
        return .element("section", [Attribute("aria-labelledby", "by-device")]) {
            HTML.element("h2", [.id("by-device")]) { language(.devices) }
            HTML.element(
                "div", [.class("scroll"), Attribute("tabindex", "0"), .role("group"), .label(language(.devices))]
            ) {
                Table.html(
                    head: [language(.device)] + measures.map { language($0.word) },
                    rows: answer.devices.map { device in
                        [names[device.id] ?? device.id] + measures.map { $0.text(device.total) }
                    })
            }
        }
    }
}

extension HistoryQuestion {
    /// Inside the time before.
    func previousAnchor(in zone: TimeZone) -> Timestamp { interval(in: zone).start.advanced(byMilliseconds: -1) }
}
