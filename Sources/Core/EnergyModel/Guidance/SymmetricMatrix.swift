/// A small symmetric matrix of which the lower triangle is kept.
struct SymmetricMatrix: Sendable {
    let size: Int
    private var elements: [Double]

    init(size: Int) {
        self.size = size
        elements = Array(repeating: 0, count: size * size)
    }

    /// - Precondition: `column <= row < size`.
    subscript(row: Int, column: Int) -> Double {
        get { elements[row * size + column] }
        set { elements[row * size + column] = newValue }
    }

    /// The vector that this matrix turns into `right`, by Cholesky's decomposition.
    ///
    /// - Returns: `nil` unless the matrix is positive definite.
    func solving(_ right: [Double]) -> [Double]? {
        guard right.count == size else { return nil }
        var (lower, result) = (elements, right)
        for row in 0..<size {
            for column in 0...row {
                var sum = lower[row * size + column]
                for index in 0..<column { sum -= lower[row * size + index] * lower[column * size + index] }
                if column < row {
                    lower[row * size + column] = sum / lower[column * size + column]
                } else {
                    guard sum > 0 else { return nil }
                    lower[row * size + row] = sum.squareRoot()
                }
            }
        }
        for row in 0..<size {
            for index in 0..<row { result[row] -= lower[row * size + index] * result[index] }
            result[row] /= lower[row * size + row]
        }
        for row in (0..<size).reversed() {
            for index in row + 1..<size { result[row] -= lower[index * size + row] * result[index] }
            result[row] /= lower[row * size + row]
        }
        return result
    }
}
