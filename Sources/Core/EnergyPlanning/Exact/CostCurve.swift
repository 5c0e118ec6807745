/// The lowest cost for each energy: lines that may jump, or leave out energies that cannot be had.
struct CostCurve {
    struct Line {
        var start: Double
        /// At least ``start``, which makes it a point.
        var end: Double
        var atStart: Double
        var atEnd: Double

        func cost(_ energy: Double) -> Double {
            guard energy > start else { return atStart }
            guard energy < end else { return atEnd }
            return atStart + (atEnd - atStart) * ((energy - start) / (end - start))
        }
    }

    /// By energy; neighbours may share an end, where the lower one counts.
    private(set) var lines: [Line] = []

    /// kWh: nearer ends are one.
    private static let apart = 1e-12
    /// kWh: what many sums leave.
    static let rounding = 1e-9
    /// In units of the objective: what lines that continue each other may differ by.
    private static let level = 1e-13

    var isEmpty: Bool { lines.isEmpty }

    /// Only that energy can be had, for nothing.
    static func point(_ energy: Double) -> CostCurve {
        CostCurve(lines: [Line(start: energy, end: energy, atStart: 0, atEnd: 0)])
    }

    private init(lines: [Line]) { self.lines = lines }

    /// No energy can be had.
    static let none = CostCurve(lines: [])

    /// The lower envelope.
    init(lowest all: [CostCurve]) {
        var curves = all
        while curves.count > 1 {
            var halved: [CostCurve] = []
            halved.reserveCapacity((curves.count + 1) / 2)
            for index in stride(from: 0, to: curves.count, by: 2) {
                halved.append(index + 1 < curves.count ? curves[index].lowest(curves[index + 1]) : curves[index])
            }
            curves = halved
        }
        self = curves.first ?? .none
    }

    /// Infinite where the energy cannot be had, but for a rounding.
    func cost(_ energy: Double) -> Double {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].end < energy - Self.rounding { low = middle + 1 } else { high = middle }
        }
        var least = Double.infinity
        while low < lines.count, lines[low].start <= energy + Self.rounding {
            least = min(least, lines[low].cost(energy))
            low += 1
        }
        return least
    }

    /// Adds a cost that is a line between `knots`, in their order.
    mutating func add(bentAt knots: [Double], _ cost: (Double) -> Double) {
        lines = cut(at: knots).map {
            Line(
                start: $0.start, end: $0.end, atStart: $0.atStart + cost($0.start), atEnd: $0.atEnd + cost($0.end))
        }
    }

    /// No line crosses any of `knots`, which are in order.
    func cut(at knots: [Double]) -> [Line] {
        var cut: [Line] = []
        cut.reserveCapacity(lines.count + knots.count)
        var next = 0
        for line in lines {
            while next < knots.count, knots[next] <= line.start { next += 1 }
            var rest = line
            while next < knots.count, knots[next] < line.end {
                cut.append(line.part(rest.start, knots[next]))
                rest = line.part(knots[next], line.end)
                next += 1
            }
            cut.append(rest)
        }
        return cut
    }

    // MARK: The lower of two

    func lowest(_ other: CostCurve) -> CostCurve {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var result = CostCurve.none
        result.lines.reserveCapacity(lines.count + other.lines.count)
        var (left, right) = (lines[...], other.lines[...])
        var (own, its) = (left.popFirst(), right.popFirst())
        while let line = own, let second = its {
            if line.end <= second.start, line.start < second.start || line.atEnd < second.atStart {
                result.append(line)
                own = left.popFirst()
            } else if second.end <= line.start, second.start < line.start || second.atEnd < line.atStart {
                result.append(second)
                its = right.popFirst()
            } else {
                let start = max(line.start, second.start)
                if line.start < start { result.append(line.part(line.start, start)) }
                if second.start < start { result.append(second.part(second.start, start)) }
                let end = min(line.end, second.end)
                result.appendLowest(line.part(start, end), second.part(start, end))
                own = line.end > end ? line.part(end, line.end) : left.popFirst()
                its = second.end > end ? second.part(end, second.end) : right.popFirst()
            }
        }
        if let own { result.append(own) }
        if let its { result.append(its) }
        for line in left { result.append(line) }
        for line in right { result.append(line) }
        return result
    }

    /// - Parameters: two lines between the same ends.
    private mutating func appendLowest(_ line: Line, _ other: Line) {
        let (first, last) = (line.atStart - other.atStart, line.atEnd - other.atEnd)
        if first <= 0, last <= 0 { return append(line) }
        if first >= 0, last >= 0 { return append(other) }
        let middle = line.start + (line.end - line.start) * (first / (first - last))
        append((first < 0 ? line : other).part(line.start, middle))
        append((first < 0 ? other : line).part(middle, line.end))
    }

    /// - Parameter line: none of it before the end of the last.
    mutating func append(_ line: Line) {
        guard let last = lines.last, line.start - last.end <= Self.apart else {
            lines.append(line)
            return
        }
        let step = line.atStart - last.atEnd
        if line.end - line.start <= Self.apart, step >= -Self.level { return }
        if last.end - last.start <= Self.apart, step <= Self.level {
            lines[lines.count - 1] = line
        } else if abs(step) <= Self.level, last.continues(to: line, within: Self.level) {
            lines[lines.count - 1].end = line.end
            lines[lines.count - 1].atEnd = line.atEnd
        } else {
            lines.append(line)
        }
    }
}

extension CostCurve.Line {
    func part(_ first: Double, _ last: Double) -> Self {
        Self(start: first, end: last, atStart: cost(first), atEnd: cost(last))
    }

    fileprivate func continues(to next: Self, within level: Double) -> Bool {
        let wanted = atStart + (next.atEnd - atStart) * ((end - start) / (next.end - start))
        return abs(wanted - atEnd) <= level
    }
}
