/// Values along time as one line of blocks.
struct Sparkline {
    let values: [Double]

    /// More cells are no glance any more.
    private static let cellsMax = 80

    /// - Parameter cells: of more values, neighbours share a cell with their mean.
    func values(in cells: Int) -> [Double] {
        let count = min(values.count, cells, Self.cellsMax)
        guard count < values.count else { return values }
        return (0..<count).map { cell in
            let part = values[cell * values.count / count..<(cell + 1) * values.count / count]
            return part.reduce(0, +) / Double(part.count)
        }
    }
}
