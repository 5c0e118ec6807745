extension QRCode {
    /// For a terminal: two rows of modules in one line of half blocks, with the quiet zone. Black and white are said
    /// for each line, so that it can be read from dark and light terminals alike.
    ///
    /// - Parameter isColoured: black on white whatever the terminal's colours are; else light on dark, as most are.
    public func lines(isColoured: Bool) -> [String] {
        let range = -Self.quietZone..<size + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column -> Character in
                let isDrawn = [row, row + 1].map { isDark(row: $0, column: column) == isColoured }
                return switch (isDrawn[0], isDrawn[1]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            // Of the 256 colours: 16 and 231 are black and white whatever a theme does to the first 16.
            return isColoured ? "\u{1B}[38;5;16;48;5;231m" + String(blocks) + "\u{1B}[0m" : String(blocks)
        }
    }

    /// A picture that is sharp at any size, on white.
    public var svg: String {
        let side = size + 2 * Self.quietZone
        let path = (0..<size).map { row in
            darkRuns(row).map {
                "M\($0.lowerBound + Self.quietZone) \(row + Self.quietZone)h\($0.count)v1h-\($0.count)z"
            }
            .joined()
        }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }

    /// Dark modules side by side.
    private func darkRuns(_ row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<size where isDark(row: row, column: column) {
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }
}
