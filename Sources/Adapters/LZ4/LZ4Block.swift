internal import CLZ4

/// The block format of LZ4: made for speed, several hundred megabytes a second. A block does not say how many bytes it
/// was made of.
///
/// - Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
public enum LZ4Block {
    /// - Returns: `nil` when the block would not be smaller than `bytes`.
    public static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 1, bytes.count <= Int(LZ4_MAX_INPUT_SIZE) else { return nil }
        let block = filled(countMax: bytes.count - 1) { target in
            bytes.withUnsafeBytes { source in
                LZ4_compress_default(
                    source.assumingMemoryBound(to: CChar.self).baseAddress, target.baseAddress, Int32(source.count),
                    Int32(target.count))
            }
        }
        return block.isEmpty ? nil : block
    }

    /// - Parameter count: of the bytes that the block was made of, 1 or more.
    /// - Returns: `nil` when `block` is damaged, or was made of another number of bytes. Nothing is read or written
    ///   out of bounds.
    public static func decompressed(_ block: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
        // A byte of a block stands for 255 at most: a wrong count takes no memory.
        guard block.count <= Int(LZ4_MAX_INPUT_SIZE), 1...max(1, block.count * 255) ~= count, count <= Int(Int32.max)
        else {
            return nil
        }
        let bytes = filled(countMax: count) { target in
            LZ4_decompress_safe(
                block.assumingMemoryBound(to: CChar.self).baseAddress, target.baseAddress, Int32(block.count),
                Int32(target.count))
        }
        return bytes.count == count ? bytes : nil
    }

    /// - Parameter fill: says how many bytes it has written; 0 or less when it could not.
    private static func filled(
        countMax: Int, _ fill: (UnsafeMutableBufferPointer<CChar>) -> Int32
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: countMax) { buffer, count in
            count = max(0, Int(UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: CChar.self, fill)))
        }
    }
}
