/// The CRC-32 of zip and Ethernet (reflected, polynomial 0xEDB88320), eight bytes at a step.
public struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    public init() {}

    public var value: UInt32 { state ^ 0xFFFF_FFFF }

    /// Adds the number as eight little-endian bytes.
    public mutating func update(_ number: UInt64) {
        Self.tables.withUnsafeBufferPointer { state = Self.step(state, number, $0) }
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var (crc, offset) = (state, 0)
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                crc = Self.step(crc, word, tables)
                offset += 8
            }
            while offset < bytes.count {
                crc = tables[Int((crc ^ UInt32(bytes[offset])) & 0xFF)] ^ (crc >> 8)
                offset += 1
            }
            state = crc
        }
    }

    /// Four bytes that, added next, make the value `target`: any message can be given any CRC.
    public func completion(to target: UInt32) -> [UInt8] {
        // The way back: the last table entry that went in is known by its upper byte, which no other entry has.
        var state = target ^ 0xFFFF_FFFF
        for _ in 0..<4 {
            let index = (0..<256).first { Self.tables[$0] >> 24 == state >> 24 } ?? 0
            state = (state ^ Self.tables[index]) << 8 | UInt32(index)
        }
        let bytes = state ^ self.state
        return (0..<4).map { UInt8(truncatingIfNeeded: bytes >> ($0 * 8)) }
    }

    private static func step(_ crc: UInt32, _ word: UInt64, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let mixed = word ^ UInt64(crc)
        var next: UInt32 = 0
        // The first byte has the longest way to go: through the last table.
        for byte in 0..<8 {
            next ^= tables[(7 - byte) * 256 + Int((mixed >> UInt64(byte * 8)) & 0xFF)]
        }
        return next
    }

    /// Eight tables of 256: table n holds the CRC of a byte with n zero bytes behind it.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let previous = tables[index - 256]
            tables[index] = tables[Int(previous & 0xFF)] ^ (previous >> 8)
        }
        return tables
    }()
}
