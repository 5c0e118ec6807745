import CBCSolver
import EnergyModel
import EnergyPlanning

/// Days that are the same at every run.
enum Days {
    /// 2026-03-02T00:00+01:00
    static let start = Timestamp(unixMilliseconds: 1_772_406_000_000)
    static let quarter: Int64 = 900_000

    static func interval(_ slot: Int) -> Interval {
        Interval(start: start.advanced(byMilliseconds: Int64(slot) * quarter), milliseconds: quarter)
    }

    static func time(_ slot: Int) -> Timestamp { start.advanced(byMilliseconds: Int64(slot) * quarter) }

    /// 96 quarter hours: two cheap and two dear times, and noise.
    static func slots(_ random: inout Random, base: Bool = false) -> [PlanSlot] {
        (0..<96).map { slot in
            let wave = [0.0, 0.06, 0.1, 0.12, 0.1, 0.06, 0, -0.06, -0.1, -0.12, -0.1, -0.06][slot % 48 / 4]
            let load = base ? 0.3 + 1.5 * random.next() : 0
            return PlanSlot(
                interval: interval(slot), importPrice: 0.25 + wave + 0.05 * random.next(),
                baseLoad: [load / 3, load / 3, load / 3])
        }
    }

    static let planner = HomePlanner(solver: CBCSolver())
}

/// SplitMix64, as numbers in `0..<1`.
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func next() -> Double { Double(bits() >> 11) / 9_007_199_254_740_992 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(bits() % UInt64(values.count))] }

    mutating func whole(_ range: ClosedRange<Int>) -> Int { pick(Array(range)) }
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .milliseconds(1)
}
