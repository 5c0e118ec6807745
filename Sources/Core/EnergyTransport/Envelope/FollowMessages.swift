/// Asks for publications as a stream of replies: for who may not subscribe, or cannot.
///
/// - Source: `FollowRequest` in `proto/energy/v1/envelope.proto`.
package struct FollowRequest: Hashable, Sendable {
    package static let method = "energy.v1.Publications/Follow"

    package var prefix: String

    package init(prefix: String) { self.prefix = prefix }

    package var encoded: [UInt8] { encodeMessage { $0.field(1, prefix) } }

    package init(decoding bytes: [UInt8]) throws(CallFailure) {
        self.init(prefix: "")
        let isRead = isMessage(bytes) { (number, type, reader) throws(ProtobufReader.Malformed) in
            switch (number, type) {
            case (1, .lengthDelimited): prefix = try text(try reader.lengthDelimited())
            default: try reader.skip(type)
            }
        }
        guard isRead else { throw CallFailure(.invalidArgument, "the body is not a FollowRequest") }
    }
}

/// One message as a subscriber would have received it.
package struct FollowedPublication: Hashable, Sendable {
    package var topic: String
    /// A whole frame.
    package var frame: [UInt8]

    init(topic: String, frame: [UInt8]) {
        self.topic = topic
        self.frame = frame
    }

    var encoded: [UInt8] {
        encodeMessage { sink in
            sink.field(1, topic)
            sink.field(2, frame)
        }
    }

    /// `nil` when the bytes are not one.
    package init?(decoding bytes: [UInt8]) {
        self.init(topic: "", frame: [])
        let isRead = isMessage(bytes) { (number, type, reader) throws(ProtobufReader.Malformed) in
            switch (number, type) {
            case (1, .lengthDelimited): topic = try text(try reader.lengthDelimited())
            case (2, .lengthDelimited): frame = [UInt8](try reader.lengthDelimited())
            default: try reader.skip(type)
            }
        }
        guard isRead else { return nil }
    }
}
