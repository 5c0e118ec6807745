public import Foundation

/// Plans when heating or cooling runs reduced: the highest sum of rating x time within a total length.
///
/// Exact to the millisecond. Only rated time is reduced, and none that is rated 0: nothing would be gained. Of equal
/// ratings those next to other reduced time come first, then the earlier.
public struct ReducePlanner: Sendable {
    /// `0...100`: how hard the device may work while it is reduced.
    public let reducedStage: Int

    public init(reducedStage: Int = 40) { self.reducedStage = min(100, max(0, reducedStage)) }

    /// - Parameters:
    ///   - milliseconds: the longest total time to run reduced.
    ///   - window: from now until the deadline.
    ///   - guidance: for `.reduce`; without one the device runs as it likes.
    ///   - timeZone: of the times in the explanation.
    public func plan(milliseconds: Int64, window: Interval, guidance: Guidance?, timeZone: TimeZone) -> DevicePlan {
        let slots = RatedSlot.cut(window, by: guidance?.values ?? [])
        let useful = slots.filter { ($0.rating ?? 0) > 0 }
        let taken = SlotChoice(slots: useful, ties: .earlier).take(milliseconds: milliseconds) { -($0.rating ?? 0) }
        let isRated = slots.contains { $0.rating != nil }
        return DevicePlan(
            blocks: blocks(slots, taken, isRated: isRated), guidanceToken: isRated ? guidance?.token : nil,
            required: .zero, planned: .zero,
            explanation: sentence(
                taken, isRated: isRated, isByRates: guidance?.isDecidedByRates ?? false,
                LocalTimeText(timeZone: timeZone, now: window.start)))
    }

    private func blocks(_ slots: [RatedSlot], _ taken: [RatedSlot], isRated: Bool) -> [ScheduleBlock] {
        // The charge planner's layout does the same job: a reduced time is one that "runs".
        let layout = ChargeBlocks(
            power: .zero, required: .zero, isByRates: false, isRated: isRated, mustHurry: false)
        return layout.lay(taken, over: slots).reduce(into: []) { blocks, block in
            let isReduced = block.reason == .cleanerEnergy
            let reason: ScheduleReason = isReduced ? .reduced : isRated ? .normal : .noGuidance
            var (interval, rating) = (block.interval, block.rating)
            if let last = blocks.last, last.reason == reason,
                let joined = Interval(start: last.interval.start, end: interval.end)
            {
                let (a, b) = (Double(last.interval.milliseconds), Double(interval.milliseconds))
                rating = (last.rating * a + rating * b) / (a + b)
                interval = joined
                blocks.removeLast()
            }
            blocks.append(
                ScheduleBlock(
                    interval: interval, power: .zero, stageMax: isReduced ? reducedStage : 100, energy: .zero,
                    rating: rating, reason: reason))
        }
    }

    private func sentence(_ taken: [RatedSlot], isRated: Bool, isByRates: Bool, _ text: LocalTimeText) -> String {
        guard isRated else { return "Runs as usual, because there is no guidance" }
        guard let first = taken.first, var end = taken.first?.interval.end else { return "Runs as usual" }
        var (total, pauses): (Int64, Int) = (0, 0)
        for part in taken {
            total += part.interval.milliseconds
            if part.interval.start > end { pauses += 1 }
            end = part.interval.end
        }
        let when = "from \(text.time(first.interval.start)) to \(text.time(end))"
        let how = pauses == 0 ? "" : ", with \(pauses) pause\(pauses == 1 ? "" : "s")"
        let why = isByRates ? "when rates are highest" : "when energy is least clean"
        return "Runs reduced \(when)\(how), \(text.duration(milliseconds: total)) in all, \(why)"
    }
}
