internal import Foundation

/// Random numbers and identifiers that depend on nothing but a seed and words: the same on every machine and run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter words: what the numbers are for, for example a device id and a day.
    init(seed: UInt64, _ words: String...) { state = Self.hash(seed, words) }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A UUID of version 8 (custom): sending the same thing again sends the same id, so it counts once.
    static func id(seed: UInt64, _ words: String...) -> UUID {
        let (high, low) = (hash(seed, words), hash(~seed, words))
        let bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x80, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// FNV-1a over the words, then mixed: Swift's own hash differs from run to run.
    private static func hash(_ seed: UInt64, _ words: [String]) -> UInt64 {
        var hash = mixed(seed ^ 0xCBF2_9CE4_8422_2325)
        for word in words {
            for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            // So that ("ab", "c") and ("a", "bc") differ.
            hash = mixed(hash)
        }
        return hash
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
