import EnergyModel

/// Turns decisions into a plan: totals, times, reasons.
struct PlanAssembly {
    let work: PlanWork
    let decisions: PlanDecisions
    /// Whether totals are those of every minute.
    var countsMinutes = false
    let notes: [String]
    /// Whether it is proven that no plan lacks less.
    var isLackProven = true
    /// What must be missing anyway.
    var lackBound: LackBound?
    /// To try what would help.
    var check: RemedyCheck?

    /// What costs less for want of more is no better.
    private static let lackNote =
        "There was no time to prove that no plan lacks less: bound and gap are of the cost alone."

    var grid: PlanGrid { work.grid }

    /// - Parameter gap: how much less the best plan could cost.
    func plan(method: HomePlan.Method, isOptimal: Bool = true, gap: Double = 0) -> HomePlan {
        let nets = (0..<grid.count).map(net)
        var totals = totals(zip(nets.indices, nets))
        addDeviceCosts(&totals, nets)
        let idle = PlanDecisions(grid, work.rows)
        let baseline = self.totals(
            (0..<grid.count).lazy.map {
                ($0, (grid.base[$0] - grid.pv[$0]) * grid.hours[$0] + idle.curtailed[$0])
            })
        let used = work.rows.map { row in (0..<grid.count).map { row.used(decisions, $0) } }
        let loads = work.problem.loads.indices.map { load($0, used) }
        let balance = balance(loads)
        let asRun = balance.map { self.asRun($0, nets) } ?? totals
        if countsMinutes { totals = asRun }
        return HomePlan(
            method: method, isOptimal: isOptimal, bound: totals.objective - gap,
            totals: totals, asRun: asRun, baseline: baseline,
            loads: loads, batteries: batteries(balance),
            slots: (0..<grid.count).map { slot in
                let power = tidy(nets[slot] / grid.hours[slot])
                return HomePlan.Slot(
                    interval: interval(slot), importPower: max(0, power), exportPower: max(0, -power),
                    curtailed: tidy(decisions.curtailed[slot] / grid.hours[slot]))
            },
            notes: notes + (balance?.exportNote.map { [$0] } ?? []) + overdrawn(nets)
                + (isLackProven || work.missing(decisions).allSatisfy { $0 < 1e-5 } ? [] : [Self.lackNote])
                + (check?.isCut == true ? [RemedyCheck.note] : []))
    }

    var objective: Double {
        let nets = (0..<grid.count).map(net)
        var totals = totals(zip(nets.indices, nets))
        addDeviceCosts(&totals, nets)
        return totals.objective
    }

    /// kW that the home draws in each slot of the problem, as a meter that counts only that has it.
    var means: [Double] { means((0..<grid.count).map(net)) }

    private func means(_ nets: [Double]) -> [Double] {
        grid.parts.map { part in nets[part].reduce(0) { $0 + max(0, $1) } / grid.hours(of: part) }
    }

    /// kWh that the home draws in a slot, below 0 what it gives.
    private func net(_ slot: Int) -> Double {
        var net = (grid.base[slot] - grid.pv[slot]) * grid.hours[slot] + decisions.curtailed[slot]
        for load in decisions.loads { net += load.energy[slot] }
        for charge in decisions.charge { net += charge[slot] }
        for discharge in decisions.discharge { net -= discharge[slot] }
        return net
    }

    // MARK: Totals

    /// - Parameter nets: kWh that the home draws in a slot, or in a part of it.
    private func totals(_ nets: some Sequence<(Int, Double)>) -> HomePlan.Totals {
        var totals = HomePlan.Totals()
        for (slot, net) in nets {
            let source = work.problem.slots[grid.origin[slot]]
            totals.money += net > 0 ? net * source.importPrice : net * source.exportPrice
            totals.carbon += max(0, net) * source.carbon / 1000
            totals.rating += max(0, net) * source.rating
            totals.objective += net > 0 ? net * grid.importWeight[slot] : net * grid.exportWeight[slot]
        }
        return totals
    }

    private func addDeviceCosts(_ totals: inout HomePlan.Totals, _ nets: [Double]) {
        var money = 0.0
        for (index, battery) in work.problem.batteries.enumerated() {
            let moved = zip(decisions.charge[index], decisions.discharge[index]).reduce(0) { $0 + $1.0 + $1.1 }
            money += moved * battery.wear - (decisions.stored[index].last ?? 0) * battery.endValue
        }
        if let charge = work.problem.limits.demandCharge {
            let peak = means(nets).max() ?? 0
            money += charge.price * max(0, peak - charge.peakSoFar)
        }
        totals.money += money
        totals.objective += money * work.problem.objective.money
        for (index, load) in work.problem.loads.enumerated() {
            totals.objective += Double(starts(index)) * load.shape.startCost
        }
    }

    /// `nil` where the parts of a slot cannot cost anything else than the whole.
    private func balance(_ loads: [LoadPlan]) -> PlanBalance? {
        guard !work.problem.batteries.isEmpty || grid.surplus.contains(where: { $0 > 0 }) else { return nil }
        return PlanBalance(work, decisions, runs: loads.map(\.runs))
    }

    /// - Parameter nets: of whole slots, whose highest mean a demand charge counts.
    private func asRun(_ balance: PlanBalance, _ nets: [Double]) -> HomePlan.Totals {
        var totals = totals(balance.pieces.lazy.map { ($0.slot, $0.net * $0.hours) })
        addDeviceCosts(&totals, nets)
        return totals
    }

    private func starts(_ index: Int) -> Int { work.starts(index, decisions.loads[index]) }

    // MARK: Loads

    /// - Parameter used: kW of each limit that all loads take, by row, then cut slot.
    private func load(_ index: Int, _ used: [[Double]]) -> LoadPlan {
        let (load, decision) = (work.problem.loads[index], decisions.loads[index])
        let planned = decision.energy.reduce(0, +)
        let required =
            switch load.need {
            case .energy(let need): need.energy
            case .profile(let profile):
                profile.steps.reduce(0) { $0 + $1.power * Double($1.milliseconds) / 3_600_000 }
            case .comfort: 0.0
            }
        var missing = max(0, required - planned)
        var finalMissing: Double?
        if case .comfort(let need) = load.need {
            missing = need.discomfort(decision.temperatures, isSetBack: decision.isSetBack, grid)
            let lacks = need.final.flatMap { _ in decision.temperatures.last.map(need.lacks) }
            finalMissing = lacks.map { $0 < 1e-6 ? 0 : tidy($0) }
        }
        missing = work.missedGoals(index, decision).reduce(missing) { max($0, $1.lack) }
        // A solver's rounding, and what was added to it, is not what is missing.
        missing = missing < max(1e-6, work.rounding(index, decision)) ? 0 : (missing * 1e6).rounded() / 1e6
        let reasons = PlanReasons(work: work, decisions: decisions, load: index, used: used)
        let runs = runs(index, reasons)
        return LoadPlan(
            name: load.name, required: required, planned: tidy(planned), missing: missing, starts: starts(index),
            energies: decision.energy.map(tidy),
            runs: runs, waits: waits(beside: runs, reasons), temperatures: decision.temperatures,
            setbacks: setbacks(decision), finalMissing: finalMissing,
            shortfall: missing > 0 ? shortfall(index, missing) : nil)
    }

    private func shortfall(_ index: Int, _ missing: Double) -> Shortfall {
        ShortfallFinder(
            work: work, decisions: decisions, load: index, isProven: isLackProven, lackBound: lackBound, check: check
        ).find(missing)
    }

    private func setbacks(_ decision: LoadDecision) -> [Interval] {
        decision.isSetBack.indices.filter { decision.isSetBack[$0] }.reduce(into: []) { setbacks, slot in
            if let last = setbacks.last, last.end == interval(slot).start,
                let joined = Interval(start: last.start, end: interval(slot).end)
            {
                setbacks[setbacks.count - 1] = joined
            } else {
                setbacks.append(interval(slot))
            }
        }
    }

    private func runs(_ index: Int, _ reasons: PlanReasons) -> [LoadPlan.Run] {
        let decision = decisions.loads[index]
        var runs: [LoadPlan.Run] = []
        func add(_ start: Int64, _ end: Int64, _ power: Double, _ energy: Double, _ reason: PlanReason) {
            guard
                let interval = Interval(
                    start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
            else { return }
            if let last = runs.last, last.interval.end == interval.start, abs(last.power - power) < 1e-6,
                last.reason == reason, let joined = Interval(start: last.interval.start, end: interval.end)
            {
                runs[runs.count - 1].interval = joined
                runs[runs.count - 1].energy += energy
            } else {
                runs.append(.init(interval: interval, power: power, energy: energy, reason: reason))
            }
        }
        if let (profile, start) = decision.course {
            var time = start
            for step in profile.steps {
                let energy = step.power * Double(step.milliseconds) / 3_600_000
                add(time, time + step.milliseconds, step.power, energy, reasons.running(at: time))
                time += step.milliseconds
            }
        } else {
            for slot in 0..<grid.count where decision.energy[slot] > 0 {
                let (start, end) = part(slot, decision, work.problem.loads[index])
                // In a slot used in part it runs at its own power; dividing by whole milliseconds would come near it only.
                let isWhole = end - start == grid.edges[slot + 1] - grid.edges[slot]
                let power = isWhole ? decision.energy[slot] / grid.hours[slot] : decision.running[slot]
                add(start, end, tidy(power), decision.energy[slot], reasons.running(slot))
            }
        }
        return runs.map { run in
            var run = run
            run.energy = tidy(run.energy)
            return run
        }
    }

    /// When in the slot it runs: next to other running time, so that a slot used in part makes no gap; else as early or
    /// as late as is wished.
    private func part(_ slot: Int, _ decision: LoadDecision, _ load: PlannedLoad) -> (Int64, Int64) {
        let (start, end) = (grid.edges[slot], grid.edges[slot + 1])
        let used = decision.energy[slot] / max(decision.running[slot], 1e-12) * 3_600_000
        let length = max(1, Int64(min(Double(end - start), used).rounded()))
        let isBefore = slot + 1 < grid.count && decision.energy[slot + 1] > 0
        // What goes on when the plan begins would otherwise be off first.
        let goesOn = slot == 0 && !isBefore && load.shape.goesOn(grid.range(of: load))
        let isAfter = goesOn || (slot > 0 && decision.energy[slot - 1] > 0)
        return !isAfter && (isBefore || load.shape.ties == .later) ? (end - length, end) : (start, start + length)
    }

    func interval(_ slot: Int) -> Interval {
        Interval(
            start: Timestamp(unixMilliseconds: grid.edges[slot]), milliseconds: grid.edges[slot + 1] - grid.edges[slot])
    }

    /// Without what the last digits of a floating-point number make up.
    func tidy(_ value: Double) -> Double {
        let whole = (value * 1e6).rounded() / 1e6
        return abs(whole - value) < 1e-8 ? whole : value
    }
}
