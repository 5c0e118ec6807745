internal import EnergyModel

/// All that a load needs as one block between the edges of slots, as another way beside slots.
extension LoadModelBuilder {
    struct Block {
        /// 1 where it is chosen.
        var column: Int
        var start: Int64
        var parts: [CoursePlanner.Part]
    }

    /// One for each start.
    func blocks(_ load: PlannedLoad, capacity: [Double], into model: inout LinearModel) -> [Block] {
        guard let profile = load.blockBesides(grid) else { return [] }
        let planner = CoursePlanner(grid: grid)
        return planner.starts(load, profile, capacity: capacity).map { start in
            Block(
                column: model.column(0, 1, cost: load.shape.startCost, isInteger: true), start: start,
                parts: planner.parts(profile, from: start))
        }
    }

    /// It runs by slots or as one of the blocks.
    func add(_ blocks: [Block], _ slots: UsableSlots, _ columns: inout LoadColumns, into model: inout LinearModel) {
        guard !blocks.isEmpty else { return }
        let chosen = blocks.map { Term($0.column, 1) }
        for (index, on) in columns.on.enumerated() {
            guard let on else { continue }
            model.row(chosen + [Term(on, 1)], slots.isForced[index] ? 1 : -.infinity, 1)
            if slots.isForced[index] {
                let whole = slots.power[index] * grid.hours[columns.range.lowerBound + index]
                model.row(columns.energy[index] + [Term(on, -whole)], 0, .infinity)
            }
        }
        for block in blocks {
            columns.courses.append((block.column, block.start))
            for part in block.parts {
                let index = part.slot - columns.range.lowerBound
                columns.energy[index].append(Term(block.column, part.energy))
                columns.running[index].append(Term(block.column, part.power))
            }
        }
    }
}
