/// What travels in front of every body. Absent fields are zero or empty.
///
/// - Source: `Header` in `proto/energy/v1/envelope.proto`, which says which kind uses which field.
package struct Header: Hashable, Sendable {
    package var kind: FrameKind
    package var callID: UInt64 = 0
    package var method = ""
    package var timeoutMicroseconds: UInt64 = 0
    package var idempotencyKey: [UInt8] = []
    package var attempt: UInt32 = 0
    package var traceID: [UInt8] = []
    package var credit: UInt32 = 0
    package var sequence: UInt32 = 0
    package var status: UInt32 = 0
    package var message = ""
    package var retryAfterMilliseconds: UInt64 = 0
    package var details: [UInt8] = []
    package var publisher: [UInt8] = []
    package var epoch: UInt64 = 0
    package var topicSequence: UInt64 = 0
    package var publishedUnixMs: Int64 = 0

    package init(_ kind: FrameKind, callID: UInt64 = 0) {
        self.kind = kind
        self.callID = callID
    }
}

extension Header {
    /// Longer headers are refused before they are read.
    package static let byteCountMax = 8 * 1024
    static let methodByteCountMax = 200
    static let messageByteCountMax = 1024
    /// What the other fields leave free.
    static let detailsByteCountMax = 6 * 1024
    static let idempotencyKeyByteCountMax = 32
    static let traceIDByteCount = 16

    func write(to sink: inout some ProtobufSink) {
        sink.field(1, UInt64(kind.rawValue))
        sink.field(2, callID)
        sink.field(3, method)
        sink.field(4, timeoutMicroseconds)
        sink.field(5, idempotencyKey)
        sink.field(6, UInt64(attempt))
        sink.field(7, traceID)
        sink.field(8, UInt64(credit))
        sink.field(9, UInt64(sequence))
        sink.field(10, UInt64(status))
        sink.field(11, message)
        sink.field(12, retryAfterMilliseconds)
        sink.field(13, details)
        sink.field(14, publisher)
        sink.field(15, epoch)
        sink.field(16, topicSequence)
        sink.field(17, UInt64(bitPattern: publishedUnixMs))
    }

    var encodedByteCount: Int {
        var counter = ProtobufCounter()
        write(to: &counter)
        return counter.count
    }

    /// Reads what the fields say. When it throws, the fields before the fault have been read: the call id usually is
    /// among them, so that the sender can be told.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ProtobufReader.Malformed) {
        var reader = ProtobufReader(bytes)
        while let (number, type) = try reader.nextField() {
            switch (number, type) {
            case (1, .varint): kind = FrameKind(rawValue: UInt32(clamping: try reader.varint())) ?? .unspecified
            case (2, .varint): callID = try reader.varint()
            case (3, .lengthDelimited): method = try text(try reader.lengthDelimited())
            case (4, .varint): timeoutMicroseconds = try reader.varint()
            case (5, .lengthDelimited):
                idempotencyKey = try limited(try reader.lengthDelimited(), to: Self.idempotencyKeyByteCountMax)
            case (6, .varint): attempt = UInt32(truncatingIfNeeded: try reader.varint())
            case (7, .lengthDelimited): traceID = try limited(try reader.lengthDelimited(), to: Self.traceIDByteCount)
            case (8, .varint): credit = UInt32(truncatingIfNeeded: try reader.varint())
            case (9, .varint): sequence = UInt32(truncatingIfNeeded: try reader.varint())
            case (10, .varint): status = UInt32(clamping: try reader.varint())
            case (11, .lengthDelimited): message = try text(try reader.lengthDelimited())
            case (12, .varint): retryAfterMilliseconds = try reader.varint()
            case (13, .lengthDelimited): details = [UInt8](try reader.lengthDelimited())
            case (14, .lengthDelimited): publisher = try limited(try reader.lengthDelimited(), to: 16)
            case (15, .varint): epoch = try reader.varint()
            case (16, .varint): topicSequence = try reader.varint()
            case (17, .varint): publishedUnixMs = Int64(bitPattern: try reader.varint())
            default: try reader.skip(type)
            }
        }
    }
}

/// protobuf-c accepts what is not UTF-8; we do not.
func text(_ bytes: UnsafeRawBufferPointer) throws(ProtobufReader.Malformed) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ProtobufReader.Malformed() }
    return text
}

private func limited(
    _ bytes: UnsafeRawBufferPointer, to byteCountMax: Int
) throws(ProtobufReader.Malformed) -> [UInt8] {
    guard bytes.count <= byteCountMax else { throw ProtobufReader.Malformed() }
    return [UInt8](bytes)
}
