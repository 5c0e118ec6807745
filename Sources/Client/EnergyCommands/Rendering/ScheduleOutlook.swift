internal import EnergyModel
internal import Foundation

/// What a schedule says of the time ahead.
struct ScheduleOutlook {
    let schedule: Schedule
    let venue: Venue

    /// The scheduler's explanation. Its times are on the venue's clock: where those shown beside it are not, the runs.
    func sentence(now: Timestamp) -> String {
        guard venue.isStandIn else { return TerminalText.safe(schedule.explanation) }
        let isReduction = if case .reduce = schedule.goal.target { true } else { false }
        var spans: [(start: Timestamp, end: Timestamp)] = []
        for block in schedule.blocks where block.interval.end > now {
            guard block.power > .zero || block.reason == .reduced else { continue }
            if let last = spans.last, last.end == block.interval.start {
                spans[spans.count - 1].end = block.interval.end
            } else {
                spans.append((block.interval.start, block.interval.end))
            }
        }
        let verb = isReduction ? "runs reduced" : "runs"
        let texts = spans.compactMap { span -> String? in
            let (start, end) = (
                VenueTime(rounding: span.start, in: venue.timeZone), VenueTime(rounding: span.end, in: venue.timeZone)
            )
            guard start != end else { return nil }
            return "\(start.date.short) \(start.clock) to \(end.clock(on: start.date))"
        }
        guard !texts.isEmpty else { return "nothing is ahead" }
        return "\(verb) \(texts.joined(separator: ", "))"
    }
}
