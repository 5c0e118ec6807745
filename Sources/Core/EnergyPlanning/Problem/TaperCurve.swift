internal import Foundation

/// How much a battery near full takes in a time, by what it has taken before.
///
/// The power falls in a line over the energy taken, so over time it falls exponentially: what comes in is known in closed
/// form, and how time is cut into slots makes no difference.
struct TaperCurve {
    /// kW before the power falls.
    private let power: Double
    /// kW less for each kWh more.
    private let slope: Double
    /// kWh taken when it begins to fall.
    private let bend: Double
    /// kW: with steps any power that is offered may be more than it takes.
    private let leastOffered: Double
    /// kWh taken at the end, at most.
    private let most: Double
    /// ``EnergyNeed/taperTouches``
    private let touches: [Double]?

    /// Of lines instead of a curve, in one slot.
    private static let linesMax = 8
    /// kWh: what they may leave out.
    private static let roundingMost = 1e-3
    private static let knotsMax = 500.0
    /// kWh: what lines between knots may be off by.
    private static let knotMost = 1e-5
    /// kWh: nearer points are one.
    private static let apart = 1e-9
    private static let halvings = 60

    /// - Parameter power: kW that it is offered, at most its highest.
    init(_ taper: Taper, _ need: EnergyNeed, power: Double) {
        self.power = power
        leastOffered = need.powerStep == nil ? need.powerMin : need.powerMax
        most = need.energyMax
        touches = need.taperTouches
        slope = taper.slope(from: need.powerMax)
        bend = taper.energyAtStart + (slope > 0 ? (need.powerMax - power) / slope : .infinity)
    }

    private func power(after taken: Double) -> Double { max(0, power - slope * max(0, taken - bend)) }

    /// kWh that it takes in so many hours, when it has taken so much before.
    func energy(after taken: Double, hours: Double) -> Double {
        guard power > 0 else { return 0 }
        let steady = min(hours, max(0, (bend - taken) / power))
        guard steady < hours else { return power * hours }
        return power * steady + power(after: taken) / slope * (1 - exp(-slope * (hours - steady)))
    }

    /// kWh that it takes in so many hours if it has taken `end` after them, as ``lines(hours:)`` say.
    func energy(until end: Double, hours: Double) -> Double {
        let (whole, lines) = (power * hours, lines(hours: hours))
        func most(_ taken: Double) -> Double { lines.reduce(whole) { min($0, $1.atZero - $1.fall * taken) } }
        let first = end - whole
        guard first + most(first) < end - Self.apart else { return whole }
        return max(0, end - Self.least(from: first, to: end) { $0 + most($0) >= end } - 1e-6)
    }

    /// Lines over what was taken before, of which the lowest is what it takes in so many hours, besides its highest power:
    /// exactly once the power falls, and by no more than it takes where that begins within the time, or with
    /// ``EnergyNeed/taperTouches`` by no less.
    func lines(hours: Double) -> [(atZero: Double, fall: Double)] {
        guard slope > 0, power > 0, bend.isFinite else { return [] }
        let last = tangent(at: bend, hours: hours)
        let count = (slope * power * hours * hours / (8 * Self.roundingMost)).squareRoot().rounded(.up)
        let points = points(power * hours / min(Double(Self.linesMax), max(1, count)), hours: hours)
        guard let touches else { return [last] + chords(points, hours: hours) }
        let first = bend - power * hours
        let added = touches.filter { first < $0 && $0 < bend }
        return [last] + (points + added).map { tangent(at: $0, hours: hours) }
    }

    /// Between one of `points` and the next, from the bend on.
    private func chords(_ points: [Double], hours: Double) -> [(atZero: Double, fall: Double)] {
        var (right, above) = (bend, energy(after: bend, hours: hours))
        return points.map { left in
            let below = energy(after: left, hours: hours)
            let fall = (below - above) / (right - left)
            defer { (right, above) = (left, below) }
            return (below + fall * left, fall)
        }
    }

    private func tangent(at taken: Double, hours: Double) -> (atZero: Double, fall: Double) {
        let slowing = max(0, hours - max(0, (bend - taken) / power))
        let fall = 1 - exp(-slope * slowing)
        return (energy(after: taken, hours: hours) + fall * taken, fall)
    }

    /// kWh taken, from the most to the least, of equal distance from the bend on.
    private func points(_ width: Double, hours: Double) -> [Double] {
        let first = bend - power * hours
        return Array(stride(from: bend - width, to: first - width / 2, by: -width))
    }

    /// Whether it takes less in a time than at its highest power.
    func slowsDown(after taken: Double, hours: Double) -> Bool {
        energy(after: taken, hours: hours) < power * hours - Self.apart
    }

    /// kWh taken before from which on it may take less in so many hours than its least power, or than a step.
    func nearFull(hours: Double) -> Double {
        slope > 0 ? taken(with: leastOffered * hours - Self.apart, hours: hours) : .infinity
    }

    /// kWh taken before from which on it takes less than some energy, kWh, in so many hours.
    private func taken(with energy: Double, hours: Double) -> Double {
        Self.least(from: bend - power * hours, to: bend + power / slope) {
            self.energy(after: $0, hours: hours) < energy
        }
    }

    /// From where on something holds, which does at `high`.
    private static func least(from low: Double, to high: Double, where holds: (Double) -> Bool) -> Double {
        var (low, high) = (low, high)
        for _ in 0..<halvings {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// kWh taken before between which what it takes in so many hours is nearly a line, on one side of each of `levels`, kWh.
    func knots(hours: Double, levels: [Double]) -> [Double] {
        guard slope > 0, power > 0 else { return [] }
        // The sooner the power falls the more the curve bends: knots are as far apart as lines between them may be.
        let share = 1 - exp(-slope * hours / 2)
        let count = (share * (power / (2 * slope * Self.knotMost)).squareRoot()).rounded(.up)
        let intervals = max(1, min(Self.knotsMax, count))
        let bent = (0...Int(intervals)).map { index in
            let slowing = -2 / slope * log(1 - share * Double(index) / intervals)
            return bend - power * max(0, hours - slowing)
        }
        let crossed = levels.filter { $0 > 0 && $0 < power * hours }.map { taken(with: $0, hours: hours) }
        return Set(bent + crossed).sorted()
    }

    /// A line over what was taken before that is no more than what it takes in so many hours, from `first` kWh taken on, and just
    /// that where the power falls from there on.
    func leastLine(hours: Double, from first: Double) -> (atZero: Double, fall: Double) {
        guard first < bend, most > first + Self.apart else { return tangent(at: max(first, bend), hours: hours) }
        let (more, less) = (energy(after: first, hours: hours), energy(after: most, hours: hours))
        let fall = (more - less) / (most - first)
        return (more + fall * first, fall)
    }

    /// How long it takes from one energy taken to another; infinite where the power falls to nothing before.
    func hours(from: Double, to: Double) -> Double {
        guard to > from else { return 0 }
        guard power > 0 else { return .infinity }
        let steady = max(0, min(to, bend) - from) / power
        guard to > bend, slope > 0 else { return steady }
        let last = power(after: to)
        return last > 0 ? steady + log(power(after: max(from, bend)) / last) / slope : .infinity
    }

    /// Whether it may slow down in a slot before which it has taken so much at most.
    func bends(after most: Double, hours: Double) -> Bool { most > bend - power * hours }
}
