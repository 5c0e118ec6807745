/// The columns of a list's items, in the order in which a type declares them: found by decoding one from nothing, so that a
/// list without items has the same.
enum CSVColumns {
    static func of<Item: Decodable>(_ type: Item.Type) -> [String] {
        let columns = Columns()
        _ = try? Item(from: Nothing(name: "", columns: columns))
        return columns.names
    }
}

private final class Columns {
    var names: [String] = []
}

/// Has each value that is asked for, and notes its name.
private struct Nothing: Decoder, SingleValueDecodingContainer {
    let name: String
    let columns: Columns
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields(name: name, columns: columns))
    }

    /// A list is one cell.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        columns.names.append(name)
        return NoItems()
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = Self.values.lazy.compactMap({ $0 as? Value }).first else { return try Value(from: self) }
        columns.names.append(name)
        return value
    }

    /// One of each kind that JSON has; the text is one that also is an id.
    private static let values: [any Sendable] = [
        false, "00000000-0000-0000-0000-000000000000", 0, Int32(0), Int64(0), UInt32(0), UInt64(0), 0.0,
    ]
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let name: String
    let columns: Columns
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(key).decode(type)
    }

    func superDecoder() -> any Decoder { Nothing(name: name, columns: columns) }

    func superDecoder(forKey key: Key) -> any Decoder { value(key) }

    func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedDecodingContainer<Inner> {
        value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    private func value(_ key: Key) -> Nothing {
        let column = Words.snake(key.stringValue)
        return Nothing(name: name.isEmpty ? column : "\(name).\(column)", columns: columns)
    }
}

private struct NoItems: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw NoItem() }

    func superDecoder() throws -> any Decoder { throw NoItem() }

    func nestedContainer<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NoItem() }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoItem() }
}

private struct NoItem: Error {}
