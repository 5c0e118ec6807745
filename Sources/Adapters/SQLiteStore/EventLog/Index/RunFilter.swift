internal import Foundation

/// Says of most keys that are not in a run that they are not: a Bloom filter whose six bits of a key lie in one cache
/// line. About 1 of 80 absent keys passes.
struct RunFilter {
    private static let bitsPerKey = 10
    private static let wordsPerLine = 8

    private var words: [UInt64]

    init(keyCount: Int) {
        let lines = max(1, (keyCount * Self.bitsPerKey + 511) / 512)
        words = Array(repeating: 0, count: lines * Self.wordsPerLine)
    }

    /// - Returns: `nil` for bytes that are no filter.
    init?(_ bytes: Data) {
        guard bytes.count >= 64, bytes.count % 64 == 0 else { return nil }
        words = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }

    var byteCount: Int { words.count * 8 }

    var bytes: Data { words.withUnsafeBytes { Data($0) } }

    mutating func insert(_ key: IndexKey) {
        let line = line(of: key)
        var bits = key.low
        for _ in 0..<6 {
            words[line + Int(bits & 7)] |= 1 << ((bits >> 3) & 63)
            bits >>= 9
        }
    }

    func mayContain(_ key: IndexKey) -> Bool {
        let line = line(of: key)
        return words.withUnsafeBufferPointer { words in
            var bits = key.low
            for _ in 0..<6 {
                if words[line + Int(bits & 7)] & (1 << ((bits >> 3) & 63)) == 0 { return false }
                bits >>= 9
            }
            return true
        }
    }

    private func line(of key: IndexKey) -> Int {
        // The upper half of a product spreads evenly over any number of lines.
        let lines = UInt64(words.count / Self.wordsPerLine)
        return Int(key.high.multipliedFullWidth(by: lines).high) * Self.wordsPerLine
    }
}
