/// For how long a load has to run once it is on, and to rest once it is off, in slots.
///
/// States are numbered: first those of rest, by the slots that are left of it, then those of a run. With none left the load
/// may do either.
struct RunTiming {
    /// What may be done in a slot, and to which state that leads.
    struct Move {
        var from: Int
        var to: Int
        var isStart = false
        var isOn: Bool
        /// It takes one of the runs that there may be, where these are counted.
        var isCounted = false
    }

    /// Slots that a run lasts at least which begins with a slot; `nil` where none may begin.
    let runs: [Int?]
    /// Slots that a rest lasts at least.
    let rests: [Int]
    /// The first state of a run: nothing is left of what it must last.
    let running: Int
    let count: Int
    /// One for each number of starts, if they are counted.
    let layers: Int
    let countsStarts: Bool

    /// States of one amount.
    var states: Int { count * layers }

    init(_ rules: RunRules, isFree: Bool) {
        let slots = rules.canBeOn.indices
        func needed(_ milliseconds: Int64, from slot: Int) -> Int? {
            guard milliseconds > 0 else { return 0 }
            let end = (slot + 1...rules.count).first { rules.edges[$0] - rules.edges[slot] >= milliseconds }
            return end.map { $0 - slot }
        }
        runs = slots.map { rules.goesOn && $0 == 0 ? nil : needed(rules.runMin, from: $0) }
        rests = slots.map { max(1, needed(rules.pauseMin, from: $0) ?? rules.count - $0) }
        running = isFree ? 1 : rests.max() ?? 1
        count = running + max(1, runs.reduce(0) { max($0, $1 ?? 0) })
        // More than one run for two slots there never are.
        let starts = rules.runsMax.flatMap { $0 < (rules.count + 1) / 2 ? $0 : nil }
        (countsStarts, layers) = (starts != nil, (starts ?? 0) + 1)
    }

    func moves(_ slot: Int, _ rules: RunRules) -> [Move] {
        var moves: [Move] = []
        if !rules.isForced[slot] {
            moves = (0..<running).map { Move(from: $0, to: max(0, $0 - 1), isOn: false) }
            moves.append(Move(from: running, to: rests[slot] - 1, isOn: false))
        }
        guard rules.canBeOn[slot] else { return moves }
        let goesOn = counts(goingOnIn: slot, rules)
        moves += (running..<count).map { Move(from: $0, to: max(running, $0 - 1), isOn: true, isCounted: goesOn) }
        if let run = runs[slot] {
            moves.append(
                Move(from: 0, to: running + max(0, run - 1), isStart: true, isOn: true, isCounted: countsStarts))
        }
        return moves
    }

    /// A run that could end when the plan begins is one of those that are counted only if it goes on.
    private func counts(goingOnIn slot: Int, _ rules: RunRules) -> Bool {
        countsStarts && slot == 0 && rules.goesOn && rules.countsGoingOn
    }

    /// The states in which a load may use a part of a slot, and be off for good.
    ///
    /// - Parameter isPartOfRun: whether that slot is one of those that a run lasts at least.
    func endings(_ slot: Int, isPartOfRun: Bool) -> [(state: Int, isStart: Bool)] {
        let left = isPartOfRun ? 1 : 0
        let going = (running..<min(count, running + left + 1)).map { (state: $0, isStart: false) }
        return going + (runs[slot].map { $0 <= left } ?? false ? [(state: 0, isStart: true)] : [])
    }

    /// Whether one of the runs that there may be is left, where one is needed to be on in a slot.
    func mayBeOn(_ slot: Int, _ layer: Int, isStart: Bool, _ rules: RunRules) -> Bool {
        layer + 1 < layers || !(countsStarts && isStart || counts(goingOnIn: slot, rules))
    }
}
