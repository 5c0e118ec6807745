internal import EnergyModel
internal import EnergyPlanning

/// What slow vehicles may take: they are planned with what they really take, and told as much as limits leave beside that.
extension VenuePlanner {
    /// In how many levels the power of one without steps is offered.
    private static let levels = 16

    /// - Parameter problem: what `home` is the plan of; its first loads are those of `tasks`.
    /// - Returns: kW of each run of each task; empty for one that is not slow.
    func offers(_ tasks: [ChargeTask], _ home: HomePlan, of problem: PlanProblem) -> [[Double]] {
        guard tasks.contains(where: { $0.slowPower != nil }) else { return tasks.map { _ in [] } }
        var beside = problem
        for index in beside.slots.indices {
            // What batteries give is there for what is planned.
            let charging = home.batteries.reduce(0) { $0 + max(0, $1.power[index]) }
            beside.slots[index].baseLoad = beside.slots[index].baseLoad.map { $0 + charging / 3 }
        }
        beside.batteries = []
        var courses = home.loads.map { load in
            HomePlanner.Course(runs: load.runs.map(\.interval), powers: load.runs.map(\.power))
        }
        for (index, task) in tasks.enumerated() where task.slowPower != nil {
            for run in courses[index].powers.indices {
                let levels = task.levels(above: courses[index].powers[run], Self.levels)
                // From the highest down: most venues have room for it.
                let level = levels.first { level in
                    var raised = courses
                    raised[index].powers[run] = level
                    return planner.brokenLimit(beside, by: raised) == nil
                }
                courses[index].powers[run] = level ?? courses[index].powers[run]
            }
        }
        return tasks.enumerated().map { $1.slowPower == nil ? [] : courses[$0].powers }
    }
}

extension ChargeTask {
    /// kW that it can be told, and is not below what it takes; from the highest down. One that is on or off takes less than
    /// its one power anyway: what it is told is the most that it may.
    fileprivate func levels(above power: Double, _ count: Int) -> [Double] {
        let most = vehicle.powerMax.kilowatts
        let least = (isSwitched ? power : max(power, vehicle.powerMin.kilowatts)) - 1e-6
        guard least < most else { return [most] }
        let step = vehicle.step?.kilowatts ?? (most - least) / Double(count)
        return stride(from: most, through: least, by: -max(step, 1e-3)).map(\.self)
    }
}
