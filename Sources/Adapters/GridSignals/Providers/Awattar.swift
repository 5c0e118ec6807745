public import EnergyModel
internal import Foundation

/// Day-ahead prices of Germany or Austria by aWATTar.
///
/// Those of the next day from about 14:00. No key; a hundred requests a day are called fair use.
///
/// - Source: api.awattar.de, `/v1/marketdata`; signals.md 2.
public struct Awattar: GridSource {
    public enum Country: String, Hashable, Sendable, CaseIterable {
        case germany = "de"
        case austria = "at"
    }

    private let country: Country
    private let endpoint: String
    public let kind = SignalKind.price
    public let currency: String? = "EUR"
    public let stepMilliseconds = Int64.millisecondsPerHour
    public let polling = Polling(
        every: 30 * .millisecondsPerMinute, pause: 30_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 14 * .millisecondsPerDay)

    /// - Parameter endpoint: another address, for a mirror or a test; `nil` is the country's.
    public init(_ country: Country, endpoint: String? = nil) {
        self.country = country
        self.endpoint = endpoint ?? "https://api.awattar.\(country.rawValue)"
    }

    public var name: String { "awattar:\(country.rawValue)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/v1/marketdata",
            query: [
                ("start", String(interval.start.unixMilliseconds)), ("end", String(interval.end.unixMilliseconds)),
            ])
        var points: [SignalPoint] = []
        for row in try SourceJSON.decode(Body.self, try await http.send(request)).data {
            guard row.unit.lowercased() == "eur/mwh" else {
                throw EnergyError(.invalidInput, "the prices are in \(row.unit.prefix(20)), not Eur/MWh as documented")
            }
            let start = try Timestamp(answeredMilliseconds: row.start)
            let end = try Timestamp(answeredMilliseconds: row.end)
            guard let amount = row.price, let span = Interval(start: start, end: end) else { continue }
            points.append(SignalPoint(try PriceUnit.perMegawattHour.price(amount), over: span))
        }
        return try FetchedSignals(prices: points, of: name)
    }

    private struct Body: Decodable { let data: [Row] }
    private struct Row: Decodable {
        let start, end: Int64
        let price: Decimal?
        let unit: String

        private enum CodingKeys: String, CodingKey {
            case start = "start_timestamp"
            case end = "end_timestamp"
            case price = "marketprice"
            case unit
        }
    }
}

extension Awattar: AutomaticSource {
    public static let regions = Country.allCases.map { $0.rawValue.uppercased() }

    public init(region: String) throws(EnergyError) {
        guard let country = Country(rawValue: region.lowercased()) else {
            throw .setting("country", "aWATTar is in DE and AT, not in \(region.prefix(20))")
        }
        self.init(country)
    }
}
