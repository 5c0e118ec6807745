import EnergyModel

/// Says why a load cannot have all it needs, and what would help.
///
/// Who is to blame is found by leaving one thing after the other out until the load has what it needs: its ceilings, its
/// shape, the limits, the base load, the other loads. What would help is tried (``RemedyCheck``).
struct ShortfallFinder {
    let work: PlanWork
    let decisions: PlanDecisions
    let load: Int
    /// Whether no plan is better. Otherwise other loads may be in its way only because there was no time to move them.
    let isProven: Bool
    /// What must be missing anyway where that is not so.
    var lackBound: LackBound?
    let check: RemedyCheck?

    var grid: PlanGrid { work.grid }
    var finder: LackFinder { LackFinder(work: work, decisions: decisions, load: load) }

    struct Blame {
        var cause: Shortfall.Cause
        var who: [String] = []
        var also: [Shortfall.Part] = []
        /// What may help, looked for only if there is time to try it.
        var changes: () -> [PlanChange]

        var part: Shortfall.Part { .init(cause: cause, who: who) }
    }

    func find(_ missing: Double) -> Shortfall {
        var blame = blame(missing)
        var helping: [PlanChange] = []
        if let check, check.isOpen {
            let lacks = work.lacks(decisions)
            let finer = work.problem.finerSlots.map { [PlanChange.finerSlots(milliseconds: $0)] } ?? []
            let others = OtherRemedies(finder: self, check: check, lacks: lacks)
            helping = (finer + blame.changes()).filter { check.helps($0, load: load, work.problem, lacking: lacks) }
            helping = helping.map(others.least)
            if blame.cause == .power { helping = others.strongEnough + helping }
            if !helping.contains(where: \.liftsAlone) {
                helping += others.changes
                if helping.allSatisfy(\.asksLess) { helping += others.together.map { [$0] } ?? [] }
            }
            if helping.contains(where: \.isFinerSlots), blame.cause != .shape, work.problem.loads[load].hasShape {
                blame.also.append(.init(cause: .shape, who: [], isAnotherWay: true))
            }
            // What was found twice, or in other ways: a free shape may be the same as one rule less.
            helping = helping.unique { [$0.text(work.problem)] }
            let alone = helping.filter(\.liftsAlone)
            if !alone.isEmpty { helping.removeAll(where: \.isTogether) }
            // The others can be where they are then; but with more time nearly everything fits.
            let cured = Set(alone.compactMap(\.cures).filter { $0 != .window })
            if let part = ([blame.part] + blame.also).first(where: { cured.contains(Self.family(of: $0.cause)) }) {
                (blame.cause, blame.who, blame.also) = (
                    part.cause, part.who, blame.also.filter { $0.isAnotherWay || $0.cause == .timeLimit }
                )
            }
        }
        return Shortfall(
            cause: blame.cause, who: blame.who, also: blame.also.unique { [$0.cause.rawValue] + $0.who },
            remedies: helping.map { $0.text(work.problem) }, changes: helping)
    }

    private func blame(_ missing: Double) -> Blame {
        guard let due = DueLoad(work, decisions, load) else {
            return comfortBlame(remedies(missing, goal: 0, work.problem.loads[load]))
        }
        let remedies = remedies(due.missing, goal: due.goal, due.load)
        let first = first(due, remedies)
        return due.isPast || !isProven ? first : completed(first, due.load, remedies)
    }

    /// What is in the way first, and what besides where that is looked for with it.
    private func first(_ due: DueLoad, _ remedies: Remedies) -> Blame {
        guard !due.isPast else { return Blame(cause: .window) { remedies.window } }
        guard lack(due.load, .unlimited) > 1e-6 else { return limitBlame(due.load, remedies) }
        let open = due.load.withoutCeilings
        guard lack(open, .unlimited) > 1e-6 else { return ceilingBlame(due.load, remedies) }
        guard lack(open.withFreeShape, .unlimited) > 1e-6 else {
            // Who looks longer may find a plan that keeps its rules.
            guard isProven else { return Blame(cause: .timeLimit) { remedies.shape } }
            return together(
                Blame(cause: .shape) { remedies.shape }, without: due.load.withFreeShape, due.load, remedies)
        }
        return windowBlame(due.load, remedies)
    }

    /// kWh
    func lack(_ load: PlannedLoad, _ others: LackFinder.Others, _ problem: PlanProblem? = nil) -> Double {
        finder.lack(load, problem ?? work.problem, beside: others)
    }

    private func remedies(_ missing: Double, goal: Int, _ due: PlannedLoad) -> Remedies {
        Remedies(
            work: work, finder: finder, load: load, due: due, goal: goal, missing: missing,
            isOpen: { check?.isOpen ?? false })
    }

    // MARK: Its own rules

    private func windowBlame(_ due: PlannedLoad, _ remedies: Remedies) -> Blame {
        guard due.powerMost > 0 else { return Blame(cause: .power) { remedies.window } }
        guard isProven || lack(due.withAnyPower, .unlimited) > 1e-6 else {
            return Blame(cause: .timeLimit) { remedies.window }
        }
        let (alone, behind) = (lack(due, .unlimited), lack(due, .nobody))
        let room = finder.capacity(work.problem, beside: .nobody).max() ?? .infinity
        guard behind > alone + 1e-6 else { return Blame(cause: .window) { remedies.window } }
        // The limits take their part. With more time it has all it needs, unless they leave less than it runs with.
        let limit = limitBlame(due, remedies, toEnough: false)
        let least = if case .energy(let need) = due.need { need.powerMin } else { due.powerMost }
        let rest = self.remedies(alone, goal: remedies.goal, due)
        func both() -> [PlanChange] { pairs(rest.window, limit.changes()) }
        guard room < max(least, 1e-6) else {
            return Blame(cause: .window, also: [limit.part]) { remedies.window(within: room) + both() }
        }
        return Blame(cause: limit.cause, who: limit.who, also: [.init(cause: .window, who: [])], changes: both)
    }

    private func ceilingBlame(_ due: PlannedLoad, _ remedies: Remedies) -> Blame {
        var (cheap, clean) = (due, due)
        (cheap.carbonMax, clean.priceMax) = (nil, nil)
        // Left out alone.
        let price = due.priceMax == nil ? .infinity : lack(clean, .unlimited)
        let carbon = due.carbonMax == nil ? .infinity : lack(cheap, .unlimited)
        let isCarbon = carbon <= 1e-6 || carbon < price
        var blame = Blame(cause: isCarbon ? .carbonCeiling : .priceCeiling) { remedies.ceiling }
        let other: Shortfall.Cause = isCarbon ? .priceCeiling : .carbonCeiling
        guard min(price, carbon) <= 1e-6 else {
            blame.also = [.init(cause: other, who: [])]
            return blame
        }
        if max(price, carbon) <= 1e-6 { blame.also = [.init(cause: other, who: [], isAnotherWay: true)] }
        return together(blame, without: due.withoutCeilings, due, remedies)
    }

    /// - Parameter lifted: the load without what is to blame; the limits may be in its way then.
    private func together(
        _ blame: Blame, without lifted: PlannedLoad, _ due: PlannedLoad, _ remedies: Remedies
    ) -> Blame {
        let rest = lack(lifted, .excluding)
        guard rest > 1e-6 else { return blame }
        guard lack(lifted, .unlimited) <= 1e-6 else {
            let ceilings = ceilingBlame(lifted, remedies)
            return Blame(cause: blame.cause, who: blame.who, also: [ceilings.part] + ceilings.also) {
                pairs(blame.changes(), ceilings.changes())
            }
        }
        let limit = limitBlame(lifted, self.remedies(rest, goal: remedies.goal, lifted))
        guard limit.cause != .timeLimit else { return blame }
        let changes = {
            let own = blame.changes()
            guard let first = own.first else { return own }
            // With what it has then the limits take their part.
            var problem = work.problem
            problem.loads[load] = due
            first.apply(to: &problem)
            let more = limitBlame(
                problem.loads[load], self.remedies(rest, goal: remedies.goal, problem.loads[load]))
            return own + pairs([first], more.changes())
        }
        return lack(due, .unlimited) < rest - 1e-6
            ? Blame(cause: limit.cause, who: limit.who, also: [blame.part], changes: changes)
            : Blame(cause: blame.cause, who: blame.who, also: [limit.part], changes: changes)
    }

    /// The first of each, which may help only together.
    private func pairs(_ first: [PlanChange], _ second: [PlanChange]) -> [PlanChange] {
        zip(first, second).prefix(1).map { .together([$0, $1]) }
    }
}

extension PlannedLoad {
    fileprivate var withoutCeilings: PlannedLoad {
        var open = self
        (open.priceMax, open.carbonMax) = (nil, nil)
        return open
    }

    /// Whether anything says how it may be switched, or the edges of slots do.
    var hasShape: Bool {
        guard case .energy(let need) = need else { return true }
        return !shape.isFree || need.partialSlots != .any || need.powerStep != nil || need.hasOnePower
    }

    /// Nothing but its window and its highest power keeps it from anything.
    fileprivate var withAnyPower: PlannedLoad {
        var any = withFreeShape.withoutCeilings
        any.dropPowerMin()
        return any
    }

    var withFreeShape: PlannedLoad {
        var free = self
        free.freeShape()
        return free
    }
}

extension Array {
    /// Those with the same key once, where they came first.
    fileprivate func unique(_ key: (Element) -> [String]) -> [Element] {
        var seen: Set<[String]> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
