internal import EnergyModel
internal import EnergyPlanning

extension LoadPlan {
    /// What is shorter is not worth a start: some milliseconds of a slot that is cut where the plan begins, or a rounding.
    private static let leastMilliseconds: Int64 = 1_000

    /// The runs that are long enough to be told, with their places among all. Each shorter one makes the run before it
    /// longer, or else the one after it: the vehicle gets all that was planned.
    var toldRuns: [(index: Int, run: Run)] {
        var told = Array(runs.enumerated()).filter { $1.interval.milliseconds >= Self.leastMilliseconds }
        guard !told.isEmpty else { return runs.enumerated().map { ($0, $1) } }
        for (index, short) in runs.enumerated() where short.interval.milliseconds < Self.leastMilliseconds {
            let place = told.lastIndex { $0.offset < index } ?? 0
            let next = told.indices.contains(place + 1) ? told[place + 1].element.interval.start : nil
            told[place].element.takeOver(short, before: next)
        }
        return told.map { ($0.offset, $0.element) }
    }
}

extension LoadPlan.Run {
    /// - Parameter next: when another run begins.
    fileprivate mutating func takeOver(_ short: LoadPlan.Run, before next: Timestamp?) {
        guard energy > 0 else { return }
        let more = Int64((short.energy / energy * Double(interval.milliseconds)).rounded(.up))
        var (start, end) = (interval.start, interval.end)
        if short.interval.start < start {
            start = max(short.interval.start, start.advanced(byMilliseconds: -more))
        } else {
            end = end.advanced(byMilliseconds: more)
            if let next { end = min(next, end) }
        }
        interval = Interval(start: start, end: end) ?? interval
        energy += short.energy
    }
}
