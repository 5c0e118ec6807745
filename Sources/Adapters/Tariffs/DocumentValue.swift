internal import Foundation
internal import Yams

/// A piece of a JSON or YAML document.
enum DocumentValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([DocumentValue])
    case map([String: DocumentValue])

    /// Deeper documents are refused.
    static let depthMax = 32
}

extension DocumentValue: Decodable {
    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.depthMax else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "it is nested too deeply"))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let list = try? decoder.unkeyedContainer() {
            var (values, rest): ([DocumentValue], any UnkeyedDecodingContainer) = ([], list)
            while !rest.isAtEnd { values.append(try rest.decode(DocumentValue.self)) }
            self = .list(values)
        } else {
            self = .map(try container.decode([String: DocumentValue].self))
        }
    }
}

extension DocumentValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        // Whole numbers without a point: URDB's schedules are indices.
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .map(let members): try container.encode(members)
        }
    }

    /// Members in alphabetical order, over several lines.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Every number that is written here came from whole micros, so nothing can fail.
        return (try? encoder.encode(self)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }
}

extension DocumentValue {
    /// - Returns: `nil` for an alias: nothing here needs them, and they let a small file grow without limit.
    init?(_ node: Node, depth: Int = 0) {
        guard depth <= Self.depthMax else { return nil }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain
            if isPlain, ["", "~", "null"].contains(scalar.string) {
                self = .null
            } else if isPlain, let number = Double(scalar.string), number.isFinite {
                self = .number(number)
            } else if isPlain, let value = ["true": true, "false": false][scalar.string] {
                self = .bool(value)
            } else {
                self = .text(scalar.string)
            }
        case .sequence(let sequence):
            var values: [DocumentValue] = []
            for element in sequence {
                guard let value = DocumentValue(element, depth: depth + 1) else { return nil }
                values.append(value)
            }
            self = .list(values)
        case .mapping(let mapping):
            var members: [String: DocumentValue] = [:]
            for (key, element) in mapping {
                guard let name = key.scalar?.string, let value = DocumentValue(element, depth: depth + 1) else {
                    return nil
                }
                members[name] = value
            }
            self = .map(members)
        case .alias: return nil
        }
    }
}
