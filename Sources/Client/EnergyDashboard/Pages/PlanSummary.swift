internal import EnergyModel

/// What a plan comes to, in the reader's language: made from its blocks, for the scheduler's own sentence is English.
struct PlanSummary {
    let blocks: [ScheduleBlock]
    /// What cannot be had by the deadline.
    let missing: Energy
    let context: PageContext

    private var language: Language { context.language }

    /// `nil` where it is no more than the reason of what it does now.
    var text: String? {
        let sentences = times + lack
        return sentences.count > 1 ? sentences.joined(separator: " ") : nil
    }

    /// English readers have the scheduler's own sentence.
    @HTMLBuilder var inWords: HTML {
        if language != .english, let text { HTML.element("p") { text } }
    }

    private var ahead: [ScheduleBlock] { blocks.filter { $0.interval.end > context.now } }

    /// What it does now and why, and when it begins and ends.
    private var times: [String] {
        guard let present = ahead.first else { return [language(.planNone)] }
        let reason = language.reason(present.reason)
        let runs = ahead.filter { $0.isRunning && $0.reason != .normal }
        guard let first = runs.first, let last = runs.last else { return [reason] }
        let end = context.formats.moment(last.interval.end, seen: context.now)
        if first.interval.start <= context.now { return [reason, language(.planDone, end)] }
        return [reason, language(.planStarts, context.formats.moment(first.interval.start, seen: context.now), end)]
    }

    /// What will be missing, and what of its times keeps it from that.
    private var lack: [String] {
        guard missing > .zero else { return [] }
        let reasons = Set(blocks.filter { !$0.isRunning }.map(\.reason))
        let found = Self.causes.filter { reasons.contains($0.reason) }.map { language($0.word) }
        let causes = found.isEmpty ? [language(.causeTime)] : found
        return [
            language(.missingEnergy, context.formats.energy(missing)),
            language(.missingWhy, causes.joined(separator: ", ")),
        ]
    }

    private static let causes: [(reason: ScheduleReason, word: Word)] = [
        (.abovePriceCeiling, .causePrice), (.aboveCarbonCeiling, .causeCarbon), (.loadBalancing, .causeRoom),
        (.away, .causeAway), (.stopped, .causeStopped), (.paused, .causeStopped),
    ]
}
