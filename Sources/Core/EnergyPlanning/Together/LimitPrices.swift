/// Finds prices on being on, for each load in each slot, at which the loads' own optima come closest to fitting together.
///
/// Lagrangian decomposition: whatever the prices, the sum of the loads' least costs at them, minus what the best set of
/// loads that fits would pay in each slot, is a bound that no plan beats. The prices are moved against what breaks the
/// limits (Polyak's step; B. T. Polyak, "Minimization of unsmooth functionals", 1969). Because the sets that fit are used,
/// not the limit itself, the bound is within a few per mille of the optimum, where the linear relaxation is off by per cent.
struct LimitPrices {
    let loads: TogetherLoads
    private(set) var bound = -Double.infinity
    /// By load, then slot.
    private(set) var best: [Double]
    private var prices: [Double]
    private var direction: [Double]
    private var pace = 1.0
    /// With which more steps begin.
    private static let paceMin = 0.3
    private var stalled = 0
    private let tight: [Int]
    /// What the loads would pay each by itself; infinite if one cannot have what it needs.
    let least: Double
    /// The size of the costs at hand, whatever their signs.
    let scale: Double

    init(_ loads: TogetherLoads) {
        self.loads = loads
        best = Array(repeating: 0, count: loads.courses.count * loads.slots)
        prices = best
        direction = best
        tight = (0..<loads.slots).filter { !loads.sets[$0].isEmpty }
        let free = Array(repeating: 0.0, count: loads.slots)
        var (least, scale) = (0.0, 0.01)
        for load in loads.courses.indices {
            let course = loads.courses[load]
            free.withUnsafeBufferPointer { if let base = $0.baseAddress { course.price(base) } }
            least += course.least
            scale += abs(course.least)
        }
        (self.least, self.scale) = (least, scale)
    }

    /// Moves the prices up to `steps` times towards a bound of `target`.
    mutating func improve(steps: Int, target: Double, _ timer: PlanTimer) {
        let (count, slots) = (loads.courses.count, loads.slots)
        // What came to rest before goes on from there.
        pace = max(pace, Self.paceMin)
        for _ in 0..<steps where !timer.isUp {
            var on = Array(repeating: Int8(0), count: count * slots)
            var value = priceAll(prices)
            guard value < .infinity else { return }
            for load in 0..<count { loads.courses[load].trace { on[load * slots + $0] = 1 } }
            var length = 0.0
            for slot in tight {
                let (set, worth) = dearest(slot, prices)
                value -= worth
                for load in 0..<count {
                    let at = load * slots + slot
                    var slope = Double(on[at]) - (set & 1 << UInt32(load) != 0 ? 1 : 0)
                    if prices[at] == 0, slope < 0 { slope = 0 }
                    direction[at] = slope + 0.6 * direction[at]
                    length += direction[at] * direction[at]
                }
            }
            if value > bound + 1e-7 * abs(value) {
                if value > bound + 1e-4 * abs(value) { stalled = 0 }
                bound = value
                best = prices
            } else {
                stalled += 1
                if stalled > 8 { (pace, stalled) = (pace * 0.6, 0) }
            }
            guard length > 0, target - bound > 1e-9, pace > 1e-4 else { break }
            let step = pace * max(target - value, 1e-9) / length
            for slot in tight {
                for load in 0..<count {
                    let at = load * slots + slot
                    prices[at] = max(0, prices[at] + step * direction[at])
                }
            }
        }
    }

    /// Sets the loads' tables to the best prices.
    mutating func settle() {
        _ = priceAll(best)
        prices = best
    }

    /// What the sets that fit pay at most in each slot, at the best prices.
    func worth(_ slot: Int) -> Double { loads.sets[slot].isEmpty ? 0 : dearest(slot, best).1 }

    private func priceAll(_ prices: [Double]) -> Double {
        var sum = 0.0
        prices.withUnsafeBufferPointer { prices in
            guard let base = prices.baseAddress else { return }
            for load in loads.courses.indices {
                loads.courses[load].price(base + load * loads.slots)
                sum += loads.courses[load].least
            }
        }
        return sum
    }

    private func dearest(_ slot: Int, _ prices: [Double]) -> (UInt32, Double) {
        var best: (set: UInt32, worth: Double) = (0, -1)
        for set in loads.sets[slot] {
            var (worth, rest) = (0.0, set)
            while rest != 0 {
                worth += prices[rest.trailingZeroBitCount * loads.slots + slot]
                rest &= rest - 1
            }
            if worth > best.worth { best = (set, worth) }
        }
        return best
    }
}
