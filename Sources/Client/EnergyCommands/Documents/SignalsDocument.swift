internal import EnergyModel
internal import EnergyWire
internal import Foundation

struct SourcesDocument: Encodable {
    let sources: [SourceDocument]
}

/// Times are in UTC: a source belongs to a region, not to a venue's clock.
struct SourceDocument: Codable {
    let region: String
    let name: String
    let kind: String
    let currency: String?
    let inUse: Bool
    let automatic: Bool
    let newest: String?
    let issued: String?
    let lastSuccess: String?
    let lastError: String?
    let nextAttempt: String?
    let clockSkewMs: Int64?

    init(_ source: RegionSource) {
        let status = source.status
        region = source.region
        name = status.name
        kind = Words.snake(status.kind.rawValue)
        currency = status.currency
        inUse = status.isInUse
        automatic = source.isAutomatic
        newest = status.newestValue?.description
        issued = status.issued?.description
        lastSuccess = status.lastSuccess?.description
        lastError = status.lastError
        nextAttempt = status.nextAttempt?.description
        clockSkewMs = status.clockSkewMilliseconds
    }
}

struct SourceTestsDocument: Encodable {
    let tests: [SourceTestDocument]
}

struct SourceTestDocument: Encodable {
    struct Value: Encodable {
        let start: String
        let end: String
        let carbonGPerKwh: Double?
        let priceMicrosPerKwh: Int64?
        let estimated: Bool
    }

    let source: SourceDocument
    let asked: Bool
    let newest: Value?
    let knownUntil: String?
    let failure: String?

    init(_ test: SourceTest) {
        let isPrice = test.source.status.kind == .price
        source = SourceDocument(test.source)
        asked = test.isAsked
        newest = test.newest.map { point in
            Value(
                start: point.interval.start.description, end: point.interval.end.description,
                carbonGPerKwh: isPrice ? nil : point.value,
                priceMicrosPerKwh: isPrice ? Int64(point.value.rounded()) : nil, estimated: point.isEstimated)
        }
        knownUntil = test.knownUntil?.description
        failure = test.failure.map { Words.snake($0.description) }
    }
}

struct PushDocument: Encodable {
    let source: String
    let values: Int
}

/// What a person pushes: an OpenADR 3 event as it is, or a plain list.
enum PushedFile {
    /// What the request may hold, and a little for the rest of it.
    static let bytesMax = 480 * 1024

    static func bytes(of file: String) throws(CommandFailure) -> Data {
        let bytes = try InputFile.bytes(of: file, atMost: bytesMax + 1)
        guard bytes.count <= bytesMax else {
            throw .usage("\(TerminalText.safe(file)) has more than \(bytesMax / 1024) KiB. Push it in parts.")
        }
        return bytes
    }

    static func content(of bytes: Data, named file: String) throws(CommandFailure) -> SignalPush.Content {
        if let probe = try? JSONDecoder().decode(Probe.self, from: bytes), probe.intervals != nil {
            return .openADREvent(Array(bytes))
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let list: PlainList
        do { list = try decoder.decode(PlainList.self, from: bytes) } catch {
            // Foundation's descriptions are sentences or phrases, as it likes.
            let reason = reason(error)
            let end = reason.hasSuffix(".") ? "" : "."
            throw .usage("\(TerminalText.safe(file)): \(reason)\(end) See: energyctl signals push --help")
        }
        return .values(try list.checked())
    }

    private static func reason(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let keys = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
            return keys.isEmpty ? "the file" : keys.joined(separator: ".")
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?: return "\(path(context)) lacks \(key.stringValue)"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            return "\(path(context)): \(context.debugDescription)"
        default: return "is neither an OpenADR event nor a list of values"
        }
    }

    private struct Probe: Decodable {
        struct Anything: Decodable {}
        let intervals: [Anything]?
    }

    private struct PlainList: Decodable {
        let kind: SignalKind
        let currency: String?
        let issued: Date?
        let values: [Value]

        struct Value: Decodable {
            let start, end: Date
            let carbonGPerKwh: Double?
            let priceMicrosPerKwh: Int64?
            let estimated: Bool?
        }

        func checked() throws(CommandFailure) -> SignalValues {
            var points: [SignalPoint] = []
            for (index, value) in values.enumerated() {
                let amount = kind == .price ? value.priceMicrosPerKwh.map(Double.init) : value.carbonGPerKwh
                guard let interval = Interval(start: Timestamp(value.start), end: Timestamp(value.end)) else {
                    throw .usage("values[\(index)]: the end must be after the start.")
                }
                guard let amount else {
                    let field = kind == .price ? "price_micros_per_kwh" : "carbon_g_per_kwh"
                    throw .usage("values[\(index)] lacks \(field).")
                }
                points.append(SignalPoint(interval: interval, value: amount, isEstimated: value.estimated ?? false))
            }
            return SignalValues(kind: kind, currency: currency, points: points, issued: issued.map(Timestamp.init))
        }
    }
}
