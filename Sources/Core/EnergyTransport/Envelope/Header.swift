/// What travels in front of every body. Absent fields are zero or empty.
///
/// - Source: `Header` in `proto/energy/v1/envelope.proto`, which says which kind uses which field.
package struct Header: Hashable, Sendable {
    package var kind: FrameKind
    package var attempt: UInt32 = 0
    package var credit: UInt32 = 0
    package var sequence: UInt32 = 0
    package var status: UInt32 = 0
    package var callID: UInt64 = 0
    package var method = ""
    package var timeoutMicroseconds: UInt64 = 0
    /// The fields that plain calls do not use: apart, because every frame is moved several times.
    private var rare: Box?

    package init(_ kind: FrameKind, callID: UInt64 = 0) {
        self.kind = kind
        self.callID = callID
    }
}

extension Header {
    private struct Rare: Hashable {
        var idempotencyKey: [UInt8] = []
        var traceID: [UInt8] = []
        var message = ""
        var retryAfterMilliseconds: UInt64 = 0
        var details: [UInt8] = []
        var publisher: [UInt8] = []
        var epoch: UInt64 = 0
        var topicSequence: UInt64 = 0
        var publishedUnixMs: Int64 = 0
        var asksAnother = false
    }

    /// Never changed while it is shared: see `setRare`.
    private final class Box: Hashable, @unchecked Sendable {
        var fields: Rare
        init(_ fields: Rare) { self.fields = fields }
        static func == (lhs: Box, rhs: Box) -> Bool { lhs.fields == rhs.fields }
        func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }

    /// What is absent needs no room.
    private mutating func setRare(isPresent: Bool, _ change: (inout Rare) -> Void) {
        guard isPresent || rare != nil else { return }
        if isKnownUniquelyReferenced(&rare) {
            if let rare { change(&rare.fields) }
        } else {
            let box = Box(rare?.fields ?? Rare())
            change(&box.fields)
            rare = box
        }
    }

    package var idempotencyKey: [UInt8] {
        get { rare?.fields.idempotencyKey ?? [] }
        set { setRare(isPresent: !newValue.isEmpty) { $0.idempotencyKey = newValue } }
    }
    package var traceID: [UInt8] {
        get { rare?.fields.traceID ?? [] }
        set { setRare(isPresent: !newValue.isEmpty) { $0.traceID = newValue } }
    }
    package var message: String {
        get { rare?.fields.message ?? "" }
        set { setRare(isPresent: !newValue.isEmpty) { $0.message = newValue } }
    }
    package var retryAfterMilliseconds: UInt64 {
        get { rare?.fields.retryAfterMilliseconds ?? 0 }
        set { setRare(isPresent: newValue != 0) { $0.retryAfterMilliseconds = newValue } }
    }
    package var details: [UInt8] {
        get { rare?.fields.details ?? [] }
        set { setRare(isPresent: !newValue.isEmpty) { $0.details = newValue } }
    }
    package var publisher: [UInt8] {
        get { rare?.fields.publisher ?? [] }
        set { setRare(isPresent: !newValue.isEmpty) { $0.publisher = newValue } }
    }
    package var epoch: UInt64 {
        get { rare?.fields.epoch ?? 0 }
        set { setRare(isPresent: newValue != 0) { $0.epoch = newValue } }
    }
    package var topicSequence: UInt64 {
        get { rare?.fields.topicSequence ?? 0 }
        set { setRare(isPresent: newValue != 0) { $0.topicSequence = newValue } }
    }
    package var publishedUnixMs: Int64 {
        get { rare?.fields.publishedUnixMs ?? 0 }
        set { setRare(isPresent: newValue != 0) { $0.publishedUnixMs = newValue } }
    }
    package var asksAnother: Bool {
        get { rare?.fields.asksAnother ?? false }
        set { setRare(isPresent: newValue) { $0.asksAnother = newValue } }
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
        sink.field(6, UInt64(attempt))
        sink.field(8, UInt64(credit))
        sink.field(9, UInt64(sequence))
        sink.field(10, UInt64(status))
        guard let rare = rare?.fields else { return }
        sink.field(5, rare.idempotencyKey)
        sink.field(7, rare.traceID)
        sink.field(11, rare.message)
        sink.field(12, rare.retryAfterMilliseconds)
        sink.field(13, rare.details)
        sink.field(14, rare.publisher)
        sink.field(15, rare.epoch)
        sink.field(16, rare.topicSequence)
        sink.field(17, UInt64(bitPattern: rare.publishedUnixMs))
        sink.field(18, rare.asksAnother ? 1 : 0)
    }

    var encodedByteCount: Int {
        var counter = ProtobufCounter()
        write(to: &counter)
        return counter.count
    }

    /// Reads what the fields say. When it throws, the fields before the fault have been read: the call id usually is
    /// among them, so that the sender can be told.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, likelyMethod: String = ""
    ) throws(ProtobufReader.Malformed) {
        var reader = ProtobufReader(bytes)
        while let (number, type) = try reader.nextField() {
            switch (number, type) {
            case (1, .varint): kind = FrameKind(rawValue: UInt32(clamping: try reader.varint())) ?? .unspecified
            case (2, .varint): callID = try reader.varint()
            case (3, .lengthDelimited):
                let name = try reader.lengthDelimited()
                method = isText(likelyMethod, name) ? likelyMethod : try text(name)
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
            case (18, .varint): asksAnother = try reader.varint() != 0
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

private func isText(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    text.utf8.count == bytes.count && (text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) } ?? false)
}

private func limited(
    _ bytes: UnsafeRawBufferPointer, to byteCountMax: Int
) throws(ProtobufReader.Malformed) -> [UInt8] {
    guard bytes.count <= byteCountMax else { throw ProtobufReader.Malformed() }
    return [UInt8](bytes)
}
