/// Lays the chosen times out as blocks without gaps, each with its energy and its reason.
struct ChargeBlocks {
    let power: Power
    /// What the chosen times bring together; the last of them ends in the middle of a milliwatt-hour.
    let required: Energy
    let isByRates: Bool
    let isRated: Bool
    let mustHurry: Bool

    private struct Piece {
        var slots: [RatedSlot]
        let runs: Bool
        let reason: ScheduleReason

        var interval: Interval? {
            guard let first = slots.first, let last = slots.last else { return nil }
            return Interval(start: first.interval.start, end: last.interval.end)
        }

        /// Weighted by time; unknown counts as worst.
        var rating: Double {
            var (sum, length) = (0.0, 0.0)
            for slot in slots {
                sum += (slot.rating ?? 1) * Double(slot.interval.milliseconds)
                length += Double(slot.interval.milliseconds)
            }
            return length > 0 ? min(1, sum / length) : 1
        }
    }

    /// - Parameters:
    ///   - taken: sorted; each inside one of `slots`.
    ///   - slots: the whole window.
    func lay(_ taken: [RatedSlot], over slots: [RatedSlot]) -> [ScheduleBlock] {
        var charged: Int64 = 0
        var delivered = Energy.zero
        return pieces(taken, over: slots).compactMap { piece in
            guard let interval = piece.interval else { return nil }
            var energy = Energy.zero
            if piece.runs {
                charged += interval.milliseconds
                // From the running total, so that no rounding adds up.
                let total = min(required, power.energy(overMilliseconds: charged))
                energy = total - delivered
                delivered = total
            }
            return ScheduleBlock(
                interval: interval, power: piece.runs ? power : .zero, stageMax: 100, energy: energy,
                rating: piece.rating, reason: piece.reason)
        }
    }

    private func pieces(_ taken: [RatedSlot], over slots: [RatedSlot]) -> [Piece] {
        var pieces: [Piece] = []
        func add(_ slot: RatedSlot, runs: Bool) {
            let isLast = !runs && slot.interval.start >= (taken.last?.interval.end ?? slot.interval.start)
            let reason = runs ? runReason(slot) : isLast ? .targetReached : waitReason
            if let last = pieces.last, last.reason == reason, last.runs == runs {
                pieces[pieces.count - 1].slots.append(slot)
            } else {
                pieces.append(Piece(slots: [slot], runs: runs, reason: reason))
            }
        }
        for slot in slots {
            var cursor = slot.interval.start
            for part in taken where part.interval.overlaps(slot.interval) {
                if let wait = Interval(start: cursor, end: part.interval.start) {
                    add(RatedSlot(interval: wait, rating: slot.rating), runs: false)
                }
                add(part, runs: true)
                cursor = part.interval.end
            }
            if let wait = Interval(start: cursor, end: slot.interval.end) {
                add(RatedSlot(interval: wait, rating: slot.rating), runs: false)
            }
        }
        return pieces
    }

    private var waitReason: ScheduleReason { isByRates ? .waitingForLowerRates : .waitingForCleanerEnergy }

    private func runReason(_ slot: RatedSlot) -> ScheduleReason {
        if mustHurry { return .deadline }
        if !isRated { return .noGuidance }
        // Nobody runs in an unrated time because it is good: the deadline asks for it.
        if slot.rating == nil { return .deadline }
        return isByRates ? .lowerRates : .cleanerEnergy
    }
}
