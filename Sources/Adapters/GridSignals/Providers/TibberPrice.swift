public import EnergyModel
internal import Foundation

/// Prices of a Tibber customer's home, today and, from about 13:00, tomorrow, in quarter-hours.
///
/// What the home pays, with energy, tax and Tibber's surcharge. The token is the customer's own.
///
/// - Source: developer.tibber.com, `priceInfo`; signals.md 2.
public struct TibberPrice: GridSource {
    public static let endpoint = "https://api.tibber.com"
    private static let query = """
        {viewer{homes{id currentSubscription{priceInfo(resolution:QUARTER_HOURLY)\
        {today{total startsAt currency}tomorrow{total startsAt currency}}}}}}
        """

    private let home: String?
    private let token: String
    private let paid: String
    private let endpoint: String
    public let kind = SignalKind.price
    public let stepMilliseconds = 15 * Int64.millisecondsPerMinute
    /// 100 requests in five minutes are allowed from one address.
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 30_000, back: 0, ahead: 2 * .millisecondsPerDay,
        span: 2 * .millisecondsPerDay)

    /// - Parameters:
    ///   - home: its id; may be `nil` when the customer has one home with a contract.
    ///   - currency: of the contract: `NOK`, `SEK`, `EUR`. An answer in another is refused.
    /// - Throws: ``EnergyError`` `.invalidInput` for an id, token or currency that cannot be.
    public init(
        home: String? = nil, token: String, currency: String, endpoint: String = endpoint
    ) throws(EnergyError) {
        if let home, home.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) == nil {
            throw .setting(
                "home", "the id of a Tibber home has letters, digits and -: \(home.prefix(20))")
        }
        guard currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw .setting("currency", "a currency is like NOK, not \(currency.prefix(20))")
        }
        self.home = home
        self.token = try SourceKey.checked(token, "the token of Tibber")
        paid = currency
        self.endpoint = endpoint
    }

    public var name: String { "tibber:\(home ?? "home")" }
    public var currency: String? { paid }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        var request = HTTPRequest(
            "\(endpoint)/v1-beta/gql",
            headers: [.init("Authorization", "Bearer \(token)"), .init("Content-Type", "application/json")])
        request.method = .post
        request.body = Array(#"{"query":"\#(Self.query)"}"#.utf8)
        // GraphQL says what is wrong in the body, with 200 or 400.
        request.acceptedStatuses = [400]
        let body = try SourceJSON.decode(Body.self, try await http.send(request))
        if let error = body.errors?.first { throw failure(error) }
        guard let homes = body.data?.viewer?.homes else {
            throw EnergyError(.invalidInput, "the answer lacks data.viewer.homes")
        }
        let info = try chosen(homes)
        var prices = StartedPrices()
        for row in info.today + (info.tomorrow ?? []) {
            guard let start = row.startsAt else { continue }
            if let currency = row.currency, currency != paid {
                throw EnergyError(.invalidInput, "the prices are in \(currency.prefix(20)), not \(paid)")
            }
            try prices.append(try Timestamp(label: start), row.total, .perKilowattHour)
        }
        return try FetchedSignals(prices: prices.points, of: name)
    }

    private func chosen(_ homes: [Home]) throws(EnergyError) -> PriceInfo {
        let supplied = homes.filter { $0.currentSubscription?.priceInfo != nil && (home == nil || $0.id == home) }
        guard let first = supplied.first?.currentSubscription?.priceInfo else {
            throw EnergyError(.notFound, "Tibber has no such home with a contract")
        }
        guard supplied.count == 1 else {
            throw EnergyError(.invalidInput, "Tibber has \(supplied.count) homes with a contract: say which")
        }
        return first
    }

    private func failure(_ error: GraphError) -> EnergyError {
        let words = (error.message ?? "").replacing(token, with: "…").prefix(200).filter { !$0.isNewline }
        switch error.extensions?.code {
        case "UNAUTHENTICATED", "FORBIDDEN":
            return EnergyError(.denied, "Tibber does not take the token: \(words)")
        case "TOO_MANY_REQUESTS", "RATE_LIMIT_EXCEEDED", "RATE_LIMITED":
            return EnergyError(.rateLimited, "Tibber has been asked too often: \(words)")
        case "INTERNAL_SERVER_ERROR": return EnergyError(.unavailable, "Tibber is in trouble: \(words)")
        default: return EnergyError(.invalidInput, "Tibber refuses: \(words)")
        }
    }

    private struct Body: Decodable {
        let data: Payload?
        let errors: [GraphError]?
    }
    private struct Payload: Decodable {
        let viewer: Viewer?
        struct Viewer: Decodable { let homes: [Home] }
    }
    private struct Home: Decodable {
        let id: String
        let currentSubscription: Subscription?
        struct Subscription: Decodable { let priceInfo: PriceInfo? }
    }
    private struct PriceInfo: Decodable {
        let today: [Row]
        /// Empty or null until it is published.
        let tomorrow: [Row]?
    }
    private struct Row: Decodable {
        let total: Decimal?
        let startsAt, currency: String?
    }
    private struct GraphError: Decodable {
        let message: String?
        let extensions: Extensions?
        struct Extensions: Decodable { let code: String? }
    }
}
