/// Reads the fields of one flat protobuf message, never outside its bytes.
///
/// The bytes are lent: neither the reader nor what it returns may outlive the closure they were lent to.
///
/// - Source: https://protobuf.dev/programming-guides/encoding/
struct ProtobufReader {
    enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
        case fixed32 = 5
    }

    /// The bytes are not a protobuf message.
    struct Malformed: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next field's number and type, `nil` at the end.
    mutating func nextField() throws(Malformed) -> (number: UInt64, type: WireType)? {
        guard position < bytes.count else { return nil }
        let key = try varint()
        // Groups (3 and 4) are not used by proto3.
        guard let type = WireType(rawValue: key & 7), key >> 3 != 0 else { throw Malformed() }
        return (key >> 3, type)
    }

    mutating func varint() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw Malformed()
    }

    mutating func lengthDelimited() throws(Malformed) -> UnsafeRawBufferPointer {
        let length = try varint()
        guard length <= UInt64(bytes.count - position) else { throw Malformed() }
        defer { position += Int(length) }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)])
    }

    mutating func skip(_ type: WireType) throws(Malformed) {
        switch type {
        case .varint: _ = try varint()
        case .lengthDelimited: _ = try lengthDelimited()
        case .fixed64: try skip(byteCount: 8)
        case .fixed32: try skip(byteCount: 4)
        }
    }

    private mutating func skip(byteCount: Int) throws(Malformed) {
        guard bytes.count - position >= byteCount else { throw Malformed() }
        position += byteCount
    }
}
