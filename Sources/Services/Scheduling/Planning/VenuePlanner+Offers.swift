internal import EnergyModel
internal import EnergyPlanning

/// What slow vehicles may take: they are planned with what they really take, and told as much as limits leave beside that.
extension VenuePlanner {
    /// - Parameter problem: what `home` is the plan of; its first loads are those of `tasks`.
    /// - Returns: kW of each run of each task; empty for one that is not slow.
    func offers(_ tasks: [ChargeTask], _ home: HomePlan, of problem: PlanProblem) -> [[Double]] {
        guard tasks.contains(where: { $0.slowPower != nil }) else { return tasks.map { _ in [] } }
        let beside = problem.beside(home.batteries)
        var courses = home.loads.map(HomePlanner.Course.init)
        for (index, task) in tasks.enumerated() where task.slowPower != nil {
            for run in courses[index].powers.indices {
                let planned = courses[index].powers[run]
                let power = task.highestPower(above: planned) { power in
                    var raised = courses
                    raised[index].powers[run] = power
                    return planner.brokenLimit(beside, by: raised) == nil
                }
                courses[index].powers[run] = power ?? planned
            }
        }
        return tasks.enumerated().map { $1.slowPower == nil ? [] : courses[$0].powers }
    }
}

/// What was asked for at once ends as soon as it can.
extension VenuePlanner {
    /// A slot's energy is planned, not when in it: the last run of what charges at once takes all the power that there is room
    /// for, for a shorter time.
    func hurried(_ home: HomePlan, _ tasks: [ChargeTask], of problem: PlanProblem) -> HomePlan {
        // More power for a shorter time would raise the peak.
        guard problem.demandCharge == nil else { return home }
        var home = home
        let beside = problem.beside(home.batteries)
        for index in tasks.indices.sorted(by: { tasks[$0].rank > tasks[$1].rank }) where tasks[index].canHurry {
            guard let last = home.loads[index].runs.last, last.power < tasks[index].powerMax.kilowatts - 1e-6 else {
                continue
            }
            let power = tasks[index].highestPower(above: last.power) { power in
                var other = home.loads
                other[index].runs[other[index].runs.count - 1] = last.with(power)
                return planner.brokenLimit(beside, by: other.map(HomePlanner.Course.init)) == nil
            }
            guard let power, power > last.power else { continue }
            home.loads[index].runs[home.loads[index].runs.count - 1] = last.with(power)
        }
        return home
    }
}

extension LoadPlan.Run {
    /// The same energy with another power.
    fileprivate func with(_ kilowatts: Double) -> Self {
        var run = self
        let length = Int64((Double(interval.milliseconds) * power / kilowatts).rounded(.up))
        (run.power, run.interval) = (kilowatts, Interval(start: interval.start, milliseconds: length))
        return run
    }
}

extension PlanProblem {
    /// With what batteries take as what runs anyway: what they give is there for what is planned.
    fileprivate func beside(_ batteries: [BatteryPlan]) -> PlanProblem {
        var beside = self
        for index in beside.slots.indices {
            let charging = batteries.reduce(0) { $0 + max(0, $1.power[index]) }
            beside.slots[index].baseLoad = beside.slots[index].baseLoad.map { $0 + charging / 3 }
        }
        beside.batteries = []
        return beside
    }
}

extension HomePlanner.Course {
    fileprivate init(_ load: LoadPlan) { self.init(runs: load.runs.map(\.interval), powers: load.runs.map(\.power)) }
}

extension ChargeTask {
    fileprivate var canHurry: Bool { isAtOnce && kept == nil && slowPower == nil && taper == nil && !isSwitched }

    /// A thousandth of what lies between the least and the highest power.
    private static let halvings = 10

    /// kW at most that it can be told, that is not below what it takes, and that there is room for. One that is on or off takes
    /// less than its one power anyway: what it is told is the most that it may.
    fileprivate func highestPower(above power: Double, where hasRoom: (Double) -> Bool) -> Double? {
        let most = vehicle.powerMax.kilowatts
        // Most venues have room for it.
        if hasRoom(most) { return most }
        let least = isSwitched ? power : max(power, vehicle.powerMin.kilowatts)
        if let step = vehicle.step?.kilowatts {
            return stride(from: most, through: least - 1e-6, by: -max(step, 1e-3)).first(where: hasRoom)
        }
        guard least < most, hasRoom(least) else { return nil }
        var (low, high) = (least, most)
        for _ in 0..<Self.halvings {
            let middle = (low + high) / 2
            if hasRoom(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
