import EnergyModel

extension PlanAssembly {
    func batteries(_ balance: PlanBalance?) -> [BatteryPlan] {
        work.problem.batteries.indices.map { index in
            let lack = BatteryShortfall(
                work: work, decisions: decisions, battery: index, isProven: isLackProven, check: check
            ).worst
            return BatteryPlan(
                name: work.problem.batteries[index].name,
                power: (0..<grid.count).map {
                    tidy((decisions.charge[index][$0] - decisions.discharge[index][$0]) / grid.hours[$0])
                }, blocks: balance.map { blocks(index, $0) } ?? [], stored: decisions.stored[index].map(tidy),
                missing: lack.map { tidy($0.missing) } ?? 0,
                shortfall: lack?.shortfall)
        }
    }

    private func blocks(_ battery: Int, _ balance: PlanBalance) -> [BatteryPlan.Block] {
        var blocks: [BatteryPlan.Block] = []
        for piece in balance.pieces {
            let power = tidy(piece.batteries[battery])
            if let last = blocks.last, abs(last.power - power) < 1e-6,
                let joined = Interval(start: last.interval.start, end: piece.interval.end)
            {
                blocks[blocks.count - 1].interval = joined
            } else {
                blocks.append(.init(interval: piece.interval, power: power))
            }
        }
        return blocks
    }
}
