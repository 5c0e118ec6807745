/// Divides a whole number into whole parts that sum to it.
public enum LargestRemainder {
    /// Each part is its exact share rounded down, or up by 1 for those that lose most by rounding down; of equals the
    /// earlier one.
    ///
    /// - Parameters:
    ///   - total: `>= 0`.
    ///   - weights: not empty; their sum fits in 128 bits. If all are 0, they count as equal.
    public static func split(_ total: Int64, by weights: [UInt128]) -> [Int64] {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return split(total, by: weights.map { _ in 1 }) }
        var parts: [Int64] = []
        var remainders: [(index: Int, remainder: UInt128)] = []
        parts.reserveCapacity(weights.count)
        remainders.reserveCapacity(weights.count)
        for (index, weight) in weights.enumerated() {
            let (quotient, remainder) = share(UInt128(total), weight, of: sum)
            parts.append(Int64(quotient))
            remainders.append((index, remainder))
        }
        let missing = Int(total - parts.reduce(0, +))
        guard missing > 0 else { return parts }
        remainders.sort { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
        for (index, _) in remainders.prefix(missing) { parts[index] += 1 }
        return parts
    }

    /// The same of two parts, which need no memory of their own.
    static func split(_ total: Int64, by first: UInt128, _ second: UInt128) -> (Int64, Int64) {
        guard first + second > 0 else { return split(total, by: 1, 1) }
        let (quotient, remainder) = share(UInt128(total), first, of: first + second)
        // The other part's remainder is what is left of the sum.
        let roundsUp = remainder != 0 && remainder >= first + second - remainder
        let part = Int64(quotient) + (roundsUp ? 1 : 0)
        return (part, total - part)
    }

    private static func share(
        _ total: UInt128, _ weight: UInt128, of sum: UInt128
    ) -> (quotient: UInt128, remainder: UInt128) {
        let (product, overflow) = total.multipliedReportingOverflow(by: weight)
        guard overflow else { return product.quotientAndRemainder(dividingBy: sum) }
        return sum.dividingFullWidth(total.multipliedFullWidth(by: weight))
    }
}
