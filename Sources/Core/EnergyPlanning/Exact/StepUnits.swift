/// A unit that divides what a step takes of nearly every slot, and what other slots may leave beside whole units.
///
/// Slots that begin now and end at a deadline have a first and a last one of odd length. Counted in a unit that divides these,
/// too, energy would have millions of values.
struct StepUnits {
    /// Steps x milliseconds.
    let unit: Int64
    /// What may be left beside whole units when a slot begins, or the last one ended, sorted.
    let remainders: [[Int64]]
    /// Whole units that may be taken, and 0.
    let width: Int
    /// Units reached at most when a slot begins, or the last one ended.
    let reach: [Int]

    /// Cells of the table, some 160 MB.
    private static let cellsMax = 20_000_000
    /// Cells times ways to each: with more the solver is quicker.
    private static let workMax = 400_000_000
    private static let remaindersMax = 4_096
    /// Lengths of slots that are tried together as what the unit divides.
    private static let lengthsMax = 6

    /// - Parameter states: of one amount.
    /// - Returns: `nil` if there are too many ways.
    init?(_ problem: StepProblem, states: Int) {
        let reached = problem.steps.indices.reduce(into: [Int64(0)]) { sums, slot in
            let steps = Int64(problem.steps[slot]?.upperBound ?? 0)
            sums.append(sums[slot] + steps * min(problem.length(slot), Int64.max / 1_000_000_000_000))
        }
        // What floating point leaves out of an energy makes it no less.
        let tolerance = 1e-9 / problem.energy
        let all = Double(reached[problem.count])
        let most = problem.most + tolerance < all ? Int64(problem.most + tolerance) : reached[problem.count]
        var best: (unit: Int64, remainders: [[Int64]], work: Int)?
        for unit in Self.units(problem) {
            guard let found = Self.remainders(problem, unit) else { continue }
            let width = most / unit + 1
            guard width < Int64(Self.cellsMax) else { continue }
            let cells = found.map { $0.count * Int(width) * states }
            guard cells.reduce(0, +) <= Self.cellsMax else { continue }
            let ways = zip(cells, problem.steps).reduce(0) { $0 + $1.0 * (1 + ($1.1?.count ?? 0)) }
            if ways <= best?.work ?? Self.workMax { best = (unit, found, ways) }
        }
        guard let best else { return nil }
        (unit, remainders, width) = (best.unit, best.remainders, Int(most / best.unit) + 1)
        reach = reached.map { Int(min($0, most) / best.unit) }
    }

    /// How many amounts with a remainder there are when a slot begins.
    func count(_ slot: Int, most: Double, remainder: Int64) -> Int {
        let left = most - Double(remainder)
        return left < 0 ? 0 : min(reach[slot], Int(left / Double(unit))) + 1
    }

    private static func units(_ problem: StepProblem) -> [Int64] {
        var counts: [Int64: Int] = [:]
        for slot in problem.steps.indices where problem.steps[slot] != nil {
            counts[problem.length(slot), default: 0] += 1
        }
        let lengths = counts.sorted { ($1.value, $1.key) < ($0.value, $0.key) }.map(\.key)
        guard !lengths.isEmpty else { return [1] }
        var units = lengths.prefix(lengthsMax).reduce(into: [Int64]()) { $0.append(($0.last ?? 0).commonDivisor($1)) }
        units.append(lengths.reduce(0) { $0.commonDivisor($1) })
        return units.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private static func remainders(_ problem: StepProblem, _ unit: Int64) -> [[Int64]]? {
        var found: [[Int64]] = [[0]]
        for slot in problem.steps.indices {
            let before = found[slot]
            guard let steps = problem.steps[slot], problem.length(slot) % unit != 0 else {
                found.append(before)
                continue
            }
            var after = Set(before)
            for count in steps {
                for remainder in before { after.insert((remainder + Int64(count) * problem.length(slot)) % unit) }
                guard after.count <= remaindersMax else { return nil }
            }
            found.append(after.sorted())
        }
        return found
    }
}
