/// How many slots a load is on in at least, when it is known what it lacks at most.
extension HomeModel {
    /// Of those that may be on in each slot or not: what they need is more than fewer slots can bring. Where slots are alike, the
    /// solver would have to try all ways to choose fewer, and find none.
    ///
    /// - Parameters:
    ///   - missing: columns of what is missing.
    ///   - most: all of them together.
    func leastSlots(_ missing: [(column: Int, weight: Double)], atMost most: Double) -> [(on: [Term], least: Double)] {
        zip(problem.loads, loads).flatMap { load, columns -> [(on: [Term], least: Double)] in
            guard case .energy(let need) = load.need, columns.courses.isEmpty else { return [] }
            return zip(columns.missing, grid.dues(need, in: columns.range)).compactMap { own, due in
                guard missing.contains(where: { $0.column == own.column }) else { return nil }
                return leastSlots(columns, until: due.end, need.powerMax, due.energy - most)
            }
        }
    }

    /// - Returns: `nil` where it need not be known when it is on, or nothing follows.
    private func leastSlots(
        _ columns: LoadColumns, until end: Int, _ power: Double, _ energy: Double
    ) -> (on: [Term], least: Double)? {
        var (on, most): ([Term], [Double]) = ([], [])
        for (index, slot) in columns.range.prefix(end).enumerated() {
            guard let column = columns.on[index] else { return nil }
            on.append(Term(column, 1))
            most.append(model.upper[column] * power * grid.hours[slot])
        }
        var (count, sum) = (0, 0.0)
        for slot in most.sorted(by: >) where sum < energy - 1e-6 {
            sum += slot
            count += 1
        }
        return count == 0 || sum < energy - 1e-6 ? nil : (on, Double(count))
    }
}
