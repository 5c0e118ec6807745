internal import ArgumentParser
internal import Foundation
internal import InsightFiles

/// Of commands that list things.
struct ListOptions: ParsableArguments {
    @Flag(name: .long, help: "Print comma-separated values: a row per item, the keys of --json as columns.")
    var csv = false
}

/// The items of a list as a table for spreadsheets. It has what `--json` has, so nothing is rounded: a value within a value
/// is a column named `outer.inner`, and a list is one cell. A list without items has its header.
enum ListCSV {
    static func text<Item: Codable>(_ items: [Item]) -> String {
        let rows = items.map { item -> [String: String] in
            let bytes = Data(JSONText.line(item).utf8)
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: bytes) else { return [:] }
            return Dictionary(value.cells(""), uniquingKeysWith: { first, _ in first })
        }
        let columns = CSVColumns.of(Item.self)
        return CSVText.byteOrderMark + CSVText.line(columns)
            + rows.map { row in CSVText.line(columns.map { row[$0] ?? "" }) }.joined()
    }
}

extension CommandOutput {
    func csv(_ items: [some Codable]) { bytes(Array(ListCSV.text(items).utf8)) }
}

private enum JSONValue: Decodable {
    case object([String: JSONValue])
    case list([JSONValue])
    case scalar(String)
    case text(String)
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let flag = try? container.decode(Bool.self) {
            self = .scalar("\(flag)")
        } else if let number = try? container.decode(Int64.self) {
            self = .scalar("\(number)")
        } else if let number = try? container.decode(Double.self) {
            self = .scalar("\(number)")
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func cells(_ name: String) -> [(String, String)] {
        switch self {
        case .object(let fields): fields.flatMap { $1.cells(name.isEmpty ? $0 : "\(name).\($0)") }
        case .list, .scalar: [(name, text)]
        case .text(let text): [(name, CSVText.name(text))]
        case .nothing: []
        }
    }

    /// In one cell.
    private var text: String {
        switch self {
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
        case .list(let items): CSVText.name(items.map(\.text).joined(separator: "; "))
        case .scalar(let text), .text(let text): text
        case .nothing: ""
        }
    }
}
