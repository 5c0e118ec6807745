internal import EnergyModel

/// What runs when: a lane for each device, below them the power of all together under the fuse, price and carbon, all over
/// the same hours.
struct PlanChart {
    let devices: [DeviceStatus]
    let guidance: Guidance?
    let limits: VenueLimits?
    let now: Timestamp
    let formats: Formats

    /// Shown at least, and at most.
    private static let hours: ClosedRange<Int64> = 24...48

    var language: Language { formats.language }
    private var words: GuidanceWords { GuidanceWords(guidance: guidance, formats: formats) }

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
            axis.extent(step.interval).map { ChartFrame.Stop(left: $0.left, width: $0.width, text: text(step)) }
        }
        let current = power.steps.firstIndex { $0.interval.contains(now) } ?? 0
        let label = language(
            .planLabel, formats.moment(interval.start, seen: now), formats.moment(interval.end, seen: now), headroom)
        let (drawing, height) = drawing(axis, power)
        return ChartFrame(
            id: "plan", label: label, height: height, stops: stops, current: current, margin: .quantities,
            language: language
        ).html {
            drawing
        } legend: {
            for band in [RatingBand.good, .fair, .avoid] {
                Drawing.key(band.rawValue, hatch: band.hatch, language(band.word))
            }
            if devices.contains(where: { $0.shownBlocks.contains { $0.reason == .reduced } }) {
                HTML.element("span", [.class("note")]) { language(.planLowBar) }
            }
            if let end = guidance?.interval.end,
                devices.contains(where: { ($0.shownBlocks.last?.interval.end ?? end) > end })
            {
                HTML.element("span", [.class("note")]) { language(.planForecast, formats.moment(end, seen: now)) }
            }
            HTML.element("span", [.class("note")]) { headroom }
        } table: {
            table(power)
        }
    }

    // MARK: Words

    private func table(_ power: PlannedPower) -> HTML {
        Table.html(
            head: [language(.time), language(.planPower)] + devices.map(\.name) + words.heads,
            rows: power.steps.filter { $0.interval.end > now }.map { step in
                [formats.span(step.interval, seen: now), step.total > .zero ? formats.power(step.total) : "–"]
                    + step.parts.map { $0.map(text) ?? "–" } + words.cells(words.value(at: step.interval.start))
            })
    }

    /// Heating and cooling run without a power that is known.
    private func text(_ block: ScheduleBlock) -> String {
        if block.reason == .reduced { return language(.planReduced, formats.percent(block.stageMax)) }
        return block.power > .zero ? formats.power(block.power) : language(.running)
    }

    /// What is left of the fuse when most is taken.
    var headroom: String {
        let power = power
        guard let limit = power.limit else { return language(.planNoFuse) }
        guard let fullest = power.steps.min(by: { ($0.headroom?.power ?? 0) < ($1.headroom?.power ?? 0) }) else {
            return language(.planFuse, formats.power(limit))
        }
        let (left, isOfPhase) = (fullest.headroom?.power ?? 0, fullest.headroom?.isOfPhase == true)
        let word: Word =
            switch (left < -0.0005, isOfPhase) {
            case (false, false): .planHeadroom
            case (false, true): .planHeadroomOfPhase
            case (true, false): .planOverdrawn
            case (true, true): .planOverdrawnOfPhase
            }
        return language(
            word, formats.power(Power(kilowatts: left.magnitude)), formats.moment(fullest.interval.start, seen: now))
    }

    private func text(_ step: PlannedPower.Step) -> String {
        let running = zip(devices, step.parts).compactMap { device, block in
            block.map { "\(device.name): \(text($0))" }
        }
        let parts =
            [formats.span(step.interval, seen: now)] + (step.total > .zero ? [formats.power(step.total)] : [])
            + running + (words.value(at: step.interval.start).map(words.facts) ?? [])
        return parts.joined(separator: " · ")
    }
}

extension DeviceStatus {
    /// When it runs, or does with less.
    var shownBlocks: [ScheduleBlock] {
        (schedule?.blocks ?? []).filter { $0.isRunning || $0.reason == .reduced }
    }
}
