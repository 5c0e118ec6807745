internal import EnergyModel
internal import EnergyPlanning

/// What a planner's reasons are in a schedule: what decides there, rates or carbon, is what the guidance was made of.
extension PlanTimeline {
    var best: ScheduleReason { isByRates ? .lowerRates : .cleanerEnergy }

    var waitingForBest: ScheduleReason { isByRates ? .waitingForLowerRates : .waitingForCleanerEnergy }

    /// - Parameter start: of the run.
    func reason(running reason: PlanReason, from start: Timestamp) -> ScheduleReason {
        switch reason {
        case .precondition: .preconditioning
        case .ownSolar where hasSun(at: start): .ownSolar
        case _ where guidance == nil: .noGuidance
        case .deadline: .deadline
        case .keepingRunsLong: .longRun
        // Others have the better times, or all that a peak leaves of them.
        case .loadBalancing: hasPeak ? .peakShaving : .noBetterTime
        // What a battery gives in the dark is no sun.
        case .asEarlyAsCanBe, .asLateAsCanBe, .ownSolar: .noBetterTime
        case .comfort: .comfort
        default: best
        }
    }

    /// - Parameter limit: what keeps it waiting, where that is a limit.
    func reason(waiting reason: PlanReason, for limit: String? = nil) -> ScheduleReason {
        switch reason {
        case .loadBalancing where limit == PlanReason.demandCharge: .lowPeak
        case .waitingForSolar: .waitingForSolar
        case .keepingRunsLong: .longPause
        case .asEarlyAsCanBe, .asLateAsCanBe: .laterIsAsGood
        // Without limits there is room at any time: a battery only makes another one dearer.
        case .loadBalancing where hasLimits: .loadBalancing
        case .priceAboveCeiling: .abovePriceCeiling
        case .carbonAboveCeiling: .aboveCarbonCeiling
        case .targetReached: .targetReached
        case .comfortIsKept: .comfortable
        default: waitingForBest
        }
    }

    /// The same blocks with reasons that hold: where rates and carbon count together, one of them may rise while the rating
    /// falls. What falls alone decides; where both do, what counts more.
    func told(_ blocks: [ScheduleBlock]) -> [ScheduleBlock] {
        guard hasPrices, hasCarbon, countsBoth, let gain = gain(of: blocks), gain.rates != gain.carbon else {
            return blocks
        }
        return blocks.map { block in
            ScheduleBlock(
                interval: block.interval, power: block.power, stageMax: block.stageMax, energy: block.energy,
                rating: block.rating, reason: block.reason.told(byRates: gain.rates), isDischarging: block.isDischarging
            )
        }
    }

    private var countsBoth: Bool {
        guard objective.rating != 0 else { return objective.money != 0 && objective.carbon != 0 }
        guard let guidance, guidance.incorporatesRatePlan else { return false }
        return 0 < guidance.basis.priceWeight && guidance.basis.priceWeight < 1
    }

    /// Whether rates, and carbon, are lower on average than if it ran at once; where it does, than in what follows.
    private func gain(of blocks: [ScheduleBlock]) -> (rates: Bool, carbon: Bool)? {
        let runs = blocks.filter { $0.power > .zero }.map(\.interval)
        guard let first = blocks.first, let last = blocks.last, let end = runs.last?.end else { return nil }
        let length = runs.reduce(0) { $0 + $1.milliseconds }
        let atOnce = Interval(start: first.interval.start, milliseconds: length)
        let other = end <= atOnce.end ? Interval(start: end, end: last.interval.end) : atOnce
        guard let other else { return nil }
        func isLower(_ value: (PlanSlot) -> Double) -> Bool { mean(value, in: runs) < mean(value, in: [other]) - 1e-9 }
        return (isLower { $0.expectedPrice ?? $0.importPrice }, isLower { $0.expectedCarbon ?? $0.carbon })
    }

    private func mean(_ value: (PlanSlot) -> Double, in times: [Interval]) -> Double {
        var (sum, length) = (0.0, 0.0)
        for slot in slots {
            for part in times.compactMap(slot.interval.intersection) {
                sum += value(slot) * Double(part.milliseconds)
                length += Double(part.milliseconds)
            }
        }
        return length > 0 ? sum / length : 0
    }

    /// Whether photovoltaics give something then: what is not drawn from the grid may come from a battery.
    func hasSun(at time: Timestamp) -> Bool { slots.contains { $0.interval.contains(time) && $0.pv > 0 } }

    /// Whether what is taken in a slot is all the home's own sun.
    func isOwnSolar(_ slot: HomePlan.Slot) -> Bool { slot.importPower < 1e-6 && hasSun(at: slot.interval.start) }

    /// What a kWh counts that is drawn at a time.
    func weight(at time: Timestamp) -> Double {
        slots.first { $0.interval.contains(time) }.map(weight) ?? 0
    }

    func weight(of slot: PlanSlot) -> Double {
        objective.money * slot.importPrice + objective.carbon * slot.carbon / 1000 + objective.rating * slot.rating
    }
}

extension ScheduleReason {
    /// The same where rates, or carbon, are what gets better.
    fileprivate func told(byRates isByRates: Bool) -> ScheduleReason {
        switch self {
        case .lowerRates, .cleanerEnergy: isByRates ? .lowerRates : .cleanerEnergy
        case .waitingForLowerRates, .waitingForCleanerEnergy:
            isByRates ? .waitingForLowerRates : .waitingForCleanerEnergy
        default: self
        }
    }

    /// What a run is for that has this reason, after "Runs from ... to ..., ".
    var purpose: String {
        switch self {
        case .noGuidance: "because there is no guidance"
        case .lowerRates: "for lower rates"
        case .ownSolar: "on own solar power"
        case .deadline: "to be ready in time"
        case .longRun: "so that it is switched less often"
        case .noBetterTime: "because no better time is free"
        case .peakShaving: "to keep the peak low"
        default: "for cleaner energy"
        }
    }
}
