/// The table of ``StepPlanner``: when each slot begins, and after the last one, the lowest cost for each amount taken, state of
/// ``RunTiming`` and number of starts.
struct StepTable {
    struct Place {
        /// The slot that begins.
        var slot: Int
        var layer: Int
        var state: Int
        /// Index into the remainders.
        var remainder: Int
        var units: Int
    }

    let problem: StepProblem
    let timing: RunTiming
    let units: StepUnits
    private var cells: [Double]
    private let offsets: [Int]
    private var most: Double { problem.most + 1e-9 / problem.energy }

    init(_ problem: StepProblem, _ timing: RunTiming, _ units: StepUnits) {
        (self.problem, self.timing, self.units) = (problem, timing, units)
        offsets = units.remainders.reduce(into: [0]) { sums, remainders in
            sums.append(sums[sums.count - 1] + remainders.count * units.width * timing.states)
        }
        cells = Array(repeating: .infinity, count: offsets[offsets.count - 1])
        // One that is on rests before it is off for good.
        let state = problem.rules.goesOn ? timing.running : 0
        cells[index(Place(slot: 0, layer: 0, state: state, remainder: 0, units: 0))] = 0
        for slot in problem.steps.indices { fill(slot) }
    }

    subscript(_ place: Place) -> Double { cells[index(place)] }

    /// Steps x milliseconds.
    func amount(_ place: Place) -> Int64 {
        Int64(place.units) * units.unit + units.remainders[place.slot][place.remainder]
    }

    /// How many amounts there are from one of no units on.
    func count(_ slot: Int, _ remainder: Int) -> Int {
        units.count(slot, most: most, remainder: units.remainders[slot][remainder])
    }

    private func index(_ place: Place) -> Int {
        let row = (place.layer * timing.count + place.state) * units.remainders[place.slot].count + place.remainder
        return offsets[place.slot] + row * units.width + place.units
    }

    /// What a move costs at each number of steps.
    private func costs(_ slot: Int, isOn: Bool) -> [(amount: Int64, cost: Double)] {
        guard isOn, let steps = problem.steps[slot] else { return [(0, 0)] }
        return steps.map { steps in
            let amount = Int64(steps) * problem.length(slot)
            return (amount, problem.cost(slot, Double(amount)))
        }
    }

    private mutating func fill(_ slot: Int) {
        let (off, on) = (costs(slot, isOn: false), costs(slot, isOn: true))
        for move in timing.moves(slot, problem.rules) {
            let layerStep = move.isCounted ? 1 : 0
            for layer in 0..<timing.layers - layerStep {
                for remainder in units.remainders[slot].indices {
                    let from = Place(slot: slot, layer: layer, state: move.from, remainder: remainder, units: 0)
                    for (amount, cost) in move.isOn ? on : off {
                        let sum = units.remainders[slot][remainder] + amount
                        guard let after = units.remainders[slot + 1].firstIndex(of: sum % units.unit) else { continue }
                        let to = Place(
                            slot: slot + 1, layer: layer + layerStep, state: move.to, remainder: after,
                            units: Int(sum / units.unit))
                        let count = min(count(slot, remainder), self.count(slot + 1, after) - to.units)
                        guard count > 0 else { continue }
                        let (source, target) = (index(from), index(to))
                        let cost = cost + (move.isStart ? problem.rules.startCost : 0)
                        cells.withUnsafeMutableBufferPointer { cells in
                            guard let cells = cells.baseAddress else { return }
                            (cells + target).lower(to: cells + source, plus: cost, count: count)
                        }
                    }
                }
            }
        }
        chargeMissed(slot + 1)
    }

    /// What a goal that is due when a slot begins lacks by then.
    private mutating func chargeMissed(_ slot: Int) {
        guard slot < problem.count, problem.goals.contains(where: { $0.end == slot }) else { return }
        for row in 0..<timing.states * units.remainders[slot].count {
            let first = offsets[slot] + row * units.width
            let remainder = units.remainders[slot][row % units.remainders[slot].count]
            for count in 0..<units.width {
                cells[first + count] += missed(slot, Int64(count) * units.unit + remainder)
            }
        }
    }

    private func missed(_ slot: Int, _ amount: Int64) -> Double {
        guard slot < problem.count else { return 0 }
        return problem.penalty * problem.lack(Double(amount), after: slot - 1, upTo: slot)
    }

    // MARK: The way back

    /// - Returns: what is taken of each slot, in steps x milliseconds.
    func amounts(to end: StepEnd) -> [Double] {
        var amounts = Array(repeating: 0.0, count: problem.count)
        if let part = end.part { amounts[end.place.slot] = part }
        var place = end.place
        while place.slot > 0, let (amount, before) = way(to: place) {
            amounts[place.slot - 1] = Double(amount)
            place = before
        }
        return amounts
    }

    private func way(to place: Place) -> (amount: Int64, from: Place)? {
        let (slot, total, cost) = (place.slot - 1, amount(place), self[place])
        for move in timing.moves(slot, problem.rules) where move.to == place.state {
            let layer = place.layer - (move.isCounted ? 1 : 0)
            guard layer >= 0 else { continue }
            for (amount, step) in costs(slot, isOn: move.isOn) where amount <= total {
                guard let remainder = units.remainders[slot].firstIndex(of: (total - amount) % units.unit) else {
                    continue
                }
                let from = Place(
                    slot: slot, layer: layer, state: move.from, remainder: remainder,
                    units: Int((total - amount) / units.unit))
                guard from.units < count(slot, remainder) else { continue }
                let sum = self[from] + (step + (move.isStart ? problem.rules.startCost : 0))
                if sum + missed(place.slot, total) == cost { return (amount, from) }
            }
        }
        return nil
    }
}
