public import EnergyModel
internal import Foundation

/// Prices of an Amber Electric customer's site in Australia: what was, what is, and a forecast of a day or two.
///
/// Half-hours. The token is the customer's own.
///
/// - Source: amberelectric/public-api, `swagger.json`; signals.md 2.
public struct AmberPrice: GridSource {
    public enum Channel: String, Hashable, Sendable, CaseIterable {
        case general
        case controlledLoad
        /// Export. The values are what is paid for a kWh: Amber counts what one pays, so its sign is turned.
        case feedIn
    }

    public static let endpoint = "https://api.amber.com.au"

    private let site: String
    private let channel: Channel
    private let token: String
    private let endpoint: String
    public let kind = SignalKind.price
    public let currency: String? = "AUD"
    public let stepMilliseconds = 30 * Int64.millisecondsPerMinute
    /// 50 requests in five minutes are allowed; an answer spans at most seven days.
    public let polling = Polling(
        every: 5 * .millisecondsPerMinute, pause: 10_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 5 * .millisecondsPerDay)

    /// - Parameter site: its id, as the service lists it.
    /// - Throws: ``EnergyError`` `.invalidInput` for an id or token that cannot be.
    public init(
        site: String, channel: Channel = .general, token: String, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard site.wholeMatch(of: /[A-Za-z0-9]{1,64}/) != nil else {
            throw .setting("site", "the id of an Amber site has letters and digits: \(site.prefix(20))")
        }
        self.site = site
        self.channel = channel
        self.token = try SourceKey.checked(token, "the token of Amber")
        self.endpoint = endpoint
    }

    public var name: String { "amber:\(site)-\(channel.rawValue)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/v1/sites/\(site)/prices",
            query: [
                ("startDate", Self.marketDay(interval.start)), ("endDate", Self.marketDay(interval.end)),
                ("resolution", "30"),
            ], headers: [.init("Authorization", "Bearer \(token)")])
        var points: [SignalPoint] = []
        for row in try SourceJSON.decode([Row].self, try await http.send(request))
        where row.channelType == channel.rawValue {
            // Intervals begin one second late, so that they do not touch.
            let start = try Timestamp(label: row.startTime).floored(toMilliseconds: .millisecondsPerMinute)
            guard let span = Interval(start: start, end: try Timestamp(label: row.endTime)) else { continue }
            guard let amount = row.amount else { continue }
            let price = try PriceUnit.hundredthsPerKilowattHour.price(channel == .feedIn ? -amount : amount)
            points.append(SignalPoint(price, over: span, isEstimated: row.isEstimated))
        }
        return try FetchedSignals(prices: points, of: name)
    }

    /// Days are those of the market, UTC+10 all year.
    private static func marketDay(_ instant: Timestamp) -> String {
        String(instant.advanced(byMilliseconds: 10 * .millisecondsPerHour).minuteText.prefix(10))
    }

    private struct Row: Decodable {
        let type, startTime, endTime, channelType: String
        let perKwh: Decimal?
        let estimate: Bool?
        let advancedPrice: Advanced?
        struct Advanced: Decodable { let predicted: Decimal? }

        /// Amber's own prediction is better than the market operator's, and there for about a day.
        var amount: Decimal? { type == "ActualInterval" ? perKwh : advancedPrice?.predicted ?? perKwh }

        var isEstimated: Bool {
            switch type {
            case "ActualInterval": false
            case "CurrentInterval": estimate ?? true
            default: true
            }
        }
    }
}
