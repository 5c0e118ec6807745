import EnergyModel
import EnergyTestSupport
import Testing

struct LargestRemainderTests {
    @Test(
        arguments: [
            (10, [1, 1, 1], [4, 3, 3]),
            (10, [1, 1, 2], [3, 2, 5]),
            (5, [3, 3, 3, 1], [2, 2, 1, 0]),
            (0, [1, 2], [0, 0]),
            (7, [0, 0], [4, 3]),
            (1, [1, 8, 1], [0, 1, 0]),
        ] as [(Int64, [UInt128], [Int64])])
    func `those that lose most by rounding down get one more`(total: Int64, weights: [UInt128], parts: [Int64]) {
        #expect(LargestRemainder.split(total, by: weights) == parts)
    }

    @Test(arguments: UInt64(0)..<50)
    func `parts sum to the whole and are less than 1 from exact`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 0...1_000_000_000_000, using: &random)
        let weights = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in
            UInt128.random(in: 0...1_000_000_000, using: &random)
        }
        let parts = LargestRemainder.split(total, by: weights)
        #expect(parts.reduce(0, +) == total)
        let sum = Int128(weights.reduce(0, +))
        for (part, weight) in zip(parts, weights) where sum > 0 {
            #expect(abs(Int128(part) * sum - Int128(total) * Int128(weight)) < sum)
        }
        // As large as they may be, weights say the same.
        #expect(LargestRemainder.split(total, by: weights.map { $0 << 86 }) == parts)
    }
}
