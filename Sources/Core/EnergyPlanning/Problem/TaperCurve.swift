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
    /// kWh taken where ``lines(hours:)`` are exact besides.
    private let knots: [Double]

    /// Of lines instead of a curve, in one slot.
    private static let linesMax = 8
    /// kWh: what they may leave out.
    private static let roundingMost = 1e-3
    /// kWh: nearer points are one.
    private static let apart = 1e-9

    /// - Parameter power: kW that it is offered, at most its highest.
    init(_ taper: Taper, _ need: EnergyNeed, power: Double) {
        self.power = power
        knots = need.taperKnots
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

    /// Lines over what was taken before, of which the lowest is what it takes in so many hours, besides its highest power:
    /// exactly once the power falls, and by no more than it takes where that begins within the time.
    func lines(hours: Double) -> [(atZero: Double, fall: Double)] {
        guard slope > 0, power > 0, bend.isFinite else { return [] }
        let last = energy(after: bend, hours: hours)
        let fall = 1 - exp(-slope * hours)
        let count = (slope * power * hours * hours / (8 * Self.roundingMost)).squareRoot().rounded(.up)
        let width = power * hours / min(Double(Self.linesMax), max(1, count))
        var lines = [(atZero: last + fall * bend, fall: fall)]
        var (right, above) = (bend, last)
        for left in points(width, hours: hours) {
            let below = energy(after: left, hours: hours)
            let fall = (below - above) / (right - left)
            lines.append((below + fall * left, fall))
            (right, above) = (left, below)
        }
        return lines
    }

    /// kWh taken, from the most to the least, at which lines meet below the bend.
    private func points(_ width: Double, hours: Double) -> [Double] {
        let first = bend - power * hours
        var points = knots.filter { first < $0 && $0 < bend }
        var point = bend - width
        while point > first - width / 2 {
            points.append(point)
            point -= width
        }
        return points.sorted(by: >).reduce(into: []) { points, point in
            if (points.last ?? bend) - point > Self.apart { points.append(point) }
        }
    }

    /// Whether lines tell less of what it takes after `taken` than the curve does, by more than a rounding.
    func isRough(after taken: Double, hours: Double) -> Bool {
        let told = lines(hours: hours).reduce(power * hours) { min($0, $1.atZero - $1.fall * taken) }
        return energy(after: taken, hours: hours) - told > Self.apart
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
