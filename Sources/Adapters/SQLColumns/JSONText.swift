internal import EnergyModel
internal import Foundation

/// A value that is read and written as a whole, as the JSON text of one column.
enum JSONText {
    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for text that no version of this program writes.
    static func decode<Value: Decodable>(_ column: String, of row: some ColumnRow) throws(EnergyError) -> Value {
        let text: String = try row[column]
        do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch { throw .damaged(column) }
    }
}
