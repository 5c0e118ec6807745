internal import EnergyModel
internal import Foundation

/// A UUID in lower case; read in any.
struct LogID: Codable, Hashable {
    let uuid: UUID

    init(_ uuid: UUID) { self.uuid = uuid }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let uuid = UUID(uuidString: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be a UUID")
        }
        self.uuid = uuid
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid.text)
    }
}

/// A time as ISO 8601, in UTC.
struct LogTime: Codable, Hashable {
    let timestamp: Timestamp

    init(_ timestamp: Timestamp) { self.timestamp = timestamp }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a time with its offset, such as 2026-11-21T07:05:09.120Z")
        }
        self.timestamp = timestamp
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(timestamp.iso8601(in: .gmt))
    }
}

extension LogTime? {
    /// - Parameter unixMs: how exports said it before they said ISO 8601.
    func timestamp(or unixMs: Int64?, _ field: String) throws(LogFault) -> Timestamp {
        if let self { return self.timestamp }
        guard let unixMs else { throw LogFault(field, "is missing") }
        return Timestamp(unixMilliseconds: unixMs)
    }
}

extension LogFault {
    /// What keeps a line of JSON from being a record.
    init(_ error: any Error, reading line: Data) {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            self.init(Self.path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context)?:
            self.init(Self.path(context.codingPath), "must not be null")
        case .typeMismatch(let type, let context)?:
            self.init(Self.path(context.codingPath), "must be \(Self.name(type))")
        case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
            self.init(Self.path(context.codingPath), Self.reason(context.debugDescription))
        // Where, the decoder does not say; nor that it could read all but a number.
        case _ where (try? JSONSerialization.jsonObject(with: line)) != nil:
            self.init("has a number that is out of range, or not whole")
        default: self.init("is no JSON")
        }
    }

    private static func reason(_ description: String) -> String {
        // Else it is the decoder's own.
        description.hasPrefix("must be ") ? description : "is out of range, or no whole number"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + Words.snake(key.stringValue)
            }
        }
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any ExpressibleByArrayLiteral.Type: "a list"
        default: "an object"
        }
    }
}
