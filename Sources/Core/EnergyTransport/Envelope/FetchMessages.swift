/// Asks a publisher for what a subscriber missed.
///
/// - Source: `FetchRequest` in `proto/energy/v1/envelope.proto`.
package struct FetchRequest: Hashable, Sendable {
    package static let method = "energy.v1.Publications/Fetch"

    package var topic: String
    package var epoch: UInt64
    package var fromSequence: UInt64

    package init(topic: String, epoch: UInt64, fromSequence: UInt64) {
        self.topic = topic
        self.epoch = epoch
        self.fromSequence = fromSequence
    }

    package var encoded: [UInt8] {
        encodeMessage { sink in
            sink.field(1, topic)
            sink.field(2, epoch)
            sink.field(3, fromSequence)
        }
    }

    package init(decoding bytes: [UInt8]) throws(CallFailure) {
        self.init(topic: "", epoch: 0, fromSequence: 0)
        let isRead = isMessage(bytes) { (number, type, reader) throws(ProtobufReader.Malformed) in
            switch (number, type) {
            case (1, .lengthDelimited): topic = try text(try reader.lengthDelimited())
            case (2, .varint): epoch = try reader.varint()
            case (3, .varint): fromSequence = try reader.varint()
            default: try reader.skip(type)
            }
        }
        guard isRead else { throw CallFailure(.invalidArgument, "the body is not a FetchRequest") }
    }
}

/// A publication that its publisher still has.
package struct RetainedPublication: Hashable, Sendable {
    package var sequence: UInt64
    package var publishedUnixMs: Int64
    package var body: [UInt8]
    /// The rest of the body, where other publications share it; empty in one that was received.
    package var tail: [UInt8]

    package init(sequence: UInt64, publishedUnixMs: Int64, body: [UInt8], tail: [UInt8] = []) {
        self.sequence = sequence
        self.publishedUnixMs = publishedUnixMs
        self.body = body
        self.tail = tail
    }

    func write(to sink: inout some ProtobufSink) {
        sink.field(1, sequence)
        sink.field(2, UInt64(bitPattern: publishedUnixMs))
        sink.field(3, tail.isEmpty ? body : body + tail)
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(ProtobufReader.Malformed) {
        self.init(sequence: 0, publishedUnixMs: 0, body: [])
        var reader = ProtobufReader(bytes)
        while let (number, type) = try reader.nextField() {
            switch (number, type) {
            case (1, .varint): sequence = try reader.varint()
            case (2, .varint): publishedUnixMs = Int64(bitPattern: try reader.varint())
            case (3, .lengthDelimited): body = [UInt8](try reader.lengthDelimited())
            default: try reader.skip(type)
            }
        }
    }
}

/// What a publisher still has, in order, from the sequence asked for. As many as fit into one body: when the last of
/// them is older than `newestSequence`, ask again for the rest.
package struct FetchReply: Hashable, Sendable {
    package var publications: [RetainedPublication]
    package var newestSequence: UInt64

    package init(publications: [RetainedPublication], newestSequence: UInt64) {
        self.publications = publications
        self.newestSequence = newestSequence
    }

    package var encoded: [UInt8] {
        let parts = publications.map { publication in encodeMessage { publication.write(to: &$0) } }
        return encodeMessage { sink in
            for part in parts { sink.field(1, part) }
            sink.field(2, newestSequence)
        }
    }

    /// `nil` when the bytes are not a reply.
    package init?(decoding bytes: [UInt8]) {
        self.init(publications: [], newestSequence: 0)
        let isRead = isMessage(bytes) { (number, type, reader) throws(ProtobufReader.Malformed) in
            switch (number, type) {
            case (1, .lengthDelimited): publications.append(try RetainedPublication(try reader.lengthDelimited()))
            case (2, .varint): newestSequence = try reader.varint()
            default: try reader.skip(type)
            }
        }
        guard isRead else { return nil }
    }
}

/// Writes into an array that grows: for the rare messages.
struct ProtobufArray: ProtobufSink {
    private var bytes: [UInt8] = []
    var written: [UInt8] { bytes }
    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func bytes(_ value: UnsafeRawBufferPointer) { bytes.append(contentsOf: value) }
}

func encodeMessage(_ write: (inout ProtobufArray) -> Void) -> [UInt8] {
    var sink = ProtobufArray()
    write(&sink)
    return sink.written
}

/// Reads a message field by field.
///
/// - Returns: `false` when the bytes are none, as `read` or the reader finds.
func isMessage(
    _ bytes: [UInt8],
    _ read: (UInt64, ProtobufReader.WireType, inout ProtobufReader) throws(ProtobufReader.Malformed) -> Void
) -> Bool {
    bytes.withUnsafeBytes { bytes in
        do throws(ProtobufReader.Malformed) {
            var reader = ProtobufReader(bytes)
            while let (number, type) = try reader.nextField() { try read(number, type, &reader) }
            return true
        } catch { return false }
    }
}
