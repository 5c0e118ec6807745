public import EnergyModel
internal import Foundation

/// Unit rates of an Octopus Energy product in Great Britain: Agile, Outgoing Agile, or any other with such rates.
///
/// Agile has half-hours, those of the next day (23:00 to 23:00 local time) from about 16:00 UK time. No key. For an
/// export product the values are what is paid for a kWh.
///
/// - Source: developer.octopus.energy, "standard-unit-rates"; signals.md 2.
public struct OctopusAgile: GridSource {
    public static let endpoint = "https://api.octopus.energy"
    /// Half-hours of one page; 1,500 is the most that the service gives.
    static let pageSize = 1_500
    static let pagesMax = 8
    private static let halfHour = 30 * Int64.millisecondsPerMinute

    private let product: String
    private let region: String
    private let includesVAT: Bool
    private let endpoint: String
    public let kind = SignalKind.price
    public let currency: String? = "GBP"
    public let stepMilliseconds = halfHour
    /// No limit is published.
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 2_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 14 * .millisecondsPerDay)

    /// - Parameters:
    ///   - product: its code, for example `AGILE-24-10-01`.
    ///   - region: the letter of the distribution region, `A` to `P` without `I` and `O`; `C` is London.
    ///   - includesVAT: as homes pay; businesses reckon without.
    /// - Throws: ``EnergyError`` `.invalidInput` for codes that cannot be.
    public init(
        product: String, region: String, includesVAT: Bool = true, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard product.wholeMatch(of: /[A-Za-z0-9-]{3,64}/) != nil else {
            throw .setting("product", "a product of Octopus is like AGILE-24-10-01, not \(product.prefix(20))")
        }
        guard region.wholeMatch(of: /[A-HJ-NPa-hj-np]/) != nil else {
            throw .setting(
                "region-letter", "a region of Octopus is a letter A to P, not I or O: \(region.prefix(20))")
        }
        self.product = product.uppercased()
        self.region = region.uppercased()
        self.includesVAT = includesVAT
        self.endpoint = endpoint
    }

    public var name: String { "octopus:\(product)-\(region)" }
    public var variant: String { includesVAT ? "" : "without VAT" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let tariff = "\(endpoint)/v1/products/\(product)/electricity-tariffs/E-1R-\(product)-\(region)"
        var request: HTTPRequest? = HTTPRequest(
            tariff + "/standard-unit-rates/",
            query: [
                ("period_from", interval.start.minuteText), ("period_to", interval.end.minuteText),
                ("page_size", String(Self.pageSize)),
            ])
        var (rates, pages): ([Rate], Int) = ([], 0)
        while let asked = request {
            pages += 1
            guard pages <= Self.pagesMax else {
                throw EnergyError(.invalidInput, "the answer has more than the \(Self.pagesMax) pages that are taken")
            }
            let page = try SourceJSON.decode(Page.self, try await http.send(asked))
            for row in page.results where row.method != "NON_DIRECT_DEBIT" { rates.append(try rate(row, interval)) }
            request = try page.next.map { next throws(EnergyError) in try following(next) }
        }
        return try FetchedSignals(prices: Self.points(rates, interval), of: name)
    }

    /// The address comes from the answer: it must be of the same service.
    private func following(_ next: String) throws(EnergyError) -> HTTPRequest {
        guard next.hasPrefix(endpoint + "/") else {
            throw EnergyError(.invalidInput, "the next page of the answer is of another service")
        }
        return HTTPRequest(next)
    }

    private func rate(_ row: Row, _ interval: Interval) throws(EnergyError) -> Rate {
        var (start, end): (Timestamp, Timestamp?) = (interval.start, nil)
        if let from = row.from { start = try Timestamp(label: from) }
        if let to = row.to { end = try Timestamp(label: to) }
        let amount = includesVAT ? row.withVAT : row.withoutVAT
        var price: Price?
        if let amount { price = try PriceUnit.hundredthsPerKilowattHour.price(amount) }
        return Rate(start: start, end: end, price: price)
    }

    /// The newest comes first, and the end may be open: a rate holds until its end, or until the next one begins.
    private static func points(_ rates: [Rate], _ interval: Interval) -> [SignalPoint] {
        let sorted = rates.sorted { $0.start < $1.start }
        var points: [SignalPoint] = []
        for (index, rate) in sorted.enumerated() {
            let next = sorted[(index + 1)...].first { $0.start > rate.start }?.start
            let end = [rate.end, next].compactMap { $0 }.min() ?? max(interval.end, rate.start)
            guard let price = rate.price, let span = Interval(start: rate.start, end: end) else { continue }
            if span.milliseconds <= halfHour {
                points.append(SignalPoint(price, over: span))
            } else if let wanted = span.intersection(interval) {
                points += halfHours(of: wanted).map { SignalPoint(price, over: $0) }
            }
        }
        return points
    }

    /// Of other products than Agile a rate may hold for years.
    private static func halfHours(of interval: Interval) -> [Interval] {
        var (result, start): ([Interval], Timestamp) = ([], interval.start)
        while start < interval.end {
            let edge = start.floored(toMilliseconds: halfHour).advanced(byMilliseconds: halfHour)
            if let part = Interval(start: start, end: min(edge, interval.end)) { result.append(part) }
            start = edge
        }
        return result
    }

    private struct Rate {
        let start: Timestamp
        let end: Timestamp?
        let price: Price?
    }

    private struct Page: Decodable {
        let next: String?
        let results: [Row]
    }
    private struct Row: Decodable {
        let withVAT, withoutVAT: Decimal?
        let from, to, method: String?

        private enum CodingKeys: String, CodingKey {
            case withVAT = "value_inc_vat"
            case withoutVAT = "value_exc_vat"
            case from = "valid_from"
            case to = "valid_to"
            case method = "payment_method"
        }
    }
}
