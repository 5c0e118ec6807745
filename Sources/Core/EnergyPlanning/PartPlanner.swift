/// Makes a plan better part by part: a few loads, and the batteries, are planned anew beside what all others do.
///
/// For when the time was up before the whole home was solved: a part of it takes a fraction of that time, and what one
/// part gains makes room for the next. The batteries alone come first, then single loads, pairs, and three at a time.
struct PartPlanner {
    let work: PlanWork
    let timer: PlanTimer
    /// Plans a part, of which a plan is known; `nil` where that finds nothing in time.
    let plan: (PlanWork, PlanDecisions, PlanTimer) -> PlanDecisions?

    /// Of the time that is left, for one part.
    private static let share = 0.12
    /// Loads in a part.
    private static let sizesMax = 3
    /// Parts of one size: of many loads there are more than can be tried, and some of each are.
    private static let partsMax = 5_000

    /// How many loads parts have.
    ///
    /// Of two loads one is as hard as both, and who may run while somebody else rests is not said by a limit's room.
    private static func sizes(_ problem: PlanProblem) -> ClosedRange<Int>? {
        let hasParts = problem.loads.count > 2 && problem.limits.exclusive.isEmpty
        guard !problem.batteries.isEmpty, !problem.loads.isEmpty, !problem.excludesBatteries else {
            return hasParts ? 1...sizesMax : nil
        }
        return 0...(hasParts ? sizesMax : 0)
    }

    /// Of the time for the whole, what is left for that before parts are tried; `nil` where there are none to try.
    static func share(beside work: PlanWork) -> Double? {
        sizes(work.problem).map { $0.upperBound == 0 ? 0.8 : 0.6 }
    }

    /// - Parameter known: a plan that keeps all limits, of work that has a ``share(beside:)``.
    /// - Returns: one that is at least as good.
    func improved(_ known: PlanDecisions) -> PlanDecisions {
        let parts = parts
        var (best, worth, unchanged, next) = (known, PlanWorth(known, work), 0, 0)
        while unchanged < parts.count, !timer.isUp {
            let part = parts[next]
            next = (next + 1) % parts.count
            unchanged += 1
            guard let other = planned(part, beside: best) else { continue }
            let found = PlanWorth(other, work)
            if found.isBetter(than: worth), work.fits(other) { (best, worth, unchanged) = (other, found, 0) }
        }
        return best
    }

    /// Indices of loads.
    private var parts: [[Int]] {
        let count = work.problem.loads.count
        return (Self.sizes(work.problem) ?? 1...1).filter { $0 < count }.flatMap { size in
            every(size, of: count) ?? (1...max(1, Self.partsMax / count)).flatMap { spaced(size, of: count, by: $0) }
        }
    }

    /// - Returns: `nil` where there are too many.
    private func every(_ size: Int, of count: Int) -> [[Int]]? {
        var parts: [[Int]] = [[]]
        for _ in 0..<size {
            guard parts.count * count <= Self.partsMax else { return nil }
            parts = parts.flatMap { part in ((part.last ?? -1) + 1..<count).map { part + [$0] } }
        }
        return parts
    }

    /// One that begins with each load.
    private func spaced(_ size: Int, of count: Int, by distance: Int) -> [[Int]] {
        (0..<count).map { first in Set((0..<size).map { (first + $0 * distance) % count }).sorted() }
    }

    private func planned(_ part: [Int], beside known: PlanDecisions) -> PlanDecisions? {
        var own = known
        own.loads = part.map { known.loads[$0] }
        guard let found = plan(work.part(part, beside: known), own, timer.part(Self.share)) else { return nil }
        var other = found
        other.loads = known.loads
        for (load, decision) in zip(part, found.loads) { other.loads[load] = decision }
        return other
    }
}

extension PlanProblem {
    /// Whether a battery may have to rest while something else runs.
    var excludesBatteries: Bool {
        limits.exclusive.contains { group in batteries.contains { group.contains($0.name) } }
    }
}

extension PlanWork {
    /// Some of the loads, and all batteries: what the others do runs anyway.
    ///
    /// - Parameter part: indices of loads.
    func part(_ part: [Int], beside known: PlanDecisions) -> PlanWork {
        var (grid, problem) = (grid, problem)
        let others = problem.loads.indices.filter { !part.contains($0) }
        problem.loads = part.map { problem.loads[$0] }
        for slot in 0..<grid.count {
            grid.base[slot] += others.reduce(0) { $0 + known.loads[$1].energy[slot] } / grid.hours[slot]
            grid.surplus[slot] = max(0, grid.pv[slot] - grid.base[slot])
        }
        let rows = rows.map { $0.part(part, beside: known, grid) }
        return PlanWork(
            problem: problem, grid: grid, rows: rows, capacities: Self.capacities(problem, grid, rows),
            members: part.map { members[$0] })
    }
}

extension PlanWork {
    /// Whether blocks are the same: what was planned of the one is a plan of the other.
    func isLike(_ other: PlanWork) -> Bool { problem.loads == other.problem.loads }
}

extension LimitRow {
    fileprivate func part(_ part: [Int], beside known: PlanDecisions, _ grid: PlanGrid) -> LimitRow {
        var row = self
        row.loads = part.indices.reduce(into: [:]) { $0[$1] = loads[part[$1]] }
        for (other, share) in loads.sorted(by: { $0.key < $1.key }) where !part.contains(other) {
            let decision = known.loads[other]
            for slot in 0..<grid.count {
                let left = row.room[slot] - share * decision.running[slot]
                // Below 0 batteries have to make room.
                row.room[slot] = batteries.isEmpty ? max(0, left) : left
                row.floor[slot] -= share * decision.energy[slot] / grid.hours[slot]
            }
        }
        return row
    }
}
