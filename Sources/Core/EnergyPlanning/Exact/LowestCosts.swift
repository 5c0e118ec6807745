/// A row of a table of least costs. Without conditions and bounds to check, several are compared at a time.
extension UnsafeMutablePointer<Double> {
    /// Lowers `count` costs to those of another way, where they are less.
    func lower(to other: UnsafeMutablePointer<Double>, plus cost: Double = 0, count: Int) {
        for index in 0..<count {
            let value = other[index] + cost
            self[index] = value < self[index] ? value : self[index]
        }
    }
}
