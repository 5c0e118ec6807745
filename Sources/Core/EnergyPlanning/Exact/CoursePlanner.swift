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
    /// At most so many starts are tried.
    static let startsMax = 200_000

    /// Possible starts in Unix milliseconds, sorted.
    func starts(_ load: PlannedLoad, _ profile: LoadProfile, capacity: [Double]? = nil) -> [Int64] {
        let range = grid.range(of: load)
        guard !range.isEmpty, profile.milliseconds > 0 else { return [] }
        let (first, end) = (grid.edges[range.lowerBound], grid.edges[range.upperBound])
        var starts: [Int64] = []
        for slot in range { starts.append(grid.edges[slot]) }
        if load.shape.startsAnywhere {
            var offset: Int64 = 0
            for step in [0] + profile.steps.map(\.milliseconds) {
                offset += step
                for slot in range.lowerBound...range.upperBound { starts.append(grid.edges[slot] - offset) }
            }
            bends(profile, range, &starts)
        }
        let latest = end - profile.milliseconds
        starts = starts.filter { $0 >= first && $0 <= latest }.sorted()
        guard starts.count <= Self.startsMax else { return [] }
        var last: Int64?
        return starts.filter { start in
            defer { last = start }
            return start != last
                && parts(profile, from: start).allSatisfy { part in
                    grid.allows(load, part.slot)
                        && (capacity.map { part.power <= $0[part.slot] + 1e-9 } ?? true)
                }
        }
    }

    /// Starts at which the first or the last slot's share of the course is just its surplus.
    private func bends(_ profile: LoadProfile, _ range: Range<Int>, _ starts: inout [Int64]) {
        guard let first = profile.steps.first?.power, let last = profile.steps.last?.power else { return }
        for slot in range where grid.surplus[slot] > 0 {
            let surplus = grid.surplus[slot] * grid.hours[slot] * 3_600_000
            let length = Double(grid.edges[slot + 1] - grid.edges[slot])
            if first * length > surplus {
                starts.append(grid.edges[slot + 1] - Int64((surplus / first).rounded(.down)))
            }
            if last * length > surplus {
                starts.append(grid.edges[slot] + Int64((surplus / last).rounded(.down)) - profile.milliseconds)
            }
        }
    }

    /// What a course from `start` takes in each slot it touches.
    func parts(_ profile: LoadProfile, from start: Int64) -> [Part] {
        var parts: [Part] = []
        var time = start
        var slot = max(0, grid.index(at: start + 1) - 1)
        for step in profile.steps {
            let end = time + step.milliseconds
            while time < end, slot < grid.count {
                let until = min(end, grid.edges[slot + 1])
                let energy = step.power * Double(until - time) / 3_600_000
                if let last = parts.last, last.slot == slot {
                    parts[parts.count - 1].energy += energy
                    parts[parts.count - 1].power = max(last.power, step.power)
                } else {
                    parts.append(Part(slot: slot, energy: energy, power: step.power))
                }
                time = until
                if until == grid.edges[slot + 1] { slot += 1 }
            }
        }
        return parts
    }

    /// - Parameter capacity: kW that the load may draw in each cut slot.
    /// - Returns: `nil` if it fits nowhere.
    func best(_ load: PlannedLoad, _ profile: LoadProfile, capacity: [Double]) -> (start: Int64, parts: [Part])? {
        var best: (start: Int64, parts: [Part], cost: Double)?
        for start in starts(load, profile, capacity: capacity) {
            let parts = parts(profile, from: start)
            let cost = parts.reduce(0) { $0 + grid.cost($1.slot, $1.energy) }
            // Starts come in order, so that of equal ones the first or the last stays.
            let margin = load.shape.ties == .earlier ? -1e-12 : 1e-12
            if best.map({ cost < $0.cost + margin }) ?? true { best = (start, parts, cost) }
        }
        return best.map { ($0.start, $0.parts) }
    }
}
