public import EnergyModel

/// Great Britain's carbon intensity by the National Energy System Operator, the whole country or one of its regions.
///
/// Half-hours of direct emissions, forecast 48 h ahead; what was measured is published nationally only: for a region the
/// forecast stands for it. No key; CC BY 4.0. One request takes at most 14 days.
///
/// - Source: carbon-intensity/api-definitions; signals.md 1.4.
public struct GBCarbonIntensity: GridSource {
    public enum Area: Hashable, Sendable {
        case national
        /// `1...18`, as the API numbers them: 13 is London, 15 to 18 are England, Scotland, Wales and Great Britain.
        case region(Int)
        /// The first part of a postcode, for example `SW1A`.
        case postcode(String)
    }

    public static let endpoint = "https://api.carbonintensity.org.uk"

    private let area: Area
    private let endpoint: String
    public let kind = SignalKind.averageDirect
    public let stepMilliseconds = 30 * Int64.millisecondsPerMinute
    /// No limit is published; the forecast is made anew every half-hour.
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 2_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay,
        span: 13 * .millisecondsPerDay, overlap: .millisecondsPerDay)

    /// - Parameter endpoint: another address, for a mirror or a test.
    /// - Throws: ``EnergyError`` `.invalidInput` for a region or postcode that cannot be.
    public init(_ area: Area, endpoint: String = endpoint) throws(EnergyError) {
        switch area {
        case .region(let id) where !(1...18 ~= id):
            throw EnergyError(.invalidInput, "Great Britain's regions are 1 to 18, not \(id)")
        case .postcode(let text) where text.wholeMatch(of: /[A-Za-z]{1,2}\d[A-Za-z\d]?/) == nil:
            throw EnergyError(.invalidInput, "the first part of a postcode is like SW1A, not \(text.prefix(20))")
        default: break
        }
        self.area = area
        self.endpoint = endpoint
    }

    public var name: String {
        switch area {
        case .national: "gb-carbon-intensity:national"
        case .region(let id): "gb-carbon-intensity:\(id)"
        case .postcode(let text): "gb-carbon-intensity:\(text.uppercased())"
        }
    }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let span = "\(interval.start.minuteText)/\(interval.end.minuteText)"
        let url =
            switch area {
            case .national: "\(endpoint)/intensity/\(span)"
            case .region(let id): "\(endpoint)/regional/intensity/\(span)/regionid/\(id)"
            case .postcode(let text): "\(endpoint)/regional/intensity/\(span)/postcode/\(text.uppercased())"
            }
        let response = try await http.send(HTTPRequest(url))
        let rows =
            if area == .national { try SourceJSON.decode(National.self, response).data } else {
                try SourceJSON.decode(Regional.self, response).data.data
            }
        var points: [SignalPoint] = []
        for row in rows {
            // Their times have no seconds, which strict parsers refuse; ours reads them.
            let (start, end) = (try Timestamp(label: row.from), try Timestamp(label: row.to))
            guard let interval = Interval(start: start, end: end), let value = row.intensity.best(at: now, end: end)
            else { continue }
            points.append(SignalPoint(interval: interval, value: value, isEstimated: row.intensity.actual == nil))
        }
        return FetchedSignals(points: points)
    }

    private struct National: Decodable { let data: [Row] }
    private struct Regional: Decodable {
        let data: Region
        struct Region: Decodable { let data: [Row] }
    }
    private struct Row: Decodable {
        let from, to: String
        let intensity: Intensity
    }
    private struct Intensity: Decodable {
        let forecast, actual: Double?

        /// Measured once it is over; both may be null.
        func best(at now: Timestamp, end: Timestamp) -> Double? { end <= now ? actual ?? forecast : forecast ?? actual }
    }
}

extension GBCarbonIntensity: AutomaticSource {
    public static let regions = ["GB"]

    public init(region: String) throws(EnergyError) { try self.init(.national) }
}
