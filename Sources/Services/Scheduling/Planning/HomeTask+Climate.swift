internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore

/// Makes a schedule of what was found for a building that is heated or cooled.
extension HomeTask {
    func plan(_ load: LoadPlan, _ slots: [HomePlan.Slot], _ timeline: PlanTimeline) -> DevicePlan {
        guard case .climate(let climate) = self.load else { return plan(load, timeline) }
        let course = ClimateCourse(load, slots, timeline)
        let most = max(climate.powerMax.kilowatts, 1e-9)
        var blocks: [ScheduleBlock] = []
        for (index, slot) in slots.enumerated() where index < course.powers.count {
            guard let part = slot.interval.intersection(window) else { continue }
            let power = course.powers[index]
            blocks.append(
                block(
                    part, power, course.reason(index, climate), timeline,
                    stage: Int((100 * min(1, power / most)).rounded(.up))))
        }
        var plan = DevicePlan(
            blocks: Self.joined(blocks), guidanceToken: timeline.guidance?.token, required: .zero, planned: .zero,
            explanation: sentence(load, climate))
        plan.discomfort = load.missing
        return plan
    }

    private func sentence(_ load: LoadPlan, _ climate: ClimateTraits) -> String {
        let band = "\(Self.degrees(climate.comfortMin)) to \(Self.degrees(climate.comfortMax)) °C"
        let (coldest, warmest) = load.temperatures.reduce((state, state)) { (min($0.0, $1), max($0.1, $1)) }
        let course = "between \(Self.degrees(coldest)) and \(Self.degrees(warmest)) °C until \(text.time(window.end))"
        if load.missing > 0 {
            let why = load.shortfall.map { ", because \(Self.why($0))" } ?? ""
            return "Cannot keep \(band): expects \(course)\(why)"
        }
        return "Keeps \(band)\(load.setbacks.isEmpty ? "" : ", but where it is reduced"): expects \(course)"
    }

    private static func degrees(_ celsius: Double) -> String {
        let tenths = Int((celsius * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// What a building is planned to take in each slot, and why.
private struct ClimateCourse {
    /// kW
    let powers: [Double]
    private let load: LoadPlan
    private let slots: [HomePlan.Slot]
    private let timeline: PlanTimeline
    /// What a kWh counts in each slot.
    private let weights: [Double]

    init(_ load: LoadPlan, _ slots: [HomePlan.Slot], _ timeline: PlanTimeline) {
        (self.load, self.slots, self.timeline) = (load, slots, timeline)
        powers = zip(slots, load.energies).prefix(load.temperatures.count).map { slot, energy in
            energy / (Double(slot.interval.milliseconds) / Double(Int64.millisecondsPerHour))
        }
        weights = slots.map { timeline.weight(at: $0.interval.start) }
    }

    func reason(_ slot: Int, _ climate: ClimateTraits) -> ScheduleReason {
        let (start, end) = (slots[slot].interval.start, load.temperatures[slot])
        if load.setbacks.contains(where: { $0.contains(start) }) { return .reduced }
        let isShort = climate.isCooling ? end > climate.comfortMax + 1e-6 : end < climate.comfortMin - 1e-6
        // It does what it can.
        if isShort { return powers[slot] > 1e-6 ? .comfort : timeline.hasLimits ? .loadBalancing : .longPause }
        let later = powers.indices.dropFirst(slot + 1)
        guard powers[slot] > 1e-6 else {
            let next = later.first { powers[$0] > 1e-6 }
            return next.map { weights[$0] < weights[slot] - 1e-9 } ?? false ? timeline.waitingForBest : .comfortable
        }
        if timeline.isOwnSolar(slots[slot]) { return .ownSolar }
        let isAhead = climate.isCooling ? end < climate.comfortMax - 0.1 : end > climate.comfortMin + 0.1
        return isAhead && later.contains { weights[$0] > weights[slot] + 1e-9 } ? timeline.best : .comfort
    }
}
