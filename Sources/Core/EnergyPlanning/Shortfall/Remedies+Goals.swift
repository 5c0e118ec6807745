import EnergyModel

/// Of a load that misses several of its goals: nothing that changes one of them is enough.
extension Remedies {
    /// To ask for less of each; `nil` where one is missed only, empty where that is no help.
    var lessOfEach: [PlanChange]? {
        together { need, lack, goal in need.less(lack).map { .less(load: load, goal: goal, energy: $0) } }
    }

    /// To be ready later for each; `nil` where one is missed only, empty where that is no help.
    ///
    /// - Parameter power: kW that limits leave.
    func laterForEach(_ power: Double) -> [PlanChange]? {
        let changes = together { need, lack, goal in
            need.milliseconds(forLast: lack, within: power).map { .later(load: load, goal: goal, milliseconds: $0) }
        }
        guard case .energy(var need) = work.problem.loads[load].need else { return changes }
        guard let change = changes?.first, case .together(let parts) = change else { return changes }
        for case .later(_, let goal?, let milliseconds) in parts {
            need.goals[goal].by = need.goals[goal].by.advanced(byMilliseconds: milliseconds)
        }
        let isInOrder = zip(need.goals, need.goals.dropFirst()).allSatisfy { $0.by < $1.by }
        return isInOrder ? changes : []
    }

    /// Of more nobody reads each.
    private static let goalsMost = 4

    /// - Parameter change: of a goal by itself, with the kWh that it lacks and its number.
    private func together(_ change: (EnergyNeed, Double, Int) -> PlanChange?) -> [PlanChange]? {
        guard case .energy(let need) = work.problem.loads[load].need else { return nil }
        // What is a thousandth of all is told as nothing.
        let missed = work.missedGoals(load, finder.decisions.loads[load]).filter { $0.lack > need.energy * 1e-3 }
        guard missed.count > 1 else { return nil }
        guard missed.count <= Self.goalsMost else { return [] }
        let changes = missed.compactMap { missed -> PlanChange? in
            var alone = need
            alone.goals = [need.goals[missed.goal]]
            return change(alone, missed.lack, missed.goal)
        }
        return changes.count == missed.count ? [.together(changes)] : []
    }
}

extension EnergyNeed {
    /// A month: to be ready later than that is no help. A battery whose power falls to nothing never gets full.
    private static let minutesMost = 43_200.0

    /// By how much less it has to be asked for, in kWh as people say it; `nil` where nothing would be left.
    func less(_ missing: Double) -> Double? {
        guard missing > 0, missing < energy - 1e-6 else { return nil }
        let round = missing.roundedUpAsAsked
        return round < energy - 1e-6 ? round : missing.roundedUp
    }

    /// How long it takes to take the last of what it needs, which is slower near full; whole minutes, `nil` for ever.
    ///
    /// - Parameters:
    ///   - missing: kWh
    ///   - power: kW at most.
    func milliseconds(forLast missing: Double, within power: Double) -> Int64? {
        let most = max(1e-9, min(power, powerMax))
        let hours =
            taper.map { TaperCurve($0, self, power: most).hours(from: energy - missing, to: energy) } ?? missing / most
        let minutes = (hours * 60 - 1e-4).rounded(.up)
        return minutes <= Self.minutesMost ? Int64(minutes) * .millisecondsPerMinute : nil
    }
}
