import EnergyModel

/// Switches a load on and off, slot by slot, within its minimum run and pause and its number of runs.
struct FirstSwitch {
    private let shape: RunShape
    private let runMin: Int64
    private let grid: PlanGrid
    private(set) var isOn: Bool
    /// Unix milliseconds of the last change.
    private var since: Int64 = .min
    private var (runs, runsMax): (Int, Int?)
    private var recounted: Int64 = .min

    /// - Parameter isOn: it runs when the plan begins, for as long as it must already.
    init(_ shape: RunShape, runMin: Int64, _ grid: PlanGrid, isOn: Bool = false) {
        self.shape = shape
        self.runMin = runMin
        self.grid = grid
        self.isOn = isOn
        (runs, runsMax) = (0, shape.runsMax)
    }

    private mutating func countAnew(_ time: Int64) {
        guard runsMax != nil, let recounts = shape.recounts, let last = recounts.at.last(where: { $0 <= time }),
            last > recounted
        else { return }
        (recounted, runs, runsMax) = (last, isOn ? 1 : 0, recounts.runsMax)
    }

    /// - Returns: Unix milliseconds until when it stays on if it is on in the slot.
    func staysUntil(_ slot: Int) -> Int64 {
        let begin = isOn ? since : grid.edges[slot]
        return begin == .min ? grid.edges[slot] : begin + runMin
    }

    /// - Returns: whether it is on in the slot.
    mutating func decide(_ slot: Int, wants: Bool, isUsable: (Int) -> Bool) -> Bool {
        let time = grid.edges[slot]
        countAnew(time)
        if isOn {
            let mustStay = since > .min && time - since < runMin
            if isUsable(slot), wants || mustStay { return true }
            (isOn, since) = (false, time)
            return false
        }
        guard wants, runs < runsMax ?? .max, since == .min || time - since >= shape.pauseMin else { return false }
        var end = slot
        while end < grid.count, grid.edges[end] < time + max(1, runMin) {
            guard isUsable(end) else { return false }
            end += 1
        }
        guard grid.edges[end] >= time + runMin else { return false }
        (isOn, since) = (true, time)
        runs += 1
        return true
    }
}
