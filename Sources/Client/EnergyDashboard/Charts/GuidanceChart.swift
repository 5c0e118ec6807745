internal import EnergyModel

/// The ratings of the hours ahead as bars: the lower, the better.
struct GuidanceChart {
    let guidance: Guidance
    let now: Timestamp
    let formats: Formats

    private static let barsHeight = 132.0
    private static let stripHeight = 24.0
    private static let stripTop = barsHeight + 6
    private static let bottom = stripTop + stripHeight
    private static let height = bottom + 26

    private var language: Language { formats.language }
    private var words: GuidanceWords { GuidanceWords(guidance: guidance, formats: formats) }

    /// The hours that are not over.
    var values: [GuidanceValue] { guidance.values.filter { $0.interval.end > now } }

    func html() -> HTML {
        let values = values
        guard let first = values.first, let last = values.last,
            let interval = Interval(start: first.interval.start, end: last.interval.end)
        else { return .element("p", [.class("empty")]) { language(.noGuidance) } }
        let axis = TimeAxis(interval: interval)
        let stops = values.compactMap { value in
            axis.extent(value.interval).map {
                ChartFrame.Stop(left: $0.left, width: $0.width, text: text(value))
            }
        }
        let label = language(
            .forecastLabel, formats.moment(interval.start, seen: now), formats.moment(interval.end, seen: now),
            summary)
        return ChartFrame(
            id: "guidance", label: label, height: Self.height, stops: stops, margin: .numbers, language: language
        ).html {
            drawing(values, axis)
        } legend: {
            for band in [RatingBand.good, .fair, .avoid] {
                Drawing.key(band.rawValue, hatch: band.hatch, language(band.word))
            }
            HTML.element("span", [.class("note")]) { language(.ratingHint) }
        } table: {
            table(values)
        }
    }

    private func drawing(_ values: [GuidanceValue], _ axis: TimeAxis) -> HTML {
        var html = Drawing.patterns
        for limit in [RatingBand.goodMax, RatingBand.fairMax] {
            let y = Self.barsHeight * (1 - limit)
            html += Drawing.line("grid", x1: 0, y1: y, x2: 100, y2: y)
            html += Drawing.quantity(formats.number(limit, decimals: 1), y: y)
        }
        for value in values {
            guard let extent = axis.extent(value.interval) else { continue }
            let band = RatingBand(rating: value.rating)
            // A bar of rating 0 is still seen.
            let height = max(4, min(max(value.rating, 0), 1) * Self.barsHeight)
            html += Drawing.bar(
                left: extent.left, width: extent.width, top: Self.barsHeight - height, height: height,
                class: band.rawValue, hatch: band.hatch)
        }
        html += strip(values, axis)
        html += Drawing.hours(axis, formats, bottom: Self.bottom)
        return html + Drawing.now(axis, now, bottom: Self.barsHeight)
    }

    /// The same in words: spans of one band.
    private func strip(_ values: [GuidanceValue], _ axis: TimeAxis) -> HTML {
        RatingSpan.spans(of: values).reduce(into: HTML()) { html, span in
            guard let extent = axis.extent(span.interval) else { return }
            html += Drawing.bar(
                left: extent.left, width: extent.width, top: Self.stripTop, height: Self.stripHeight,
                class: "strip \(span.band.rawValue)", hatch: nil)
            guard extent.width >= 5 else { return }
            let name = "strip-word \(span.band.rawValue)" + (extent.width < 14 ? " minor" : "")
            html += Drawing.text(
                language(span.band.word), name, x: extent.left + extent.width / 2, y: Self.stripTop + 17)
        }
    }

    /// Good times in a sentence.
    var summary: String {
        let good = RatingSpan.spans(of: values).filter { $0.band == .good }
            .map { formats.span($0.interval, seen: now) }
        return good.isEmpty ? language(.nextGoodNone) : "\(language(.good)): \(good.prefix(6).joined(separator: ", "))."
    }

    /// `13:00–14:00 · Good (0.12) · €0.21 per kWh · 310 g/kWh`
    func text(_ value: GuidanceValue) -> String {
        ([formats.span(value.interval, seen: now)] + words.facts(value)).joined(separator: " · ")
    }

    private func table(_ values: [GuidanceValue]) -> HTML {
        Table.html(
            head: [language(.time)] + words.heads,
            rows: values.map { [formats.span($0.interval, seen: now)] + words.cells($0) })
    }
}

/// Neighbouring intervals of one band.
struct RatingSpan: Hashable {
    let band: RatingBand
    let interval: Interval

    static func spans(of values: [GuidanceValue]) -> [RatingSpan] {
        values.reduce(into: []) { spans, value in
            let band = RatingBand(rating: value.rating)
            if let last = spans.last, last.band == band, last.interval.end == value.interval.start,
                let joined = Interval(start: last.interval.start, end: value.interval.end)
            {
                spans[spans.count - 1] = RatingSpan(band: band, interval: joined)
            } else {
                spans.append(RatingSpan(band: band, interval: value.interval))
            }
        }
    }
}

extension RatingSpan {
    /// Of a block, cut where the class changes; what guidance does not reach is as the block is on the whole.
    static func spans(of block: ScheduleBlock, by values: [GuidanceValue]) -> [RatingSpan] {
        var parts = values.compactMap { value in
            value.interval.intersection(block.interval).map { GuidanceValue(interval: $0, rating: value.rating) }
        }
        let (start, end) = (block.interval.start, block.interval.end)
        let rests = [
            Interval(start: start, end: parts.first?.interval.start ?? end),
            Interval(start: parts.last?.interval.end ?? end, end: end),
        ].map { rest in rest.map { [GuidanceValue(interval: $0, rating: block.rating)] } ?? [] }
        parts = rests[0] + parts + rests[1]
        return spans(of: parts)
    }
}

extension RatingBand {
    var word: Word {
        switch self {
        case .good: .good
        case .fair: .fair
        case .avoid: .avoid
        case .unknown: .unknown
        }
    }

    /// Good is plain.
    var hatch: String? { self == .good ? nil : rawValue }
}
