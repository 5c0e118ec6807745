/// Divides a whole number into whole parts that sum to it.
public enum LargestRemainder {
    /// Each part is its exact share rounded down, or up by 1 for those that lose most by rounding down; of equals the
    /// earlier one.
    ///
    /// - Parameters:
    ///   - total: `>= 0`.
    ///   - weights: not empty, none negative; `total` times their sum fits in 127 bits. If all are 0, they count as equal.
    public static func split(_ total: Int64, by weights: [Int128]) -> [Int64] {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return split(total, by: weights.map { _ in 1 }) }
        var parts: [Int64] = []
        var remainders: [(index: Int, remainder: Int128)] = []
        parts.reserveCapacity(weights.count)
        remainders.reserveCapacity(weights.count)
        for (index, weight) in weights.enumerated() {
            let (quotient, remainder) = (Int128(total) * weight).quotientAndRemainder(dividingBy: sum)
            parts.append(Int64(quotient))
            remainders.append((index, remainder))
        }
        let missing = Int(total - parts.reduce(0, +))
        guard missing > 0 else { return parts }
        remainders.sort { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
        for (index, _) in remainders.prefix(missing) { parts[index] += 1 }
        return parts
    }
}
