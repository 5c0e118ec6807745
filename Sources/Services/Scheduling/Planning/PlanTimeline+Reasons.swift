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
        case .loadBalancing: .peakShaving
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
    /// What a run is for that has this reason, after "Runs from ... to ..., ".
    var purpose: String {
        switch self {
        case .noGuidance: "because there is no guidance"
        case .lowerRates: "for lower rates"
        case .ownSolar: "on own solar power"
        case .deadline: "to be ready in time"
        case .longRun: "so that it is switched less often"
        case .noBetterTime: "because no other time is better"
        case .peakShaving: "with less power than it could, to keep the peak low"
        default: "for cleaner energy"
        }
    }
}
