/// kWh that loads lack at least, whatever the plan: what they need through a limit is more than it carries in their time.
struct LackBound {
    /// The limit that proves most, by index of its row.
    private(set) var row = 0
    /// kWh; 0 where nothing is proven.
    private(set) var lack = 0.0

    private let work: PlanWork

    init(_ work: PlanWork) {
        self.work = work
        for row in work.rows.indices {
            let lack = lack(work.rows[row])
            if lack > self.lack { (self.row, self.lack) = (row, lack) }
        }
    }

    /// Whether no plan lacks less than one does.
    func proves(_ decisions: PlanDecisions) -> Bool {
        Set(work.priorities).count <= 1 && work.missing(decisions).reduce(0, +) <= lack + 1e-6
    }

    private struct Member {
        var window: Range<Int>
        /// kWh through the limit.
        var energy: Double
    }

    private func lack(_ row: LimitRow) -> Double {
        let grid = work.grid
        var members: [Member] = []
        var drawn = Array(repeating: 0.0, count: grid.count)
        for (index, share) in row.loads.sorted(by: { $0.key < $1.key }) {
            let load = work.problem.loads[index]
            let window = grid.range(of: load)
            for slot in window { drawn[slot] += load.powerMost * share }
            if case .energy(let need) = load.need {
                members.append(Member(window: window, energy: need.energy * share))
            }
        }
        let given = row.batteries.reduce(0) { $0 + $1.value * work.problem.batteries[$1.key].dischargeMax }
        var carried = [0.0]
        for slot in 0..<grid.count {
            carried.append(carried[slot] + grid.hours[slot] * min(drawn[slot], row.room[slot] + given))
        }
        let most = row.loads.values.max() ?? 1
        var lack = 0.0
        for first in Set(members.map(\.window.lowerBound)) {
            for end in Set(members.map(\.window.upperBound)) where end > first {
                let needed = members.reduce(0) {
                    $1.window.lowerBound >= first && $1.window.upperBound <= end ? $0 + $1.energy : $0
                }
                lack = max(lack, (needed - (carried[end] - carried[first])) / most)
            }
        }
        return lack
    }
}
