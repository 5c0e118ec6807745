/// An ISO 4217 code as a number: cheap to compare, to copy and to keep.
struct CurrencyCode: Hashable, Sendable {
    /// Five bits for a letter, A is 1; never 0.
    let bits: Int32

    /// - Returns: `nil` for anything but three capital letters.
    init?(_ name: String) {
        let letters = name.utf8
        guard letters.count == 3, letters.allSatisfy({ 65...90 ~= $0 }) else { return nil }
        bits = letters.reduce(0) { $0 << 5 | Int32($1 - 64) }
    }

    /// - Returns: `nil` for what no code has.
    init?(bits: Int32) {
        guard 1...26 ~= bits >> 10, 1...26 ~= bits >> 5 & 31, 1...26 ~= bits & 31 else { return nil }
        self.bits = bits
    }

    var name: String {
        String(unsafeUninitializedCapacity: 3) { letters in
            for place in 0..<3 { letters[place] = UInt8(truncatingIfNeeded: bits >> (10 - 5 * Int32(place)) & 31) + 64 }
            return 3
        }
    }
}
