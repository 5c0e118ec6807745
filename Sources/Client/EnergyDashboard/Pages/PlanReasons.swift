internal import EnergyModel

/// Why a plan is as it is: of each time and of all of it in the reader's language, and the sentence that the scheduler wrote.
struct PlanReasons {
    let schedule: Schedule
    let context: PageContext

    func html() -> HTML {
        .element("details", [.id("why-\(schedule.deviceID)")]) {
            HTML.element("summary") { context.language(.why) }
            summary.inWords
            HTML.element("ul", [.class("lines")]) {
                for line in lines { HTML.element("li") { line } }
            }
            Self.words(context.formats.told(schedule.explanation), context.language, id: schedule.deviceID)
        }
    }

    private var summary: PlanSummary {
        PlanSummary(blocks: schedule.blocks, missing: schedule.missing, context: context)
    }

    /// Times that follow each other for the same reason are one; those that are over are left out.
    var lines: [String] {
        var times: [(interval: Interval, reason: ScheduleReason)] = []
        for block in schedule.blocks where block.interval.end > context.now {
            if let last = times.last, last.reason == block.reason, last.interval.end == block.interval.start,
                let both = Interval(start: last.interval.start, end: block.interval.end)
            {
                times[times.count - 1].interval = both
            } else {
                times.append((block.interval, block.reason))
            }
        }
        // What begins and ends in one minute would be told as a time of no length.
        return times.filter { $0.interval.start.nearestMinute < $0.interval.end.nearestMinute }.map { time in
            "\(context.formats.span(time.interval, seen: context.now)): \(context.language.reason(time.reason))"
        }
    }

    /// The scheduler speaks English, whatever the reader's language: who reads another finds what the scheduler adds, such as
    /// what would help, behind what is said in that.
    @HTMLBuilder static func words(_ explanation: String, _ language: Language, id: String) -> HTML {
        if language == .english {
            HTML.element("p", [.class("note")]) { language(.whyInWords) }
            HTML.element("p") { explanation }
        } else {
            HTML.element("details", [.id("words-\(id)")]) {
                HTML.element("summary") { language(.whyInWords) }
                HTML.element("p", [Attribute("lang", "en")]) { explanation }
            }
        }
    }
}
