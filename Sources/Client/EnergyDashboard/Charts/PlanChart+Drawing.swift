internal import EnergyModel

extension PlanChart {
    private static let laneHeight = 40.0
    private static let barHeight = 18.0
    private static let powerHeight = 84.0
    private static let lineHeight = 46.0
    private static let gap = 30.0
    /// Of a name in the drawing; all of it is on the device's card.
    private static let nameMax = 28

    func drawing(_ axis: TimeAxis, _ power: PlannedPower) -> (HTML, height: Double) {
        var html = Drawing.patterns
        // Above everything else, so that they can be read.
        var names = HTML()
        var top = 0.0
        /// Draws below what is there, under its name, which the line of now leaves free.
        func panel(_ name: String, space: Double, height: Double, _ draw: (Double) -> HTML) {
            top += space
            html += draw(top) + Drawing.now(axis, now, top: top, bottom: top + height)
            names += Drawing.text(name, "lane-name", x: 0, y: top - 6)
            top += height
        }
        for device in devices {
            panel(
                device.name.shortened(to: Self.nameMax), space: Self.laneHeight - Self.barHeight, height: Self.barHeight
            ) { lane(device, axis, top: $0) }
        }
        if power.isAny {
            panel(language(.planPower), space: Self.gap, height: Self.powerHeight) {
                powerPanel(power, axis, top: $0)
            }
        }
        for line in guidance.map(lines) ?? [] {
            panel(title(line, axis), space: Self.gap, height: Self.lineHeight) { self.line(line, axis, top: $0) }
        }
        html += Drawing.hours(axis, formats, bottom: top)
        return (html + names, top + 26)
    }

    /// In the classes of the hours: what is longer than an hour may be in several.
    private func lane(_ device: DeviceStatus, _ axis: TimeAxis, top: Double) -> HTML {
        let bottom = top + Self.barHeight
        var html = Drawing.line("lane", x1: 0, y1: bottom, x2: 100, y2: bottom)
        for block in device.shownBlocks {
            let height = Self.barHeight * device.share(of: block)
            for span in RatingSpan.spans(of: block, by: guidance?.values ?? []) {
                guard let extent = axis.extent(span.interval) else { continue }
                html += Drawing.bar(
                    left: extent.left, width: extent.width, top: bottom - height, height: height,
                    class: block.isDischarging ? "battery" : span.band.rawValue,
                    hatch: block.isDischarging ? nil : span.band.hatch)
            }
        }
        return html
    }

    private func powerPanel(_ power: PlannedPower, _ axis: TimeAxis, top: Double) -> HTML {
        let largest = max(power.steps.map(\.total.kilowatts).max() ?? 0, power.limit?.kilowatts ?? 0)
        let quantity = QuantityAxis(largest: largest, height: Self.powerHeight, steps: 2)
        var html = HTML()
        for tick in quantity.ticks {
            let y = top + quantity.y(tick)
            html += Drawing.line("grid", x1: 0, y1: y, x2: 100, y2: y)
            html += Drawing.quantity(formats.number(tick, decimals: quantity.decimals) + " kW", y: y)
        }
        for step in power.steps {
            guard let extent = axis.extent(step.interval) else { continue }
            let y = quantity.y(step.total.kilowatts)
            html += Drawing.bar(
                left: extent.left, width: extent.width, top: top + y, height: Self.powerHeight - y, class: "power",
                hatch: nil)
        }
        if let limit = power.limit {
            let y = top + quantity.y(limit.kilowatts)
            html += Drawing.line("limit", x1: 0, y1: y, x2: 100, y2: y)
            html += Drawing.text(language(.planFuse, formats.power(limit)), "limit-name", x: 99, y: y - 4)
        }
        return html
    }

    // MARK: Price and carbon

    private struct Line {
        let name: String
        let title: Word
        let values: [(interval: Interval, value: Double)]
        /// With its unit.
        let text: (Double) -> String
        let unit: (String) -> String
    }

    private func lines(_ guidance: Guidance) -> [Line] {
        let currency = guidance.basis.currency
        let prices = guidance.values.compactMap { value in
            value.price.map { (interval: value.interval, value: Double($0.microsPerKilowattHour) / 1_000_000) }
        }
        let carbon = guidance.values.compactMap { value in
            value.carbonIntensity.map { (interval: value.interval, value: $0) }
        }
        return [
            Line(name: "price-line", title: .price, values: currency == nil ? [] : prices) {
                formats.money($0, currency ?? "", decimals: 2)
            } unit: {
                language(.perKilowattHour, $0)
            },
            Line(name: "carbon-line", title: .carbon, values: carbon) {
                formats.number($0)
            } unit: {
                language(.carbonUnit, $0)
            },
        ].filter { $0.values.count > 1 }
    }

    private func line(_ line: Line, _ axis: TimeAxis, top: Double) -> HTML {
        let values = line.values.filter { $0.interval.overlaps(axis.interval) }
        guard let least = values.map(\.value).min(), let most = values.map(\.value).max() else { return HTML() }
        let range = max(most - least, most.magnitude * 0.01, 0.000_001)
        func y(_ value: Double) -> Double { top + Self.lineHeight * (1 - (value - least) / range) }
        var html = HTML()
        var before: Double?
        for item in values {
            guard let extent = axis.extent(item.interval) else { continue }
            let height = y(item.value)
            if let before { html += Drawing.line(line.name, x1: extent.left, y1: before, x2: extent.left, y2: height) }
            html += Drawing.line(line.name, x1: extent.left, y1: height, x2: extent.left + extent.width, y2: height)
            before = height
        }
        return html
    }

    /// With its range, which the line fills.
    private func title(_ line: Line, _ axis: TimeAxis) -> String {
        let values = line.values.filter { $0.interval.overlaps(axis.interval) }.map(\.value)
        guard let least = values.min(), let most = values.max() else { return language(line.title) }
        return "\(language(line.title)): \(line.unit("\(line.text(least))–\(line.text(most))"))"
    }
}

extension DeviceStatus {
    /// Of a bar's height: heating and cooling that is held back is low.
    fileprivate func share(of block: ScheduleBlock) -> Double {
        guard device.device.kind == .hvac else { return 1 }
        // What is off is still seen.
        return max(0.15, min(1, Double(block.stageMax) / 100))
    }
}

extension String {
    fileprivate func shortened(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
