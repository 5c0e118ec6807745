internal import EnergyModel
internal import Foundation

/// A guidance as a heading, and a line with a bar for each of its intervals.
struct GuidanceView {
    let guidance: Guidance
    let venue: Venue
    let now: Timestamp
    let style: Style
    /// In place of the lines that say the same in short.
    var explanation: GuidanceExplanation?

    func lines() -> [String] { heading() + [""] + table().lines(style) + [""] + legend() }

    private func heading() -> [String] {
        let basis = guidance.basis
        let kind =
            switch basis.kind {
            case .averageDirect: "average"
            case .averageLifecycle: "average, lifecycle"
            case .marginal: "marginal"
            case .price: "price"
            }
        let (dot, zone) = (style.dot, venue.timeZone)
        let age = Quantities.length(milliseconds: now.milliseconds(since: guidance.issued))
        let from = VenueTime(guidance.interval.start, in: zone)
        let until = VenueTime(guidance.interval.end, in: zone)
        let end = from.date == until.date ? until.clock : "\(until.date.short) \(until.clock)"
        var title = "\(TerminalText.safe(venue.name))\(dot)\(guidance.action.rawValue)"
        title += "\(dot)\(from.date.long) \(from.clock) \(style.dash) \(end)"
        var source = "source \(TerminalText.safe(basis.source)) (\(kind)\(basis.isForecast ? ", forecast" : ""))"
        if basis.dataAgeMilliseconds > 0 {
            source += ", newest value \(Quantities.length(milliseconds: basis.dataAgeMilliseconds)) old"
        }
        let weight = basis.priceWeight > 0 ? ", price counts \(Quantities.percent(basis.priceWeight))" : ""
        let outlook = GuidanceOutlook(guidance).sentence(at: now, in: venue.timeZone)
        let head = wrapped([title, outlook]) + [sparkline(from: from.clock, until: until.clock)]
        if let explanation { return head + [""] + wrapped(explanation.sentences, isBold: false) }
        return head
            + wrapped(
                [
                    "\(source)\(dot)method \(TerminalText.safe(basis.method))\(weight)",
                    "issued \(age) ago\(dot)token \(guidance.token.text)",
                ] + basis.skippedSources.map { "not used: \(TerminalText.safe($0))" }, isBold: false)
    }

    /// The ratings from end to end: low is good.
    private func sparkline(from start: String, until end: String) -> String {
        let room = style.width.map { max(1, $0 - start.count - end.count - 2) } ?? .max
        let cells = Sparkline(values: guidance.values.map(\.rating)).values(in: room).map { rating in
            style.paint(style.sparkline([rating]), Verdict(rating: rating).color)
        }
        return "\(start) \(cells.joined()) \(end)"
    }

    /// - Parameter isBold: the first line stands out.
    private func wrapped(_ lines: [String], isBold: Bool = true) -> [String] {
        lines.enumerated().flatMap { index, line in
            TerminalText.wrap(line, to: style.width).map { isBold && index == 0 ? style.paint($0, .bold) : $0 }
        }
    }

    private func table() -> Table {
        let currency = guidance.basis.currency.map { "\(TerminalText.safe($0))/kWh" } ?? "price"
        var table = Table([
            .init(""), .init("time"), .init("rating", .right), .init("", dropOrder: 1), .init(""),
            .init("g/kWh", .right, dropOrder: 2), .init(currency, .right, dropOrder: 3),
        ])
        var day: CivilDate?
        for value in guidance.values {
            let start = VenueTime(value.interval.start, in: venue.timeZone)
            if start.date != day { table.addHeading(start.date.short) }
            day = start.date
            let verdict = Verdict(rating: value.rating)
            table.add([
                .init(value.interval.contains(now) ? ">" : " "), .init(start.clock),
                .init(Quantities.rating(value.rating)), .init(style.bar(value.rating, cells: barCells), verdict.color),
                .init(verdict.rawValue, verdict.color),
                .init(value.carbonIntensity.map(Quantities.carbonIntensity) ?? ""),
                .init(value.price.map(Quantities.price) ?? ""),
            ])
        }
        return table
    }

    /// What the other columns leave of the line, within what reads well.
    private var barCells: Int {
        let width = style.width ?? 80
        return min(max(width - 48, 8), 40)
    }

    private func legend() -> [String] {
        let text =
            "0 is best, 1 is worst. Good: up to \(Quantities.rating(Verdict.goodMax)), "
            + "Fair: up to \(Quantities.rating(Verdict.fairMax)), Avoid: above. Times are in "
            + "\(venue.timeZone.identifier)."
        return TerminalText.wrap(text, to: style.width).map { style.paint($0, .dim) }
    }
}
