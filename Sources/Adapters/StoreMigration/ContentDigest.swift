internal import Foundation
internal import SQLColumns

/// A number over the rows of a file, table by table in the order of their keys: the same until something is written.
///
/// The same on every machine and in every version, for it is stored. It finds mistakes, not forgeries.
struct ContentDigest {
    private var value: UInt64 = 0x6A09_E667_F3BC_C908

    /// As a table holds it.
    var column: Int64 { Int64(bitPattern: value) }

    /// What follows is of this table.
    mutating func begin(_ table: StoredTable) { mix(Array(table.name.utf8)) }

    mutating func add(_ rows: [StoredRow]) {
        for row in rows { for value in row { add(value) } }
    }

    /// With its kind and its length, so that no two contents feed the same words.
    private mutating func add(_ value: ColumnValue) {
        switch value {
        case .null: mix(0)
        case .integer(let number):
            mix(1)
            mix(UInt64(bitPattern: number))
        case .real(let number):
            mix(2)
            mix(number.bitPattern)
        case .text(let text):
            mix(3)
            mix(Array(text.utf8))
        case .bytes(let data):
            mix(4)
            mix(Array(data))
        case .uuid(let id):
            let bytes: [UInt8] = withUnsafeBytes(of: id.uuid) { Array($0) }
            mix(5)
            mix(bytes)
        }
    }

    private mutating func mix(_ bytes: [UInt8]) {
        mix(UInt64(bytes.count))
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            for byte in bytes[offset...] { mix(UInt64(byte)) }
        }
    }

    private mutating func mix(_ word: UInt64) {
        let mixed = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value = mixed ^ (mixed >> 32)
    }
}
