import EnergyModel

/// What could be asked otherwise, as people say it.
extension PlanChange {
    func text(_ problem: PlanProblem) -> String {
        switch self {
        case .later(let load, let goal, let milliseconds):
            "be ready \(milliseconds.durationText) later" + (time(load, goal, problem).map { " than \($0)" } ?? "")
                + Self.text(due(load, goal, problem)?.advanced(byMilliseconds: milliseconds), problem)
        case .earlier(let load, let milliseconds):
            "start \(milliseconds.durationText) earlier"
                + Self.text(problem.loads[load].window?.start.advanced(byMilliseconds: -milliseconds), problem)
        case .there(_, let stay, let isReturn):
            isReturn
                ? "be back \(stay.milliseconds.durationText) earlier" + Self.text(stay.start, problem)
                : "leave \(stay.milliseconds.durationText) later" + Self.text(stay.end, problem)
        case .less(let load, let goal, let energy):
            "ask for \(energy.plainText) kWh less" + (time(load, goal, problem).map { " by \($0)" } ?? "")
        case .strongerConnection(let load, let power):
            (problem.loads[load].isBuilding ? "have it run with up to" : "use a connection of at least")
                + " \(power.plainText) kW"
        case .lowerPower(_, let power): "run it with at most \(power.plainText) kW"
        case .raise(let raises): Self.text(raises, problem)
        case .lessBaseLoad(let power): "have \(power.plainText) kW less base load meanwhile"
        case .batteryLater(let battery, let goal, let milliseconds):
            "be ready \(milliseconds.durationText) later"
                + Self.text(
                    problem.batteries[battery].sortedGoals[goal].by.advanced(byMilliseconds: milliseconds), problem)
        case .batteryLess(let battery, let goal, let energy):
            "ask for \(energy.plainText) kWh less"
                + (goal.map { time(battery: battery, $0, problem).map { " by \($0)" } ?? "" }
                    ?? (problem.batteries[battery].goals.isEmpty ? "" : " at the end"))
        case .batteryBeside(_, let others): "let it run beside \(others.joined(separator: " and "))"
        case .priceCeiling(_, let price): "raise the price ceiling to \(price.plainText)"
        case .carbonCeiling(_, let carbon): "raise the carbon ceiling to \(carbon.plainText)"
        case .noCeilings: "leave out the price and the carbon ceiling"
        case .beside(_, let others): "let it run beside \(others.joined(separator: " and "))"
        case .noRunMin: "leave out its minimum run"
        case .noPauseMin: "leave out its minimum pause"
        case .anyRuns: "allow any number of runs"
        case .partialSlots: "allow slots used in part"
        case .freeShape(let load): problem.loads[load].freeShapeText
        case .final(_, let temperature): "ask for \(temperature.plainText) °C at the end"
        case .finerSlots(let milliseconds): "plan with slots of \(milliseconds / 60_000) min"
        case .together(let changes): changes.map { $0.text(problem) }.joined(separator: ", and ")
        case .widerBand(_, let kelvin): "allow a comfort band that is \(kelvin.plainText) K wider on each side"
        }
    }

    /// When that would be, after what changes: ` (07:30)`.
    private static func text(_ time: Timestamp?, _ problem: PlanProblem) -> String {
        time.map { " (\(problem.timeText($0)))" } ?? ""
    }

    /// Those that are raised by the same are said together.
    private static func text(_ raises: [Raise], _ problem: PlanProblem) -> String {
        var said: [(amount: String, names: [String])] = []
        for raise in raises {
            let amount =
                raise.amperes(problem).map { "\($0.plainText) A" }
                ?? "\(raise.power.plainText) kW" + (raise.limit.isPerPhase ? " on each phase" : "")
            let name = raise.limit.name(problem)
            if let same = said.firstIndex(where: { $0.amount == amount }) {
                said[same].names.append(name)
            } else {
                said.append((amount, [name]))
            }
        }
        return "raise "
            + said.map { "\($0.names.joined(separator: " and ")) by \($0.amount)" }.joined(separator: ", and ")
    }

    /// Which of several goals, by when it is due; `nil` if there is one only.
    private func time(_ load: Int, _ goal: Int?, _ problem: PlanProblem) -> String? {
        guard let goal, case .energy(let need) = problem.loads[load].need, need.goals.count > 1 else { return nil }
        return problem.timeText(need.goals[goal].by)
    }

    /// Likewise of a battery.
    private func time(battery: Int, _ goal: Int, _ problem: PlanProblem) -> String? {
        let goals = problem.batteries[battery].sortedGoals
        return goals.count > 1 ? problem.timeText(goals[goal].by) : nil
    }

    /// When a load has to be ready.
    private func due(_ load: Int, _ goal: Int?, _ problem: PlanProblem) -> Timestamp? {
        if let goal, case .energy(let need) = problem.loads[load].need, goal < need.goals.count - 1 {
            return need.goals[goal].by
        }
        return problem.loads[load].window?.end ?? problem.slots.last?.interval.end
    }
}

extension PlannedLoad {
    /// What ``freeShape()`` takes away.
    fileprivate var freeShapeText: String {
        var parts = shape.isFree ? [] : ["leave out its rules for runs and pauses"]
        if case .energy(let need) = need {
            if need.powerStep != nil { parts.append("allow any power") }
            if need.partialSlots != .any { parts.append("allow slots used in part") }
        }
        return parts.joined(separator: ", and ")
    }
}

extension Int64 {
    /// Of milliseconds, in whole minutes, rounded up: `45 min`, `2 h`, `7 h 2 min`.
    fileprivate var durationText: String {
        let (hours, minutes) = ((self + 59_999) / 60_000).quotientAndRemainder(dividingBy: 60)
        return hours == 0 ? "\(minutes) min" : minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
    }
}
