internal import EnergyModel
internal import Foundation
internal import Yams

/// A place in a document, which a refusal can name; there may be nothing.
struct DocumentNode: Sendable {
    /// For example `items[0].energyratestructure[2][0].rate`.
    let path: String
    /// `nil` when there is nothing.
    let value: DocumentValue?

    init(path: String, _ value: DocumentValue?) {
        self.path = path
        self.value = value
    }

    /// Reads a whole document: JSON if it begins like that, otherwise YAML.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` saying where it cannot be read.
    init(_ bytes: [UInt8]) throws(EnergyError) {
        guard bytes.count <= TariffFormat.bytesMax else {
            throw .invalidInput(
                RuleViolation(field: "document", rule: "must have at most 8 MiB", value: "\(bytes.count) bytes"))
        }
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        path = ""
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            do { value = try JSONDecoder().decode(DocumentValue.self, from: Data(bytes)) } catch {
                throw EnergyError(.invalidInput, "the document is no JSON: \(Self.reason(error))")
            }
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                // An empty file is nothing, which is not wrong in itself.
                guard let value = try Yams.compose(yaml: text).map({ DocumentValue($0) }) ?? .null else {
                    throw EnergyError(.invalidInput, "the document uses an alias, or is nested too deeply")
                }
                self.value = value
            } catch let error as EnergyError { throw error } catch {
                throw EnergyError(.invalidInput, "the document is neither JSON nor YAML")
            }
        }
    }

    var exists: Bool { value.map { $0 != .null } ?? false }

    /// A member of a map, or by its number an element of a list.
    subscript(_ name: String) -> DocumentNode {
        switch value {
        case .map(let members): DocumentNode(path: path.isEmpty ? name : "\(path).\(name)", members[name])
        case .list(let values):
            DocumentNode(
                path: "\(path)[\(name)]",
                Int(name).flatMap { values.indices.contains($0) ? values[$0] : nil })
        default: DocumentNode(path: path.isEmpty ? name : "\(path).\(name)", nil)
        }
    }

    /// The elements of a list.
    ///
    /// - Parameter count: how many there must be; `nil` any.
    func elements(
        _ rule: String = "must be a list", count: ClosedRange<Int> = 0...100_000
    ) throws(EnergyError) -> [DocumentNode] {
        guard case .list(let values) = value else { throw refusal(rule) }
        guard count.contains(values.count) else { throw refusal(rule, "\(values.count) elements") }
        return values.indices.map { DocumentNode(path: "\(path)[\($0)]", values[$0]) }
    }

    func number(_ rule: String = "must be a number") throws(EnergyError) -> Double {
        guard case .number(let number) = value, number.isFinite else { throw refusal(rule) }
        return number
    }

    /// A whole number within `range`.
    func whole(in range: ClosedRange<Int>) throws(EnergyError) -> Int {
        let rule = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = Int(exactly: try number(rule)), range.contains(number) else { throw refusal(rule) }
        return number
    }

    /// A number or, as some programs write it, one in quotes; rounded half away from zero to a millionth.
    func price() throws(EnergyError) -> Price { try Self.price(try decimal("must be a price per kWh"), at: self) }

    /// - Parameter amount: in currency units per kWh.
    static func price(_ amount: Double, at node: DocumentNode) throws(EnergyError) -> Price {
        guard abs(amount) <= 10_000, let micros = Int64(exactly: (amount * 1_000_000).rounded()) else {
            throw node.refusal("must be within 10,000 currency units per kWh")
        }
        return Price(microsPerKilowattHour: micros)
    }

    func decimal(_ rule: String) throws(EnergyError) -> Double {
        if case .text(let text) = value, let number = Double(text), number.isFinite { return number }
        return try number(rule)
    }

    func text(_ rule: String = "must be a text") throws(EnergyError) -> String {
        switch value {
        case .text(let text): return text
        // YAML reads the hours "5" and the day "1" as numbers.
        case .number(let number): return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        default: throw refusal(rule)
        }
    }

    /// `nil` when there is none.
    func textIfPresent() throws(EnergyError) -> String? { exists ? try text() : nil }

    func refusal(_ rule: String, _ found: String? = nil) -> EnergyError {
        .invalidInput(RuleViolation(field: path.isEmpty ? "document" : path, rule: rule, value: found ?? summary))
    }

    /// What is there, short.
    var summary: String {
        switch value {
        case nil: "absent"
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .text(let value):
            "\"\(value.unicodeScalars.prefix(60).filter { $0.value >= 32 }.map(String.init).joined())\""
        case .list(let values): "a list of \(values.count)"
        case .map(let members): "a map of \(members.keys.sorted().prefix(8).joined(separator: ", "))"
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return "it cannot be read" }
        let underlying = (context.underlyingError as? CocoaError)?.userInfo[NSDebugDescriptionErrorKey] as? String
        return underlying ?? context.debugDescription
    }
}
