public import EnergyModel
internal import Foundation

/// An event of OpenADR 3: a list of intervals, each with payloads by type.
///
/// `PRICE` and `EXPORT_PRICE` become prices, `GHG` carbon intensity; `SIMPLE` levels and other types are handed on as
/// they are, for whoever plans demand response.
///
/// - Source: OpenADR 3.0 specification, grid-coordination/openadr3-specification; signals.md 3.
public struct OpenADREvent: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let interval: Interval
        /// For example `PRICE`.
        public let type: String
        public let value: Double
    }

    public static let bytesMax = 512 * 1024
    public static let intervalsMax = 5_000

    private static let signalTypes = ["PRICE", "EXPORT_PRICE", "GHG"]

    /// 0 is the highest; `nil` if the event does not say.
    public let priority: Int?
    /// In the order of the event. Of types other than those of signals only numbers.
    public let entries: [Entry]
    /// When the event was made or changed, if it says so.
    public let issued: Timestamp?
    private let descriptors: [String: Descriptor]

    private struct Descriptor: Hashable {
        let units: String?
        let currency: String?
    }

    /// - Throws: ``EnergyError`` `.invalidInput`, naming the place, for what is no event, has no start or duration, a price
    ///   or carbon intensity that is no number, or too much in it.
    public init(_ bytes: [UInt8]) throws(EnergyError) {
        guard bytes.count <= Self.bytesMax else {
            throw EnergyError(.invalidInput, "an OpenADR event has at most \(Self.bytesMax) bytes, not \(bytes.count)")
        }
        let event: Document
        do { event = try JSONDecoder().decode(Document.self, from: Data(bytes)) } catch {
            throw EnergyError(.invalidInput, "is no OpenADR 3 event: \(Self.reason(error))")
        }
        guard event.intervals.count <= Self.intervalsMax else {
            throw EnergyError(
                .invalidInput,
                "an OpenADR event has at most \(Self.intervalsMax) intervals, not \(event.intervals.count)")
        }
        priority = event.priority
        issued = Timestamp(optionalLabel: event.modified ?? event.created)
        descriptors = Dictionary(
            (event.descriptors ?? []).map { ($0.payloadType, Descriptor(units: $0.units, currency: $0.currency)) },
            uniquingKeysWith: { $1 })
        entries = try Self.entries(event)
    }

    /// Intervals without a start of their own follow each other.
    private static func entries(_ event: Document) throws(EnergyError) -> [Entry] {
        var entries: [Entry] = []
        var next: Timestamp?
        if let text = event.period?.start { next = try start(text, "intervalPeriod") }
        for (index, interval) in event.intervals.enumerated() {
            let place = "intervals[\(index)]"
            if let text = interval.period?.start { next = try Self.start(text, place) }
            guard let start = next, let duration = interval.period?.duration ?? event.period?.duration else {
                throw EnergyError(.invalidInput, "\(place) has no start, or no duration, nor has the event")
            }
            guard let milliseconds = Self.milliseconds(duration), milliseconds > 0 else {
                throw EnergyError(
                    .invalidInput, "\(place): the duration \"\(duration.prefix(20))\" must be like PT1H, up to a year")
            }
            let span = Interval(start: start, milliseconds: milliseconds)
            next = span.end
            for payload in interval.payloads {
                guard let value = payload.values.first?.number else {
                    // A price that was dropped would be a gap that nobody knows of.
                    guard signalTypes.contains(payload.type) else { continue }
                    throw EnergyError(
                        .invalidInput, "\(place), \(payload.type.prefix(20)): the first of values must be a number")
                }
                entries.append(Entry(interval: span, type: payload.type, value: value))
            }
        }
        return entries
    }

    private static func start(_ text: String, _ place: String) throws(EnergyError) -> Timestamp {
        guard let start = Timestamp(optionalLabel: text) else {
            throw EnergyError(
                .invalidInput, "\(place): the start \"\(text.prefix(40))\" must be like 2026-07-01T00:00:00Z")
        }
        return start
    }

    /// ISO 8601: days, hours, minutes, seconds; up to a year.
    static func milliseconds(_ text: String) -> Int64? {
        guard
            let match = text.wholeMatch(
                of: /P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?/)
        else { return nil }
        let parts = [match.1, match.2, match.3, match.4].map { $0.flatMap { Int64($0) } ?? 0 }
        let seconds = parts[0] * 86_400 + parts[1] * 3_600 + parts[2] * 60 + parts[3]
        return seconds <= 366 * 86_400 ? seconds * 1000 : nil
    }

    /// The values of one kind. A value that holds for more than a day is cut into days.
    ///
    /// - Parameters:
    ///   - kind: `price` reads `PRICE`; carbon kinds read `GHG`, which the event does not tell apart.
    ///   - currency: that prices must be in; an event that names none is taken to be in it.
    ///   - isExport: `EXPORT_PRICE` in place of `PRICE`.
    /// - Throws: ``EnergyError`` `.invalidInput` when there is none, or the unit or currency is another.
    public func points(
        of kind: SignalKind, currency: String?, isExport: Bool = false
    ) throws(EnergyError) -> [SignalPoint] {
        let type = kind == .price ? (isExport ? "EXPORT_PRICE" : "PRICE") : "GHG"
        let scale = try scale(of: type, currency)
        var points: [SignalPoint] = []
        for entry in entries where entry.type == type {
            let value = kind == .price ? (entry.value * scale).rounded() : entry.value * scale
            guard kind.quantity.range.contains(value) else {
                throw EnergyError(.invalidInput, "the \(type) of \(entry.value) for \(entry.interval) makes no sense")
            }
            var start = entry.interval.start
            while let part = Interval(
                start: start, end: min(start.advanced(byMilliseconds: .millisecondsPerDay), entry.interval.end))
            {
                points.append(SignalPoint(interval: part, value: value, isEstimated: kind != .price))
                start = part.end
                if points.count > Self.intervalsMax {
                    throw EnergyError(.invalidInput, "the event has more than \(Self.intervalsMax) values")
                }
            }
        }
        if points.isEmpty { throw EnergyError(.invalidInput, "the event has no payload of type \(type)") }
        return points
    }

    /// What turns a payload's number into our unit.
    private func scale(of type: String, _ currency: String?) throws(EnergyError) -> Double {
        let descriptor = descriptors[type]
        if type == "GHG" { return 1 }
        if let named = descriptor?.currency, let currency, named.uppercased() != currency {
            throw EnergyError(.invalidInput, "prices are in \(named.prefix(10)), \(currency) is expected")
        }
        switch descriptor?.units?.uppercased() ?? "KWH" {
        case "KWH": return 1_000_000
        case "MWH": return 1_000
        default:
            throw EnergyError(
                .invalidInput, "prices per \((descriptor?.units ?? "").prefix(20)) are not read, KWH and MWH are")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            "\((context.codingPath + [key]).map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")) is missing"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
            "\(context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")): \(context.debugDescription)"
        default: "it is not JSON"
        }
    }

    private struct Document: Decodable {
        let priority: Int?
        let created, modified: String?
        let period: Period?
        let descriptors: [PayloadDescriptor]?
        let intervals: [Span]

        private enum CodingKeys: String, CodingKey {
            case priority, intervals
            case created = "createdDateTime"
            case modified = "modificationDateTime"
            case period = "intervalPeriod"
            case descriptors = "payloadDescriptors"
        }
    }
    private struct Period: Decodable { let start, duration: String? }
    private struct PayloadDescriptor: Decodable {
        let payloadType: String
        let units, currency: String?
    }
    private struct Span: Decodable {
        let period: Period?
        let payloads: [Payload]

        private enum CodingKeys: String, CodingKey {
            case payloads
            case period = "intervalPeriod"
        }
    }
    private struct Payload: Decodable {
        let type: String
        let values: [Value]
    }

    /// Values may be numbers, texts, points or flags: only numbers are of interest.
    private struct Value: Decodable {
        let number: Double?

        init(from decoder: any Decoder) throws {
            number = try? decoder.singleValueContainer().decode(Double.self)
        }
    }
}
