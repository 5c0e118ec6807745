internal import EnergyModel

/// The carbon intensity of the last hours as it was expected, and as it came.
struct PastChart {
    /// A time in which neither changes.
    struct Step: Hashable {
        let interval: Interval
        /// gCO2eq/kWh, when it happened.
        let expected: Double?
        /// By now; `nil` while nothing was measured.
        let came: Double?
    }

    let steps: [Step]
    let interval: Interval
    let now: Timestamp
    let formats: Formats

    private static let height = 150.0

    private var language: Language { formats.language }

    /// - Parameters:
    ///   - expected: what was known when it happened; usual values are no expectation of that time.
    ///   - came: what is known by now.
    init(
        expected: [SignalInterval], came: [SignalInterval], in interval: Interval, now: Timestamp, formats: Formats
    ) {
        self.interval = interval
        self.now = now
        self.formats = formats
        let edges = Set((expected + came).flatMap { [$0.interval.start, $0.interval.end] }).sorted()
        func value(_ intervals: [SignalInterval], _ start: Timestamp) -> SignalInterval? {
            intervals.first { $0.interval.contains(start) && !$0.isUsual }
        }
        steps = zip(edges, edges.dropFirst()).compactMap { start, end in
            guard let part = Interval(start: start, end: end)?.intersection(interval) else { return nil }
            let came = value(came, start).flatMap { $0.isEstimated ? nil : $0.carbonIntensity }
            let step = Step(interval: part, expected: value(expected, start)?.carbonIntensity, came: came)
            return step.expected == nil && step.came == nil ? nil : step
        }
    }

    func html() -> HTML {
        guard steps.contains(where: { $0.came != nil }) else {
            return .element("p", [.class("empty")]) { language(.pastNone) }
        }
        let axis = TimeAxis(interval: interval)
        let stops = steps.compactMap { step in
            axis.extent(step.interval).map { ChartFrame.Stop(left: $0.left, width: $0.width, text: text(step)) }
        }
        let label = language(
            .pastLabel, formats.moment(interval.start, seen: now), formats.moment(interval.end, seen: now), summary)
        return ChartFrame(
            id: "past", label: label, height: Self.height + 26, stops: stops, current: max(0, stops.count - 1),
            margin: .quantities, language: language
        ).html {
            drawing(axis)
        } legend: {
            if steps.contains(where: { $0.expected != nil }) {
                Drawing.lineKey("series expected", language(.pastExpected))
            }
            Drawing.lineKey("series came", language(.pastCame))
            HTML.element("span", [.class("note")]) { summary }
        } table: {
            Table.html(
                head: [language(.time), language(.pastExpected), language(.pastCame)],
                rows: steps.map { [time($0), grams($0.expected), grams($0.came)] })
        }
    }

    /// By how much they differ where both are known, each moment counted alike.
    var summary: String {
        var (sum, length) = (0.0, 0.0)
        for step in steps {
            guard let expected = step.expected, let came = step.came else { continue }
            sum += (expected - came).magnitude * Double(step.interval.milliseconds)
            length += Double(step.interval.milliseconds)
        }
        guard length > 0 else { return "" }
        let error = sum / length
        return error < 0.5 ? language(.pastSame) : language(.pastError, formats.intensity(error))
    }

    private func drawing(_ axis: TimeAxis) -> HTML {
        let largest = steps.flatMap { [$0.expected, $0.came] }.compactMap(\.self).max() ?? 0
        let quantity = QuantityAxis(largest: largest, height: Self.height)
        var html = HTML()
        for tick in quantity.ticks {
            html += Drawing.line("grid", x1: 0, y1: quantity.y(tick), x2: 100, y2: quantity.y(tick))
            html += Drawing.quantity(formats.intensity(tick), y: quantity.y(tick))
        }
        for (name, value) in [("expected", \Step.expected), ("came", \Step.came)] {
            html += steppedLine(name, steps.map { ($0.interval, $0[keyPath: value]) }, axis, quantity)
        }
        return html + Drawing.hours(axis, formats, bottom: Self.height)
    }

    private func steppedLine(
        _ name: String, _ values: [(Interval, Double?)], _ axis: TimeAxis, _ quantity: QuantityAxis
    ) -> HTML {
        var html = HTML()
        var last: (end: Timestamp, y: Double)?
        for (interval, value) in values {
            guard let value, let extent = axis.extent(interval) else { continue }
            let y = quantity.y(value)
            if let last, last.end == interval.start {
                html += Drawing.line("series \(name)", x1: extent.left, y1: last.y, x2: extent.left, y2: y)
            }
            html += Drawing.line("series \(name)", x1: extent.left, y1: y, x2: extent.left + extent.width, y2: y)
            last = (interval.end, y)
        }
        return html
    }

    /// `13:00–14:00 · expected 310 g/kWh · came 322 g/kWh`
    func text(_ step: Step) -> String {
        [time(step), words(.pastExpected, step.expected), words(.pastCame, step.came)].compactMap(\.self)
            .joined(separator: " · ")
    }

    private func time(_ step: Step) -> String { formats.span(step.interval, seen: now) }

    private func words(_ word: Word, _ value: Double?) -> String? {
        value.map { "\(language(word)) \(formats.intensity($0))" }
    }

    private func grams(_ value: Double?) -> String { value.map(formats.intensity) ?? "–" }
}
