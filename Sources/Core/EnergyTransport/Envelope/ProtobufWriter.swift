/// Where the fields of a protobuf message go: once to be counted, once to be written.
protocol ProtobufSink {
    mutating func byte(_ value: UInt8)
    mutating func bytes(_ value: UnsafeRawBufferPointer)
}

extension ProtobufSink {
    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(rest))
    }

    /// Left out when zero, as proto3 does.
    mutating func field(_ number: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        varint(number << 3)
        varint(value)
    }

    /// Left out when empty.
    mutating func field(_ number: UInt64, _ value: [UInt8]) {
        guard !value.isEmpty else { return }
        value.withUnsafeBytes { lengthDelimited(number, $0) }
    }

    /// Left out when empty.
    mutating func field(_ number: UInt64, _ value: String) {
        guard !value.isEmpty else { return }
        var value = value
        value.withUTF8 { lengthDelimited(number, UnsafeRawBufferPointer($0)) }
    }

    private mutating func lengthDelimited(_ number: UInt64, _ value: UnsafeRawBufferPointer) {
        varint(number << 3 | 2)
        varint(UInt64(value.count))
        bytes(value)
    }
}

/// Counts what would be written.
struct ProtobufCounter: ProtobufSink {
    private(set) var count = 0
    mutating func byte(_ value: UInt8) { count += 1 }
    mutating func bytes(_ value: UnsafeRawBufferPointer) { count += value.count }
}

/// Writes into memory that was sized with ``ProtobufCounter``.
struct ProtobufWriter: ProtobufSink {
    private let target: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ target: UnsafeMutableRawBufferPointer) { self.target = target }

    mutating func byte(_ value: UInt8) {
        target[count] = value
        count += 1
    }

    mutating func bytes(_ value: UnsafeRawBufferPointer) {
        precondition(value.count <= target.count - count, "the sink is smaller than its message")
        UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: value)
        count += value.count
    }
}
