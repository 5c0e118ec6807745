/// Protobuf by hand, for bytes that no encoder would make.
struct WireBytes: ExpressibleByArrayLiteral {
    private(set) var bytes: [UInt8] = []

    init(arrayLiteral parts: WireBytes...) { bytes = parts.flatMap(\.bytes) }
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func varint(_ field: UInt64, _ value: UInt64) -> WireBytes {
        WireBytes(varint(field << 3) + varint(value))
    }
    static func varint(_ field: UInt64, _ value: Int64) -> WireBytes { varint(field, UInt64(bitPattern: value)) }
    static func double(_ field: UInt64, _ value: Double) -> WireBytes {
        WireBytes(varint(field << 3 | 1) + withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init))
    }
    static func bytes(_ field: UInt64, _ value: [UInt8]) -> WireBytes {
        WireBytes(varint(field << 3 | 2) + varint(UInt64(value.count)) + value)
    }
    static func string(_ field: UInt64, _ value: String) -> WireBytes { bytes(field, Array(value.utf8)) }
    static func message(_ field: UInt64, _ value: WireBytes) -> WireBytes { bytes(field, value.bytes) }
    static func repeated(_ count: Int, _ value: WireBytes) -> WireBytes {
        WireBytes([[UInt8]](repeating: value.bytes, count: count).flatMap { $0 })
    }
    /// 16 bytes that are a UUID.
    static func uuid(_ field: UInt64) -> WireBytes { bytes(field, Array(1...16)) }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// The fields of a message, read without knowing its type.
struct WireFields {
    private var varints: [UInt64: [UInt64]] = [:]
    private var blobs: [UInt64: [[UInt8]]] = [:]

    /// - Returns: `nil` for bytes that are no message. Fixed-size fields are skipped.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func varint() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard let byte = rest.popFirst() else { return nil }
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }
        while !rest.isEmpty {
            guard let tag = varint() else { return nil }
            switch tag & 7 {
            case 0:
                guard let value = varint() else { return nil }
                varints[tag >> 3, default: []].append(value)
            case 1, 5:
                let size = tag & 7 == 1 ? 8 : 4
                guard rest.count >= size else { return nil }
                rest = rest.dropFirst(size)
            case 2:
                guard let size = varint(), size <= rest.count else { return nil }
                blobs[tag >> 3, default: []].append(Array(rest.prefix(Int(size))))
                rest = rest.dropFirst(Int(size))
            default: return nil
            }
        }
    }

    func messages(_ field: UInt64) -> [WireFields] { (blobs[field] ?? []).compactMap { WireFields($0) } }
    func string(_ field: UInt64) -> String { String(decoding: blobs[field]?.last ?? [], as: UTF8.self) }
    func number(_ field: UInt64) -> UInt64 { varints[field]?.last ?? 0 }
}
