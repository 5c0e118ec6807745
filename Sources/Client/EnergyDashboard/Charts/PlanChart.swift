internal import EnergyModel

/// What runs when: a lane for each device, below them the power of all together under the fuse, price and carbon, all over
/// the same hours.
struct PlanChart {
    let devices: [DeviceStatus]
    let guidance: Guidance?
    let limits: VenueLimits?
    let now: Timestamp
    let formats: Formats

    private static let laneHeight = 40.0
    private static let powerHeight = 84.0
    private static let lineHeight = 46.0
    private static let gap = 30.0
    /// Shown at least, and at most.
    private static let hours: ClosedRange<Int64> = 24...48

    private var language: Language { formats.language }

    /// From the full hour until the last deadline, or guidance's end.
    var interval: Interval {
        let start = now.floored(toMilliseconds: .millisecondsPerHour)
        let ends = devices.compactMap { $0.schedule?.blocks.last?.interval.end } + [guidance?.interval.end ?? start]
        let wanted = (ends.max() ?? start).milliseconds(since: start)
        let range = Self.hours.lowerBound * .millisecondsPerHour...Self.hours.upperBound * .millisecondsPerHour
        return Interval(start: start, milliseconds: min(max(wanted, range.lowerBound), range.upperBound))
    }

    var power: PlannedPower { PlannedPower(devices: devices, limits: limits, interval: interval) }

    func html() -> HTML {
        let axis = TimeAxis(interval: interval)
        let power = power
        let stops = power.steps.compactMap { step in
            axis.extent(step.interval).map {
                ChartFrame.Stop(left: $0.left, width: $0.width, text: text(step))
            }
        }
        let current = power.steps.firstIndex { $0.interval.contains(now) } ?? 0
        let label = language(
            .planLabel, formats.moment(interval.start, seen: now), formats.moment(interval.end, seen: now), headroom)
        let (drawing, height) = drawing(axis, power)
        return ChartFrame(
            id: "plan", label: label, height: height, stops: stops, current: current, language: language
        ).html {
            drawing
        } legend: {
            Drawing.key("good", hatch: nil, language(.good))
            Drawing.key("fair", hatch: "fair", language(.fair))
            Drawing.key("avoid", hatch: "avoid", language(.avoid))
            HTML.element("span", [.class("note")]) { headroom }
        } table: {
            Table.html(
                head: [language(.time), language(.planPower)] + devices.map(\.device.device.name),
                rows: power.steps.map { step in
                    [formats.span(step.interval, seen: now)]
                        + [step.total > .zero ? formats.power(step.total) : "–"]
                        + step.parts.map(partText)
                })
        }
    }

    private func drawing(_ axis: TimeAxis, _ power: PlannedPower) -> (HTML, height: Double) {
        var html = Drawing.patterns
        // Above everything else, so that they can be read.
        var names = HTML()
        var top = 0.0
        for device in devices {
            html += lane(device, axis, top: top)
            names += Drawing.text(device.device.device.name, "lane-name", x: 0, y: top + 13)
            top += Self.laneHeight
        }
        top += 22
        html += powerPanel(power, axis, top: top)
        names += Drawing.text(language(.planPower), "lane-name", x: 0, y: top - 8)
        top += Self.powerHeight
        if let guidance {
            for panel in panels(guidance) {
                top += Self.gap
                html += line(panel, axis, top: top)
                names += Drawing.text(title(panel, axis), "lane-name", x: 0, y: top - 8)
                top += Self.lineHeight
            }
        }
        html += Drawing.hours(axis, formats, bottom: top)
        html += Drawing.now(axis, now, bottom: top)
        return (html + names, top + 26)
    }

    private func lane(_ device: DeviceStatus, _ axis: TimeAxis, top: Double) -> HTML {
        var html = Drawing.line("lane", x1: 0, y1: top + 36, x2: 100, y2: top + 36)
        for block in device.schedule?.blocks ?? [] where block.isRunning {
            guard let extent = axis.extent(block.interval) else { continue }
            let band = RatingBand(rating: block.rating)
            html += Drawing.bar(
                left: extent.left, width: extent.width, top: top + 18, height: 18,
                class: block.isDischarging ? "battery" : band.rawValue, hatch: band.hatch)
        }
        return html
    }

    private func powerPanel(_ power: PlannedPower, _ axis: TimeAxis, top: Double) -> HTML {
        let largest = max(power.steps.map(\.total.kilowatts).max() ?? 0, power.limit?.kilowatts ?? 0)
        let quantity = QuantityAxis(largest: largest, height: Self.powerHeight, steps: 2)
        var html = HTML()
        for tick in quantity.ticks {
            html += Drawing.line("grid", x1: 0, y1: top + quantity.y(tick), x2: 100, y2: top + quantity.y(tick))
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
            html += Drawing.text(language(.planFuse, formats.power(limit)), "quantity limit-name", x: 99, y: y - 4)
        }
        for tick in quantity.ticks.dropFirst() {
            let text = formats.number(tick, decimals: quantity.decimals) + " kW"
            html += Drawing.text(text, "quantity", x: 0, y: top + quantity.y(tick) + 12)
        }
        return html
    }

    // MARK: Price and carbon

    private struct Panel {
        let name: String
        let title: String
        let values: [(interval: Interval, value: Double)]
    }

    private func panels(_ guidance: Guidance) -> [Panel] {
        let prices = guidance.values.compactMap { value in
            value.price.map { (interval: value.interval, value: Double($0.microsPerKilowattHour) / 1_000_000) }
        }
        let carbon = guidance.values.compactMap { value in
            value.carbonIntensity.map { (interval: value.interval, value: $0) }
        }
        return [
            Panel(
                name: "price-line", title: "\(language(.price)), \(guidance.basis.currency ?? "")/kWh", values: prices),
            Panel(name: "carbon-line", title: "\(language(.carbon)), g/kWh", values: carbon),
        ].filter { $0.values.count > 1 }
    }

    private func line(_ panel: Panel, _ axis: TimeAxis, top: Double) -> HTML {
        let values = panel.values.filter { $0.interval.overlaps(axis.interval) }
        guard let least = values.map(\.value).min(), let most = values.map(\.value).max() else { return HTML() }
        let range = max(most - least, most.magnitude * 0.01, 0.000_001)
        func y(_ value: Double) -> Double { top + Self.lineHeight * (1 - (value - least) / range) }
        var html = HTML()
        var before: Double?
        for item in values {
            guard let extent = axis.extent(item.interval) else { continue }
            let height = y(item.value)
            if let before { html += Drawing.line(panel.name, x1: extent.left, y1: before, x2: extent.left, y2: height) }
            html += Drawing.line(panel.name, x1: extent.left, y1: height, x2: extent.left + extent.width, y2: height)
            before = height
        }
        return html
    }

    /// With its range, which the line fills.
    private func title(_ panel: Panel, _ axis: TimeAxis) -> String {
        let values = panel.values.filter { $0.interval.overlaps(axis.interval) }.map(\.value)
        guard let least = values.min(), let most = values.max() else { return panel.title }
        let decimals = most < 10 ? 2 : 0
        let span = "\(formats.number(least, decimals: decimals))–\(formats.number(most, decimals: decimals))"
        return "\(panel.title): \(span)"
    }

    // MARK: Words

    /// Heating and cooling run without a power that is known.
    private func partText(_ power: Power?) -> String {
        guard let power else { return "–" }
        return power > .zero ? formats.power(power) : language(.running)
    }

    /// What is left of the fuse when most is taken.
    var headroom: String {
        let power = power
        guard let limit = power.limit else { return language(.planNoFuse) }
        guard let fullest = power.steps.min(by: { ($0.headroom ?? 0) < ($1.headroom ?? 0) }) else {
            return language(.planFuse, formats.power(limit))
        }
        let left = Power(kilowatts: max(0, fullest.headroom ?? 0))
        return language(.planHeadroom, formats.power(left), formats.moment(fullest.interval.start, seen: now))
    }

    private func text(_ step: PlannedPower.Step) -> String {
        let time = formats.span(step.interval, seen: now)
        var parts = [time] + (step.total > .zero ? [formats.power(step.total)] : [])
        for (device, power) in zip(devices, step.parts) {
            guard let power else { continue }
            parts.append(device.device.device.name + (power > .zero ? " " + formats.power(power) : ""))
        }
        if let value = guidance?.values.first(where: { $0.interval.contains(step.interval.start) }) {
            parts.append(language(RatingBand(rating: value.rating).word))
            if let price = value.price, let currency = guidance?.basis.currency {
                parts.append(language(.perKilowattHour, formats.price(price, currency)))
            }
            if let carbon = value.carbonIntensity { parts.append(formats.intensity(carbon)) }
        }
        return parts.joined(separator: " · ")
    }
}

/// The planned power of a venue over time.
struct PlannedPower {
    /// During which nothing begins or ends.
    struct Step {
        let interval: Interval
        /// With what is not planned.
        let total: Power
        /// Least that a fuse has left, in kW: of its power, or of the fullest phase. `nil` without a fuse.
        let headroom: Double?
        /// Of each device in order; `nil` while it does not run.
        let parts: [Power?]
    }

    let steps: [Step]
    /// Most that the venue may draw.
    let limit: Power?

    /// - Parameter interval: at most a few days.
    init(devices: [DeviceStatus], limits: VenueLimits?, interval: Interval) {
        let fuse = limits.flatMap(Fuse.init)
        limit = fuse?.total
        let blocks = devices.map { status in
            (status.schedule?.blocks ?? []).filter { $0.isRunning && $0.interval.overlaps(interval) }
        }
        let hours = (0...(interval.milliseconds / .millisecondsPerHour)).map {
            interval.start.advanced(byMilliseconds: $0 * .millisecondsPerHour)
        }
        let edges = Set(blocks.joined().flatMap { [$0.interval.start, $0.interval.end] } + hours + [interval.end])
            .filter { interval.start <= $0 && $0 <= interval.end }.sorted()
        let base = (limits?.baseLoad ?? []).reduce(0) { $0 + $1.kilowatts }
        steps = zip(edges, edges.dropFirst()).compactMap { start, end in
            guard let span = Interval(start: start, end: end) else { return nil }
            let running = blocks.map { $0.first { $0.interval.contains(start) } }
            let planned = running.reduce(0.0) { sum, block in
                guard let block else { return sum }
                return sum + (block.isDischarging ? -1 : 1) * block.power.kilowatts
            }
            let headroom = fuse?.headroom(planned: planned, base: limits?.baseLoad ?? [], running, devices)
            return Step(
                interval: span, total: Power(kilowatts: max(0, base + planned)), headroom: headroom,
                parts: running.map { $0?.power })
        }
    }
}

/// What the whole venue may draw: its connection, or the circuit that everything is on.
private struct Fuse {
    private let power: Double?
    private let perPhase: Double?

    /// - Returns: `nil` where nothing is limited.
    init?(_ limits: VenueLimits) {
        let main = limits.circuits.first { $0.parent == nil && $0.deviceIDs.isEmpty }
        power = [limits.importPower, main?.power].compactMap { $0?.kilowatts }.min()
        perPhase = main?.powerPerPhase?.kilowatts
        if power == nil, perPhase == nil { return nil }
    }

    /// Over three phases.
    var total: Power { Power(kilowatts: [power, perPhase.map { $0 * 3 }].compactMap(\.self).min() ?? 0) }

    /// - Parameter planned: kW of all that runs.
    func headroom(
        planned: Double, base: [Power], _ running: [ScheduleBlock?], _ devices: [DeviceStatus]
    ) -> Double {
        let whole = power.map { $0 - planned - base.reduce(0) { $0 + $1.kilowatts } }
        let phases = perPhase.map { limit in
            (1...3).map { phase in
                limit - (base.count == 3 ? base[phase - 1].kilowatts : 0)
                    - zip(devices, running).reduce(0) { sum, item in
                        sum + Self.share(of: item.1, item.0.device.vehicle?.phases ?? [1, 2, 3], on: phase)
                    }
            }
        }
        return ([whole] + (phases ?? [])).compactMap(\.self).min() ?? 0
    }

    /// A device's power is spread evenly over its phases.
    private static func share(of block: ScheduleBlock?, _ phases: [Int], on phase: Int) -> Double {
        guard let block, phases.contains(phase) else { return 0 }
        return (block.isDischarging ? -1 : 1) * block.power.kilowatts / Double(phases.count)
    }
}
