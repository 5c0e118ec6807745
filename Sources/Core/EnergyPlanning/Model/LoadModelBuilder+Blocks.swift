internal import EnergyModel

/// A course, or all that a load needs as one block between the edges of slots, as another way beside slots.
extension LoadModelBuilder {
    struct Block {
        let placement: CoursePlanner.Placement
        let course: LoadColumns.Course

        /// kWh that it takes in the slots before one.
        func energy(before end: Int) -> [Term] {
            placement.parts.enumerated().filter { $0.element.slot < end }.flatMap { index, part in
                let slide = course.slide.flatMap { slide in
                    placement.slide.map { Term(slide.column, $0.changes[index]) }
                }
                return [Term(course.column, part.energy)] + [slide].compactMap(\.self)
            }
        }
    }

    /// One for each placement.
    func blocks(_ load: PlannedLoad, capacity: [Double], into model: inout LinearModel) -> [Block] {
        guard let profile = load.blockBesides(grid) else { return [] }
        let planner = CoursePlanner(grid: grid)
        return planner.placements(load, profile, isSliding: countsMeans, capacity: capacity).map { placement in
            Block(placement: placement, course: course(placement, cost: load.shape.startCost, into: &model))
        }
    }

    /// Whether what is paid for in a slot, or given, depends on what all take of it.
    var countsMeans: Bool {
        problem.demandCharge != nil || !problem.batteries.isEmpty || grid.surplus.contains { $0 > 0 }
    }

    func course(
        _ placement: CoursePlanner.Placement, cost: Double, into model: inout LinearModel
    ) -> LoadColumns.Course {
        let column = model.column(0, 1, cost: cost, isInteger: true)
        guard let slide = placement.slide else { return .init(column: column, start: placement.start) }
        let share = model.column(0, 1)
        model.row([Term(share, 1), Term(column, -1)], -.infinity, 0)
        return .init(column: column, start: placement.start, slide: (share, slide.milliseconds))
    }

    /// Terms that are 1 together if any of the blocks is chosen.
    private func anyOf(_ blocks: [Block], into model: inout LinearModel) -> [Term] {
        let all = blocks.map { Term($0.course.column, 1) }
        // In the row of each slot the solver sees more in all of them than in their sum, unless they are too many.
        guard all.count > Self.blocksMost else { return all }
        let any = model.column(0, 1)
        model.row(all + [Term(any, -1)], 0, 0)
        return [Term(any, 1)]
    }

    private static let blocksMost = 500

    /// It runs by slots or as one of the blocks.
    func add(_ blocks: [Block], _ slots: UsableSlots, _ columns: inout LoadColumns, into model: inout LinearModel) {
        guard !blocks.isEmpty else { return }
        let chosen = anyOf(blocks, into: &model)
        for (index, on) in columns.on.enumerated() {
            guard let on else { continue }
            model.row(chosen + [Term(on, 1)], slots.isForced[index] ? 1 : -.infinity, 1)
            if slots.isForced[index] {
                model.row(columns.energy[index] + [Term(on, -slots.least[index])], 0, .infinity)
            }
        }
        for block in blocks { columns.add(block.placement, as: block.course) }
    }
}

extension LoadColumns {
    mutating func add(_ placement: CoursePlanner.Placement, as course: Course) {
        courses.append(course)
        for (index, part) in placement.parts.enumerated() {
            let slot = part.slot - range.lowerBound
            energy[slot].append(Term(course.column, part.energy))
            running[slot].append(Term(course.column, part.power))
            if let slide = course.slide, let change = placement.slide?.changes[index], change != 0 {
                energy[slot].append(Term(slide.column, change))
            }
        }
    }
}
