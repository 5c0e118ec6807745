internal import EnergyModel
internal import Foundation

/// Values as JSON. Keys are the contract's field names (`proto/energy/v1`) in alphabetical order; energy stays whole
/// mWh, power mW and prices millionths, so that nothing is lost; times are ISO 8601 with the venue's offset.
enum JSONText {
    /// Over several lines, for one answer.
    static func document(_ value: some Encodable) -> String {
        encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// On one line, for a stream of them.
    static func line(_ value: some Encodable) -> String { encode(value, [.sortedKeys, .withoutEscapingSlashes]) }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // JSON has no infinity; a service may send one all the same.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let bytes = try? encoder.encode(value) else { return "null" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Timestamp {
    func iso8601(in zone: TimeZone) -> String { VenueTime(self, in: zone).iso8601 }
}

extension UUID {
    /// Lower case, as in topics.
    var text: String { uuidString.lowercased() }
}
