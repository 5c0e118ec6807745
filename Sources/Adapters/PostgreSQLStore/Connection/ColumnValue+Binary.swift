internal import Foundation
internal import SQLColumns

/// PostgreSQL's binary formats, by the ids of its types (src/include/catalog/pg_type.dat).
enum PostgreSQLType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let float8: UInt32 = 701
    static let uuid: UInt32 = 2950
    static let void: UInt32 = 2278
    /// Names, identifiers of other kinds, JSON: their binary format is their text.
    static let texts: Set<UInt32> = [text, 18, 19, 114, 705, 1042, 1043]
    /// The type of the elements by the type of the array.
    static let elements: [UInt32: UInt32] = [
        1000: bool, 1001: bytea, 1005: int2, 1007: int4, 1009: text, 1016: int8, 1022: float8, 2951: uuid,
    ]
}

extension ColumnValue {
    /// - Returns: `nil` for bytes that are not of the type, and for a type that no table of ours has.
    init?(_ bytes: UnsafeRawBufferPointer, type: UInt32) {
        switch (type, bytes.count) {
        case (PostgreSQLType.bool, 1): self = .integer(bytes[0] == 0 ? 0 : 1)
        case (PostgreSQLType.int2, 2): self = .integer(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case (PostgreSQLType.int4, 4): self = .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case (PostgreSQLType.int8, 8): self = .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case (PostgreSQLType.float8, 8):
            self = .real(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case (PostgreSQLType.uuid, 16): self = .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case (PostgreSQLType.bytea, _): self = .bytes(Data(bytes))
        case (PostgreSQLType.void, _): self = .null
        case (let type, _) where PostgreSQLType.texts.contains(type):
            self = .text(String(decoding: bytes, as: UTF8.self))
        default: return nil
        }
    }

    /// Appends the value as the server expects it.
    ///
    /// - Returns: false for a value that the type does not hold.
    func append(to buffer: inout [UInt8], type: UInt32) -> Bool {
        switch (self, type) {
        case (.integer(let number), PostgreSQLType.int8): buffer.append(bigEndian: number)
        case (.integer(let number), PostgreSQLType.int4):
            guard let number = Int32(exactly: number) else { return false }
            buffer.append(bigEndian: number)
        case (.integer(let number), PostgreSQLType.int2):
            guard let number = Int16(exactly: number) else { return false }
            buffer.append(bigEndian: number)
        case (.integer(let number), PostgreSQLType.bool) where 0...1 ~= number: buffer.append(UInt8(number))
        case (.integer(let number), PostgreSQLType.float8): buffer.append(bigEndian: Double(number).bitPattern)
        case (.real(let number), PostgreSQLType.float8): buffer.append(bigEndian: number.bitPattern)
        case (.text(let text), let type) where PostgreSQLType.texts.contains(type): buffer.append(contentsOf: text.utf8)
        case (.bytes(let data), PostgreSQLType.bytea): buffer.append(contentsOf: data)
        case (.uuid(let id), PostgreSQLType.uuid), (.uuid(let id), PostgreSQLType.bytea):
            withUnsafeBytes(of: id.uuid) { buffer.append(contentsOf: $0) }
        default: return false
        }
        return true
    }
}

extension PostgreSQLValue {
    /// As ``SQLColumns/ColumnValue/append(to:type:)``.
    func append(to buffer: inout [UInt8], type: UInt32) -> Bool {
        switch self {
        case .one(let value): return value.append(to: &buffer, type: type)
        case .array(let values):
            guard let element = PostgreSQLType.elements[type] else { return false }
            // One dimension, whether there are NULLs, the elements' type; how many, numbered from 1; then each by length.
            buffer.append(bigEndian: Int32(1))
            buffer.append(bigEndian: Int32(values.contains(.null) ? 1 : 0))
            buffer.append(bigEndian: element)
            buffer.append(bigEndian: Int32(truncatingIfNeeded: values.count))
            buffer.append(bigEndian: Int32(1))
            for value in values {
                let start = buffer.count
                buffer.append(bigEndian: Int32(-1))
                guard value != .null else { continue }
                guard value.append(to: &buffer, type: element) else { return false }
                let length = Int32(truncatingIfNeeded: buffer.count - start - 4)
                withUnsafeBytes(of: length.bigEndian) { buffer.replaceSubrange(start..<start + 4, with: $0) }
            }
            return true
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
