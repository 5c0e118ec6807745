extension LinearModel {
    /// Of a unit that all factors are multiples of the smallest one is a whole part at most so many times.
    private static let partsMax = 3

    /// The most that a sum can be within a room: cars in steps of amperes never use what is left of the last step.
    ///
    /// Where all columns are whole numbers, and all factors multiples of one, the room is rounded down to a multiple, too. The
    /// relaxation would use all of it, and the solver would have to find out slot by slot that nothing does.
    ///
    /// - Source: Chvátal, "Edmonds polytopes and a hierarchy of combinatorial problems", 1973.
    func most(of terms: [Term], within room: Double) -> Double {
        let used = terms.filter { upper[$0.column] > 0 && $0.factor != 0 }
        guard used.allSatisfy({ isInteger[$0.column] }), let least = used.map({ abs($0.factor) }).min() else {
            return room
        }
        for parts in 1...Self.partsMax {
            let unit = least / Double(parts)
            let isMultiple = used.allSatisfy { abs(($0.factor / unit).rounded() * unit - $0.factor) < 1e-9 }
            // What floating point leaves out makes it no less.
            if isMultiple { return min(room, (room / unit + 1e-6).rounded(.down) * unit) }
        }
        return room
    }
}
