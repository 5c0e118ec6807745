public import EnergyModel
internal import Foundation

/// Day-ahead prices of a European bidding zone by Energy-Charts (Fraunhofer ISE).
///
/// Hours until September 2025, quarter-hours since. No key, no published limit. What may be done with the values differs
/// by zone: for DE-LU they are CC BY 4.0, for others see `license_info` of the answer.
///
/// - Source: api.energy-charts.info, `/price`; signals.md 2.
public struct EnergyChartsPrice: GridSource {
    public static let endpoint = "https://api.energy-charts.info"

    private let zone: String
    private let endpoint: String
    public let kind = SignalKind.price
    public let currency: String? = "EUR"
    public let stepMilliseconds = 15 * Int64.millisecondsPerMinute
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 10_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 14 * .millisecondsPerDay)

    /// - Parameter zone: as the service names it, for example `DE-LU`, `BE`, `IT-North`.
    /// - Throws: ``EnergyError`` `.invalidInput` for another form.
    public init(zone: String, endpoint: String = endpoint) throws(EnergyError) {
        guard zone.wholeMatch(of: /[A-Za-z0-9-]{2,20}/) != nil else {
            throw .setting("zone", "a bidding zone of Energy-Charts is like DE-LU, not \(zone.prefix(20))")
        }
        self.zone = zone
        self.endpoint = endpoint
    }

    public var name: String { "energy-charts-price:\(zone)" }

    /// - Throws: also ``EnergyError`` `.notFound` when there are no values for the whole time, which the service says
    ///   with 404 as it does for a zone it does not know.
    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/price",
            // As seconds a time needs no zone, and its `+` no escaping.
            query: [
                ("bzn", zone), ("start", String(interval.start.unixMilliseconds / 1000)),
                ("end", String(interval.end.unixMilliseconds / 1000)),
            ])
        let body = try SourceJSON.decode(Body.self, try await http.send(request))
        guard body.unit.lowercased().filter({ !$0.isWhitespace }) == "eur/mwh" else {
            throw EnergyError(.invalidInput, "the prices are in \(body.unit.prefix(20)), not EUR / MWh as documented")
        }
        guard body.seconds.count == body.prices.count else {
            throw EnergyError(
                .invalidInput, "the answer has \(body.seconds.count) times for \(body.prices.count) prices")
        }
        var prices = StartedPrices()
        for (seconds, amount) in zip(body.seconds, body.prices) {
            try prices.append(try Timestamp(answeredSeconds: seconds), amount, .perMegawattHour)
        }
        return try FetchedSignals(prices: prices.points, of: name)
    }

    private struct Body: Decodable {
        let seconds: [Int64]
        let prices: [Decimal?]
        let unit: String

        private enum CodingKeys: String, CodingKey {
            case seconds = "unix_seconds"
            case prices = "price"
            case unit
        }
    }
}

extension EnergyChartsPrice: AutomaticSource {
    /// As the service names its bidding zones, but for the one that two countries share.
    public static let regions = [
        "AT", "BE", "BG", "CH", "CZ", "DE", "DK1", "DK2", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IT-Calabria",
        "IT-Centre-North", "IT-Centre-South", "IT-North", "IT-Sardinia", "IT-Sicily", "IT-South", "LT", "LU", "LV",
        "NL", "NO1", "NO2", "NO3", "NO4", "NO5", "PL", "PT", "RO", "RS", "SE1", "SE2", "SE3", "SE4", "SI", "SK",
    ]

    public init(region: String) throws(EnergyError) {
        try self.init(zone: ["DE", "LU"].contains(region) ? "DE-LU" : region)
    }
}
