internal import EnergyModel
internal import Foundation

/// Reads what services say in JSON.
enum SourceJSON {
    /// - Throws: ``EnergyError`` `.unavailable` for half a document, `.invalidInput` for one of another form.
    static func decode<Value: Decodable>(_ type: Value.Type, _ response: HTTPResponse) throws(EnergyError) -> Value {
        do { return try JSONDecoder().decode(type, from: Data(response.body)) } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: any Error) -> EnergyError {
        guard let error = error as? DecodingError else { return EnergyError(.unavailable, "the answer is not JSON") }
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return EnergyError(.unavailable, "the answer is not JSON, or only half of it")
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            return EnergyError(.invalidInput, "the answer has another form than documented, at \(path(context, nil))")
        case .keyNotFound(let key, let context):
            return EnergyError(.invalidInput, "the answer lacks \(path(context, key))")
        @unknown default: return EnergyError(.invalidInput, "the answer has another form than documented")
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)?) -> String {
        (context.codingPath + (key.map { [$0] } ?? [])).map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            .joined(separator: ".")
    }
}

extension Timestamp {
    /// - Parameter text: as ``TimeLabel`` reads it; without an offset it is in `timeZone`.
    /// - Throws: ``EnergyError`` `.invalidInput`.
    init(label text: String, in timeZone: TimeZone = .gmt) throws(EnergyError) {
        guard let instant = TimeLabel(text)?.instant(in: timeZone, after: nil) else {
            throw EnergyError(.invalidInput, "the time \"\(text.prefix(40))\" in the answer cannot be read")
        }
        self = instant
    }

    /// - Returns: `nil` when there is none, or it cannot be read: for what is good to know but not needed.
    init?(optionalLabel text: String?) {
        guard let text, let instant = TimeLabel(text)?.instant(in: .gmt, after: nil) else { return nil }
        self = instant
    }

    /// In UTC, `2021-07-01T00:00Z`.
    var minuteText: String { String(date.formatted(.iso8601).dropLast(4)) + "Z" }

    /// In UTC, `2021-07-01`.
    var dayText: String { String(date.formatted(.iso8601).prefix(10)) }

    /// In UTC, `2021-07-01T00:00:00Z`.
    var secondText: String { date.formatted(.iso8601) }
}
