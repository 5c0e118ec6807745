public import EnergyModel
internal import Foundation

/// Day-ahead prices of Denmark and its neighbours by Energinet: the dataset `DayAheadPrices`.
///
/// Quarter-hours, from 1 October 2025 on; those of the next day from about 13:00. No key; the service asks for no more
/// requests than there are updates.
///
/// - Source: api.energidataservice.dk; signals.md 2.
public struct EnerginetPrice: GridSource {
    public enum Currency: String, Hashable, Sendable, CaseIterable {
        case danishKroner = "DKK"
        case euros = "EUR"
    }

    public static let endpoint = "https://api.energidataservice.dk"

    private let area: String
    private let paid: Currency
    private let endpoint: String
    public let kind = SignalKind.price
    public let stepMilliseconds = 15 * Int64.millisecondsPerMinute
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 10_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 14 * .millisecondsPerDay)

    /// - Parameters:
    ///   - area: `DK1` (west of the Great Belt), `DK2`, or a neighbour: `DE`, `NO2`, `SE3`, `SE4`.
    ///   - currency: kroner are filled in later than euros when the bank's rate is missing.
    /// - Throws: ``EnergyError`` `.invalidInput` for another form.
    public init(
        area: String, currency: Currency = .danishKroner, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard area.wholeMatch(of: /[A-Za-z]{2}[0-9]?/) != nil else {
            throw .setting("area", "an area of Energinet is like DK1, not \(area.prefix(20))")
        }
        self.area = area.uppercased()
        paid = currency
        self.endpoint = endpoint
    }

    public var name: String { "energinet-price:\(area)" }
    public var currency: String? { paid.rawValue }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/dataset/DayAheadPrices",
            query: [
                // Without a zone of its own the service takes Danish time, where an hour of the year is two: we ask for
                // UTC, and read TimeUTC.
                ("start", String(interval.start.minuteText.dropLast())),
                ("end", String(interval.end.minuteText.dropLast())), ("timezone", "utc"),
                ("filter", #"{"PriceArea":["\#(area)"]}"#), ("sort", "TimeUTC"), ("limit", "0"),
            ])
        var prices = StartedPrices()
        for row in try SourceJSON.decode(Body.self, try await http.send(request)).records where row.area == area {
            let amount = paid == .euros ? row.euros : row.kroner
            try prices.append(try Timestamp(label: row.time), amount, .perMegawattHour)
        }
        return try FetchedSignals(prices: prices.points, of: name)
    }

    private struct Body: Decodable { let records: [Row] }
    private struct Row: Decodable {
        let time, area: String
        let kroner, euros: Decimal?

        private enum CodingKeys: String, CodingKey {
            case time = "TimeUTC"
            case area = "PriceArea"
            case kroner = "DayAheadPriceDKK"
            case euros = "DayAheadPriceEUR"
        }
    }
}

extension EnerginetPrice: AutomaticSource {
    public static let regions = EnerginetCO2.regions

    public init(region: String) throws(EnergyError) { try self.init(area: region) }
}
