import EnergyModel

/// Places a fixed course, or one block at one power, at its cheapest start.
///
/// The cost is a broken line over the start: it bends only where an edge of the course meets an edge of a slot, or where
/// a slot's surplus is used up. So trying those starts is exact.
struct CoursePlanner {
    struct Part {
        var slot: Int
        /// kWh
        var energy: Double
        /// The highest kW in the slot.
        var power: Double
    }

    let grid: PlanGrid
    /// At most so many starts between the edges of slots are tried.
    private static let startsMax = 200_000
    /// At most so many meetings of an edge of the course with one of a slot are looked at: most fall on the same starts.
    private static let meetingsMax = 2_000_000
    /// At most so many steps of the course are gone through to try all of its starts.
    private static let visitsMax = 50_000_000

    /// Possible starts in Unix milliseconds, sorted.
    func starts(_ load: PlannedLoad, _ profile: LoadProfile, capacity: [Double]? = nil) -> [Int64] {
        candidates(load, profile).filter { fits(load, profile, from: $0, capacity) }
    }

    /// Whether a load may run in all slots that its course touches.
    func fits(_ load: PlannedLoad, _ profile: LoadProfile, from start: Int64, _ capacity: [Double]?) -> Bool {
        walk(profile, from: start, in: slot(at: start)) { part in
            grid.allows(load, part.slot) && (capacity.map { part.power <= $0[part.slot] + 1e-9 } ?? true)
        }
    }

    /// Whether all starts between the edges of slots can be tried. A long course of many powers has too many.
    func canTry(_ load: PlannedLoad, _ profile: LoadProfile) -> Bool {
        let (steps, slots) = (profile.steps.count, grid.range(of: load).count)
        let meetings = (steps + 1) * (slots + 1)
        guard meetings <= Self.meetingsMax else { return false }
        if meetings <= Self.startsMax, meetings * steps <= Self.visitsMax { return true }
        let starts = candidates(load, profile).count
        return starts <= Self.startsMax && starts * steps <= Self.visitsMax
    }

    /// Starts in the load's window at which the cost may bend, sorted.
    func candidates(_ load: PlannedLoad, _ profile: LoadProfile) -> [Int64] {
        let range = grid.range(of: load)
        guard !range.isEmpty, profile.milliseconds > 0 else { return [] }
        // A course that begins when the plan does would only be another word for the run that goes on.
        let pause = load.shape.goesOn(range) ? load.shape.pauseMin : 0
        let (first, latest) = (
            grid.edges[range.lowerBound] + pause, grid.edges[range.upperBound] - profile.milliseconds
        )
        guard first <= latest else { return [] }
        guard !load.isPreconditioned else { return [latest] }
        var starts = grid.edges[range].filter { first <= $0 && $0 <= latest }
        guard load.shape.startsAnywhere else { return starts }
        starts.append(first)
        var offset: Int64 = 0
        for step in profile.steps {
            offset += step.milliseconds
            for edge in grid.edges[range.lowerBound...range.upperBound] where first...latest ~= edge - offset {
                starts.append(edge - offset)
            }
        }
        starts += latestStarts(load, profile).filter { first <= $0 && $0 <= latest }
        starts = Self.sorted(starts)
        guard range.contains(where: { grid.surplus[$0] > 0 }) else { return starts }
        return Self.sorted(starts + bends(profile, between: starts))
    }

    /// Each once.
    private static func sorted(_ starts: [Int64]) -> [Int64] {
        var last: Int64?
        return starts.sorted().filter { start in
            defer { last = start }
            return start != last
        }
    }

    /// The latest starts with which each goal but the last is reached: after them it lacks something.
    private func latestStarts(_ load: PlannedLoad, _ profile: LoadProfile) -> [Int64] {
        guard case .energy(let need) = load.need, let power = profile.steps.first?.power, power > 0 else { return [] }
        return need.goals.dropLast().map { goal in
            goal.by.unixMilliseconds - Int64((goal.energy / power * 3_600_000 - 1e-6).rounded(.up))
        }
    }

    /// Starts at which some slot's share of the course is just its surplus.
    ///
    /// - Parameter starts: sorted; from one to the next each slot's share changes evenly.
    private func bends(_ profile: LoadProfile, between starts: [Int64]) -> [Int64] {
        var bends: [Int64] = []
        var (before, start): ([Part], Int64) = ([], 0)
        for next in starts {
            let after = parts(profile, from: next)
            defer { (before, start) = (after, next) }
            guard let first = before.first?.slot, let last = after.last?.slot else { continue }
            for slot in first...last where grid.surplus[slot] > 0 {
                let surplus = grid.surplus[slot] * grid.hours[slot]
                let (early, late) = (Self.energy(before, slot), Self.energy(after, slot))
                guard (early - surplus) * (late - surplus) < 0 else { continue }
                let offset = (surplus - early) / (late - early) * Double(next - start)
                // Starts are whole milliseconds: it is at one of two. What floating point leaves out makes it no other.
                for offset in [(offset + 1e-3).rounded(.down), (offset - 1e-3).rounded(.up)] {
                    bends.append(start + Int64(offset))
                }
            }
        }
        return bends
    }

    /// - Parameter parts: of slots that follow each other.
    private static func energy(_ parts: [Part], _ slot: Int) -> Double {
        guard let first = parts.first?.slot, parts.indices.contains(slot - first) else { return 0 }
        return parts[slot - first].energy
    }

    private func slot(at start: Int64) -> Int { max(0, grid.index(at: start + 1) - 1) }

    /// What a course from `start` takes in each slot it touches.
    func parts(_ profile: LoadProfile, from start: Int64) -> [Part] {
        var parts: [Part] = []
        _ = walk(profile, from: start, in: slot(at: start)) { part in
            parts.append(part)
            return true
        }
        return parts
    }

    /// Adds up what a course from `start` is worth.
    ///
    /// - Parameter value: of so many kWh in a slot.
    func sum(_ profile: LoadProfile, from start: Int64, _ value: (Int, Double) -> Double) -> Double {
        var sum = 0.0
        _ = walk(profile, from: start, in: slot(at: start)) { part in
            sum += value(part.slot, part.energy)
            return true
        }
        return sum
    }

    /// Goes through a course slot by slot, without keeping what it takes: this is done for every start.
    ///
    /// - Parameters:
    ///   - first: the slot of its start.
    ///   - visit: says whether to go on.
    /// - Returns: whether it came to the end.
    @inline(__always)
    private func walk(_ profile: LoadProfile, from start: Int64, in first: Int, _ visit: (Part) -> Bool) -> Bool {
        var (part, isOpen) = (Part(slot: first, energy: 0, power: 0), false)
        var time = start
        for step in profile.steps {
            let end = time + step.milliseconds
            while time < end, part.slot < grid.count {
                let edge = grid.edges[part.slot + 1]
                let until = min(end, edge)
                part.energy += step.power * Double(until - time) / 3_600_000
                part.power = max(part.power, step.power)
                (time, isOpen) = (until, true)
                guard until == edge else { continue }
                guard visit(part) else { return false }
                (part, isOpen) = (Part(slot: part.slot + 1, energy: 0, power: 0), false)
            }
        }
        return !isOpen || visit(part)
    }

    /// - Parameters:
    ///   - capacity: kW that the load may draw in each cut slot.
    ///   - lack: kWh that a start misses of goals that are due before its window ends.
    /// - Returns: the cheapest start of those that miss least, and its cost; `nil` if it fits nowhere.
    func best(
        _ load: PlannedLoad, _ profile: LoadProfile, capacity: [Double], lack: (Int64) -> Double = { _ in 0 }
    ) -> (start: Int64, cost: Double)? {
        var (best, least): ((start: Int64, cost: Double)?, Double) = (nil, .infinity)
        // Starts come in order, so that of equal ones the first or the last stays.
        let margin = load.shape.ties == .earlier ? -1e-12 : 1e-12
        var slot = 0
        for start in candidates(load, profile) {
            while slot + 1 < grid.count, grid.edges[slot + 1] <= start { slot += 1 }
            var cost = 0.0
            let fits = walk(profile, from: start, in: slot) { part in
                guard part.power <= capacity[part.slot] + 1e-9, grid.allows(load, part.slot) else { return false }
                cost += grid.cost(part.slot, part.energy)
                return true
            }
            guard fits else { continue }
            let missed = lack(start)
            let isBetter = abs(missed - least) > 1e-9 ? missed < least : best.map { cost < $0.cost + margin } ?? true
            if isBetter { (best, least) = ((start, cost), missed) }
        }
        return best
    }
}
