/// Takes numbers and pieces from the fuzzer's bytes; zeros once they are used up.
struct ByteSource {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        guard let first = rest.first else { return 0 }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        return first
    }

    mutating func uint16() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func int64() -> Int64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
        return Int64(bitPattern: value)
    }

    /// At most as many as are left.
    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
        defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    /// A number in a range: mostly of the middle, now and then of its ends and beyond.
    mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        switch byte() {
        case 0: return int64()
        case 1: return range.lowerBound
        case 2: return range.upperBound
        case 3: return range.upperBound &+ 1
        case 4: return range.lowerBound &- 1
        default:
            let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
            let offset = UInt64(bitPattern: int64())
            return range.lowerBound &+ Int64(bitPattern: width == .max ? offset : offset % (width + 1))
        }
    }
}
