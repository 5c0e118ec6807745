/// Says in one sentence what a vehicle does and why.
struct ChargeExplanation {
    let blocks: [ScheduleBlock]
    let window: Interval
    let power: Power
    /// Milliseconds at `power`.
    let needed: Int64
    let missing: Energy
    let mustHurry: Bool
    let isRated: Bool
    let isByRates: Bool
    /// End of what the guidance covers.
    let ratedUntil: Timestamp?
    let text: LocalTimeText

    var sentence: String {
        let runs = blocks.filter { $0.power > .zero }.map(\.interval)
        guard let first = runs.first, let last = runs.last else {
            return needed > 0 ? "Cannot charge: the power is 0" : "The target is reached"
        }
        let need = "needs \(text.duration(milliseconds: needed)) at \(text.power(power))"
        if mustHurry {
            return missing > .zero
                ? "Charges at once, the time until \(text.time(window.end)) is too short: "
                    + "\(text.energy(missing)) will be missing (\(need))"
                : "Charges at once: takes all the time until \(text.time(window.end)) (\(need))"
        }
        let ready = "ready by \(text.time(last.end)) (\(need))"
        guard isRated else { return "Charges at once, because there is no guidance: \(ready)" }
        let wish = isByRates ? "lower rates" : "cleaner energy"
        let plan =
            if first.start > window.start {
                "Waits for \(wish): starts \(text.time(first.start)), \(ready)"
            } else if pauses {
                "Charges now and pauses for \(wish): \(ready)"
            } else {
                isByRates
                    ? "Charges now, while rates are lowest: \(ready)"
                    : "Charges now, while energy is cleanest: \(ready)"
            }
        return plan + horizon(last)
    }

    private var pauses: Bool {
        blocks.contains { $0.reason == .waitingForCleanerEnergy || $0.reason == .waitingForLowerRates }
    }

    /// Only when it changes the plan: time without a rating had to be used.
    private func horizon(_ last: Interval) -> String {
        guard let ratedUntil, last.end > ratedUntil else { return "" }
        return "; guidance ends \(text.time(ratedUntil)), what follows counts as worst"
    }
}
