internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire

/// How records stand in a file.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case ndjson
    case protobuf

    func encode(_ record: LogRecord) -> [UInt8] {
        switch self {
        case .ndjson: return Array((JSONText.line(LogRecordDocument(record)) + "\n").utf8)
        case .protobuf:
            let message = record.encoded()
            return Self.varint(message.count) + message
        }
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), UInt64(number))
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// So many bytes are enough to tell the formats apart.
    static let startByteCount = 6

    /// - Parameter start: of a file. After its length, a message begins with the tag of one of its first two fields, which
    ///   are control characters: no line of JSON has one there.
    init(startingWith start: ArraySlice<UInt8>) {
        let lengthByteCount = start.prefix { $0 & 0x80 != 0 }.count + 1
        let tag = start.dropFirst(lengthByteCount).first
        self = lengthByteCount <= 5 && (tag == 0x08 || tag == 0x10) ? .protobuf : .ndjson
    }
}
