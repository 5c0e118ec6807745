internal import EnergyModel
internal import Foundation

/// Reads carbon signals from JSON: a list of `{"start", "end" or "duration", "value"}`, or of the carbon-aware-sdk's
/// `{"Location", "Time", "Rating", "Duration"}`, bare or as the member `values` or `Emissions` of an object.
///
/// A duration is a number of seconds, `HH:MM:SS`, or ISO 8601 like `PT30M`.
enum JSONSignals {
    static func read(
        _ bytes: Data, file: String, format: FileFormat, region: String
    ) throws(EnergyError) -> [SignalPoint] {
        var rows = SignalRows(file: file, format: format)
        let list: [Row]
        do { list = try JSONDecoder().decode(File.self, from: bytes).rows } catch {
            throw rows.failure(Self.place(of: error), "cannot be read: \(Self.reason(error))")
        }
        for (index, row) in list.enumerated() {
            let place = "row \(index + 1)"
            if let location = row.location, location.lowercased() != region.lowercased() { continue }
            guard let start = row.start else { throw rows.failure(place, "needs \"start\" or \"Time\"") }
            guard row.namesValue else {
                throw rows.failure(place, "needs \"value\" or \"Rating\", a number, or null where it is not known")
            }
            guard let value = row.value else { continue }
            var milliseconds: Int64?
            if let duration = row.duration {
                guard let parsed = duration.milliseconds else {
                    throw rows.failure(place, "the duration must be seconds, HH:MM:SS, or like PT30M")
                }
                milliseconds = parsed
            }
            try rows.append(place: place, label: start, end: row.end, milliseconds: milliseconds, value: value)
        }
        return rows.points
    }

    private static func place(of error: any Error) -> String {
        let path: [any CodingKey] =
            switch error as? DecodingError {
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
                context.codingPath
            case .keyNotFound(_, let context)?: context.codingPath
            default: []
            }
        return path.compactMap(\.intValue).first.map { "row \($0 + 1)" } ?? "the whole"
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?,
            .keyNotFound(_, let context)?:
            context.debugDescription
        default: "it must be a list of {\"start\", \"end\" or \"duration\", \"value\"}"
        }
    }

    private struct File: Decodable {
        let rows: [Row]
        private enum Key: String, CodingKey {
            case values, emissions
            case sdkEmissions = "Emissions"
        }

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: Key.self) {
                let key = try [Key.values, .sdkEmissions, .emissions].first(where: object.contains).orThrow(
                    DecodingError.dataCorruptedError(
                        forKey: Key.values, in: object,
                        debugDescription: "an object needs the member \"values\" or \"Emissions\""))
                rows = try object.decode([Row].self, forKey: key)
            } else {
                rows = try decoder.singleValueContainer().decode([Row].self)
            }
        }
    }

    private struct Row: Decodable {
        let location, start, end: String?
        let value: Double?
        /// `null` is a gap; a row without the member is a mistake.
        let namesValue: Bool
        let duration: Duration?
        private enum Key: String, CodingKey {
            case start, end, duration, value, location, time, rating
            case sdkLocation = "Location"
            case sdkTime = "Time"
            case sdkRating = "Rating"
            case sdkDuration = "Duration"
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            func first<Value: Decodable>(_ keys: Key...) throws -> Value? {
                for key in keys { if let value = try object.decodeIfPresent(Value.self, forKey: key) { return value } }
                return nil
            }
            location = try first(.sdkLocation, .location)
            start = try first(.start, .sdkTime, .time)
            end = try first(.end)
            value = try first(.value, .sdkRating, .rating)
            namesValue = [Key.value, .sdkRating, .rating].contains(where: object.contains)
            duration = try first(.duration, .sdkDuration)
        }
    }

    private struct Duration: Decodable {
        /// `nil` when it makes no sense.
        let milliseconds: Int64?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let seconds =
                if let number = try? container.decode(Double.self) { Optional(number) } else {
                    Self.seconds(try container.decode(String.self))
                }
            milliseconds = seconds.flatMap { 0...86_400 ~= $0 ? Int64($0 * 1000) : nil }
        }

        private static func seconds(_ text: String) -> Double? {
            if let match = text.wholeMatch(of: /(\d{1,2}):(\d{2}):(\d{2})/) {
                return [match.1, match.2, match.3].compactMap { Double($0) }.reduce(0) { $0 * 60 + $1 }
            }
            guard let match = text.wholeMatch(of: /PT(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?/) else { return nil }
            return [match.1, match.2, match.3].map { $0.flatMap { Double($0) } ?? 0 }.reduce(0) { $0 * 60 + $1 }
        }
    }
}

extension Optional {
    fileprivate func orThrow(_ error: @autoclosure () -> any Error) throws -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}
