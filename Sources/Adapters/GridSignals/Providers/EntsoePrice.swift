public import EnergyModel
internal import Foundation

/// Day-ahead prices of a European bidding zone by ENTSO-E's Transparency Platform: "Energy Prices", 12.1.D, document A44.
///
/// Hours, or quarter-hours since October 2025; those of the next day from about 13:00 Central European time. The token is
/// free. Times are UTC, days are local: whole ones come back, of 23, 24 or 25 hours.
///
/// - Source: transparency.entsoe.eu, "Web API Guide"; signals.md 2.
public struct EntsoePrice: GridSource {
    public static let endpoint = "https://web-api.tp.entsoe.eu"

    private let zone: BiddingZone
    private let shownZone: String
    private let token: String
    private let quoted: String
    private let endpoint: String
    public let kind = SignalKind.price
    public let stepMilliseconds = 15 * Int64.millisecondsPerMinute
    /// 400 requests a minute are allowed for all zones together.
    public let polling = Polling(
        every: 20 * .millisecondsPerMinute, pause: 5_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 7 * .millisecondsPerDay)

    /// - Parameters:
    ///   - zone: a short name like `BE`, or its code.
    ///   - currency: ISO 4217, in which the zone publishes; series in another are left out.
    /// - Throws: ``EnergyError`` `.invalidInput` for a zone, token or currency that cannot be.
    public init(
        zone: String, token: String, currency: String = "EUR", endpoint: String = endpoint
    ) throws(EnergyError) {
        self.zone = try BiddingZone(zone)
        self.token = try SourceKey.checked(token, "the token of ENTSO-E")
        guard currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw .setting("currency", "a currency is like EUR, not \(currency.prefix(20))")
        }
        shownZone = zone.uppercased()
        quoted = currency
        self.endpoint = endpoint
    }

    public var name: String { "entsoe:\(shownZone)" }
    public var currency: String? { quoted }

    /// - Throws: also ``EnergyError`` `.notFound` when it has no prices for the time, `.invalidInput` with its own words
    ///   for anything else that it acknowledges.
    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        var request = HTTPRequest(
            "\(endpoint)/api",
            query: [
                ("documentType", "A44"), ("contract_MarketAgreement.type", "A01"), ("in_Domain", zone.code),
                ("out_Domain", zone.code), ("periodStart", Self.digits(interval.start)),
                ("periodEnd", Self.digits(interval.end)), ("securityToken", token),
            ])
        request.contentTypes = ["text/xml", "application/xml"]
        // What is wrong with a request stands in a document.
        request.acceptedStatuses = [400]
        let response = try await http.send(request)
        let document = try PublicationReader.read(response.body)
        guard document.root == "Publication_MarketDocument", response.status == 200 else { throw refusal(document) }
        var issued: Timestamp?
        if let created = document.created { issued = try Timestamp(label: created) }
        return try FetchedSignals(prices: try prices(document.series).points, of: name, issued: issued)
    }

    /// Several auctions of one zone come as several series, in any order. The lowest number is the market coupling; of
    /// the same number the shorter step counts.
    private func prices(_ all: [PublicationDocument.Series]) throws(EnergyError) -> SignalSeries {
        let contracts = all.filter { ["", "A01"].contains($0.contract) }
        let usable = contracts.filter { ["", quoted].contains($0.currency) }
        if usable.isEmpty, let other = contracts.first {
            throw EnergyError(.invalidInput, "the prices are in \(other.currency.prefix(20)), not \(quoted)")
        }
        var blocks: [(auction: Int, step: Int64, points: [SignalPoint])] = []
        for series in usable {
            guard ["", "MWH"].contains(series.unit) else {
                throw EnergyError(.invalidInput, "the prices are per \(series.unit.prefix(20)), not MWH")
            }
            for period in series.periods {
                let points = try period.points(isCarried: series.curve != "A01")
                blocks.append((series.auction, try period.steps().milliseconds, points))
            }
            guard blocks.reduce(0, { $0 + $1.points.count }) <= PublicationReader.pointsMax else {
                throw EnergyError(.invalidInput, "the answer has more prices than are taken")
            }
        }
        let worstFirst = blocks.sorted { ($0.auction, $0.step) > ($1.auction, $1.step) }
        return worstFirst.reduce(.empty) { $0.corrected(by: SignalSeries($1.points)) }
    }

    private func refusal(_ document: PublicationDocument) -> EnergyError {
        let words = document.reasons.joined(separator: "; ").replacing(token, with: "…").prefix(300)
            .filter { !$0.isNewline }
        guard document.root == "Acknowledgement_MarketDocument", !words.isEmpty else {
            return EnergyError(.invalidInput, "the answer is XML of another kind than documented")
        }
        return words.saysNoData
            ? EnergyError(.notFound, "\(name) has no prices for this time: \(words)")
            : EnergyError(.invalidInput, "\(name) refuses: \(words)")
    }

    /// `yyyyMMddHHmm`, UTC.
    private static func digits(_ instant: Timestamp) -> String { instant.minuteText.filter(\.isNumber) }
}

extension String {
    /// All refusals have the code 999; only the text tells them apart.
    fileprivate var saysNoData: Bool { lowercased().contains("no matching data") }
}
