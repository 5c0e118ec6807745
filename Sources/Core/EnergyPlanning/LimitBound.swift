/// Raises ``PlanBound``'s sum of what the loads pay alone, by a price in each slot on each limit's room.
///
/// Lagrangian relaxation: whatever the prices, what the loads pay at least with them, less what all of the room is worth, is
/// no more than any plan costs. The prices follow what the loads take too much (Polyak's step, as in ``LimitPrices``).
struct LimitBound {
    private(set) var best: Double

    private let bound: PlanBound
    private let rows: [LimitRow]
    private let idle: Double
    /// In units of the objective for a kWh, by row, then cut slot.
    private var prices: [[Double]]

    private static let stepsMax = 400

    /// - Parameter alone: the bound without prices.
    /// - Returns: `nil` where there is no limit, or photovoltaics to spare, to whose worth a price would have to be added.
    init?(_ bound: PlanBound, from alone: Double) {
        let work = bound.work
        rows = work.rows.filter { !$0.loads.isEmpty }
        guard !rows.isEmpty, work.grid.surplus.allSatisfy({ $0 <= 0 }) else { return nil }
        (self.bound, best, idle) = (bound, alone, bound.idle)
        prices = rows.map { $0.room.map { _ in 0 } }
    }

    /// - Parameter total: of the best plan that is known.
    mutating func improve(below total: Double, _ timer: PlanTimer) {
        var (pace, stalled) = (1.0, 0)
        for _ in 0..<Self.stepsMax where total - best > 1e-9 && pace > 1e-3 && !timer.isUp {
            let (value, excess) = look()
            stalled = value > best + 1e-4 * abs(best) ? 0 : stalled + 1
            best = max(best, value)
            if stalled > 8 { (pace, stalled) = (pace * 0.6, 0) }
            let length = zip(excess, prices).reduce(0) { sum, row in
                zip(row.0, row.1).reduce(sum) { $1.0 > 0 || $1.1 > 0 ? $0 + $1.0 * $1.0 : $0 }
            }
            guard length > 0 else { return }
            let step = pace * (total - value) / length
            for row in rows.indices {
                for slot in prices[row].indices {
                    prices[row][slot] = max(0, prices[row][slot] + step * excess[row][slot])
                }
            }
        }
    }

    /// - Returns: the bound at the prices, and kWh that the loads then take more of each limit than there are.
    private func look() -> (value: Double, excess: [[Double]]) {
        let grid = bound.work.grid
        var value = idle
        var excess = rows.map { zip($0.room, grid.hours).map { -$0 * $1 } }
        for (price, room) in zip(prices, excess) { value += zip(price, room).reduce(0) { $0 + $1.0 * $1.1 } }
        for load in bound.work.problem.loads.indices {
            var priced = grid
            for (row, price) in zip(rows, prices) {
                guard let share = row.loads[load] else { continue }
                for slot in price.indices { priced.importWeight[slot] += price[slot] * share }
            }
            let (cost, energies) = bound.least(load, priced)
            value += cost
            for (index, row) in rows.enumerated() {
                guard let share = row.loads[load] else { continue }
                for (slot, energy) in energies { excess[index][slot] += share * energy }
            }
        }
        return (value, excess)
    }
}
