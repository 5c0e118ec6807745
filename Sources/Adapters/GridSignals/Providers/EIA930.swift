public import EnergyModel
internal import Foundation

/// The carbon intensity of a balancing authority of the United States, made from the generation by fuel that EIA-930
/// publishes. Free key; public domain; the only free source of all of them. History only, up to 30 h behind.
///
/// Factors: ``EIAFuel``; labels: ``EIALabels``. Generation inside the authority; imports are not counted.
///
/// - Source: eia.gov/opendata, `electricity/rto/fuel-type-data`; signals.md 1.5.
public struct EIA930: GridSource {
    public static let endpoint = "https://api.eia.gov/v2"
    /// The API's own limit.
    static let rowsPerPage = 5_000
    static let pagesMax = 20

    private let authority: String
    private let key: String
    private let endpoint: String
    public let kind: SignalKind
    public let stepMilliseconds = Int64.millisecondsPerHour
    /// The limit is published as 5 requests a second and 9,000 an hour; values are revised for days.
    public let polling = Polling(
        every: .millisecondsPerHour, pause: 1_000, back: 40 * .millisecondsPerDay, ahead: 0,
        span: 10 * .millisecondsPerDay, overlap: 3 * .millisecondsPerDay)

    /// - Parameters:
    ///   - authority: as EIA names it, for example `CISO`.
    ///   - key: from eia.gov/opendata.
    /// - Throws: ``EnergyError`` `.invalidInput` for another form, an empty key, or a kind it cannot make.
    public init(
        authority: String, key: String, kind: SignalKind = .averageDirect, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard authority.wholeMatch(of: /[A-Za-z0-9]{2,5}/) != nil else {
            throw EnergyError(.invalidInput, "a balancing authority is like CISO, not \(authority.prefix(20))")
        }
        guard kind == .averageDirect || kind == .averageLifecycle else {
            throw EnergyError(.invalidInput, "EIA-930 gives averageDirect or averageLifecycle, not \(kind.rawValue)")
        }
        if key.isEmpty { throw EnergyError(.invalidInput, "EIA-930 needs a key") }
        self.authority = authority.uppercased()
        self.key = key
        self.kind = kind
        self.endpoint = endpoint
    }

    public var name: String { "eia-930:\(authority)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        var hours: [Timestamp: [EIAFuel: Double]] = [:]
        var offset = 0
        for _ in 0..<Self.pagesMax {
            let page = try SourceJSON.decode(Body.self, try await http.send(request(interval, offset: offset))).response
            for row in page.data where row.respondent == authority {
                guard let value = row.value?.number else { continue }
                let label = try Timestamp(label: row.period + ":00Z")
                hours[label, default: [:]][EIAFuel(code: row.fuel), default: 0] += value
            }
            offset += page.data.count
            if page.data.isEmpty || offset >= Int(page.total?.number ?? 0) {
                return FetchedSignals(points: points(hours))
            }
        }
        throw EnergyError(.unavailable, "the answer has more than \(Self.pagesMax) pages")
    }

    private func request(_ interval: Interval, offset: Int) -> HTTPRequest {
        // Labels may be ends: one hour more on both sides.
        let start = interval.start.advanced(byMilliseconds: -.millisecondsPerHour)
        let end = interval.end.advanced(byMilliseconds: .millisecondsPerHour)
        return HTTPRequest(
            "\(endpoint)/electricity/rto/fuel-type-data/data/",
            query: [
                ("frequency", "hourly"), ("data[0]", "value"), ("facets[respondent][]", authority),
                ("start", String(start.secondText.prefix(13))), ("end", String(end.secondText.prefix(13))),
                // Without an order pages may repeat and leave out rows.
                ("sort[0][column]", "period"), ("sort[0][direction]", "asc"), ("sort[1][column]", "fueltype"),
                ("sort[1][direction]", "asc"), ("offset", "\(offset)"), ("length", "\(Self.rowsPerPage)"),
                ("api_key", key),
            ])
    }

    /// An hour that lacks a fuel which matters would look cleaner or dirtier than it was: it is left out.
    private func points(_ hours: [Timestamp: [EIAFuel: Double]]) -> [SignalPoint] {
        var sums: [EIAFuel: Double] = [:]
        for hour in hours.values { sums.merge(hour, uniquingKeysWith: +) }
        let total = sums.values.reduce(0) { $0 + max(0, $1) }
        let needed = sums.filter { $0.value > 0.02 * total }.keys
        return hours.compactMap { label, mix in
            guard needed.allSatisfy({ mix[$0] != nil }), let value = EIAFuel.intensity(of: mix, kind: kind) else {
                return nil
            }
            return SignalPoint(
                interval: EIALabels.interval(authority, label: label), value: value, isEstimated: false)
        }
    }

    private struct Body: Decodable {
        let response: Page
        struct Page: Decodable {
            let total: Number?
            let data: [Row]
        }
    }
    private struct Row: Decodable {
        let period, respondent, fuel: String
        let value: Number?

        private enum CodingKeys: String, CodingKey {
            case period, respondent, value
            case fuel = "fueltype"
        }
    }

    /// A number, or one in quotes: the API changed its mind.
    private struct Number: Decodable {
        let number: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                number = Double(text)
            } else {
                number = try container.decode(Double.self)
            }
            if let number, !(abs(number) < 1e9) {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "out of range")
            }
        }
    }
}
