import EnergyModel
import Foundation
import Testing

@testable import GridSignals

@Suite struct EntsoePriceTests {
    private static func fetch(_ document: String, currency: String = "EUR") async throws -> FetchedSignals {
        let server = try ReplayServer { _ in .answer(200, headers: ["Content-Type": "text/xml"], document) }
        return try await PriceReplay.fetch(
            try EntsoePrice(zone: "be", token: "geheim-1", currency: currency, endpoint: server.url),
            "2025-10-26T00:00:00Z", "2025-10-28T00:00:00Z")
    }

    private static func refusal(_ document: String) async throws -> EnergyError {
        try #require(await #expect(throws: EnergyError.self) { try await fetch(document) })
    }

    /// Of a local day in Brussels: its ends in UTC, by the time zone.
    private static func day(_ year: Int, _ month: Int, _ day: Int) throws -> (start: String, end: String, hours: Int) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Brussels"))
        let start = try #require(calendar.date(from: DateComponents(year: year, month: month, day: day)))
        let end = try #require(calendar.date(byAdding: .day, value: 1, to: start))
        func text(_ date: Date) -> String { String(date.formatted(.iso8601).dropLast(4)) + "Z" }
        return (text(start), text(end), Int(end.timeIntervalSince(start) / 3600))
    }

    @Test(arguments: [(3, 30, 23), (6, 15, 24), (10, 26, 25)], ["PT60M", "PT15M"])
    func `a local day of Brussels has as many positions as it has hours`(
        date: (month: Int, day: Int, hours: Int), resolution: String
    ) async throws {
        let day = try Self.day(2025, date.month, date.day)
        #expect(day.hours == date.hours)
        let count = day.hours * (resolution == "PT15M" ? 4 : 1)
        let points = (1...count).map { ($0, "\($0).25") }
        let fetched = try await Self.fetch(
            EntsoeBodies.document(EntsoeBodies.series(EntsoeBodies.period(day.start, day.end, resolution, points))))
        let expected: [Double] = (1...count).map { Double($0 * 1_000 + 250) }
        #expect(fetched.micros == expected)
        #expect(fetched.points.first?.interval.start == (try Timestamp(label: day.start)))
        #expect(fetched.points.last?.interval.end == (try Timestamp(label: day.end)))
        #expect(zip(fetched.points, fetched.points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        #expect(fetched.issued?.description == "2025-10-25T11:00:07Z")
    }

    @Test func `positions that are left out are as the one before, to the end of a day of 25 hours`() async throws {
        let day = try Self.day(2025, 10, 26)
        let period = EntsoeBodies.period(
            day.start, day.end, "PT60M", [(1, "80"), (3, "-16.75"), (4, "0"), (23, "90.1")])
        let fetched = try await Self.fetch(EntsoeBodies.document(EntsoeBodies.series(period)))
        let zeros = [Double](repeating: 0, count: 19)
        let expected: [Double] = [80_000, 80_000, -16_750] + zeros + [90_100, 90_100, 90_100]
        #expect(fetched.micros == expected)
    }

    @Test func `of a curve without omissions a missing position is a gap, and so is an empty price`() async throws {
        let points = [(1, "80"), (3, "70")]
        let period = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T04:00Z", "PT60M", points)
        let fetched = try await Self.fetch(EntsoeBodies.document(EntsoeBodies.series(period, curve: "A01")))
        #expect(fetched.begins == ["2025-10-26T00:00:00Z", "2025-10-26T02:00:00Z"])
        let empty = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T03:00Z", "PT60M", [(1, "80"), (2, "")])
        #expect(try await Self.fetch(EntsoeBodies.document(EntsoeBodies.series(empty))).micros == [80_000])
    }

    @Test func `positions before the first that is there are unknown`() async throws {
        let period = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T03:00Z", "PT60M", [(2, "5")])
        let fetched = try await Self.fetch(EntsoeBodies.document(EntsoeBodies.series(period)))
        #expect(fetched.begins == ["2025-10-26T01:00:00Z", "2025-10-26T02:00:00Z"])
    }

    @Test func `of several auctions the first counts, in whatever order and step they come`() async throws {
        func period(_ resolution: String, _ amount: String) -> String {
            EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T02:00Z", resolution, [(1, amount)])
        }
        let second = EntsoeBodies.series(period("PT15M", "192.55"), auction: 2)
        let first = EntsoeBodies.series(period("PT60M", "196.99"), auction: 1)
        for document in [EntsoeBodies.document(second, first), EntsoeBodies.document(first, second)] {
            let fetched = try await Self.fetch(document)
            #expect(fetched.micros == [196_990, 196_990])
            #expect(fetched.minutes == [60, 60])
        }
        // Where the first has nothing, the second is better than nothing.
        let short = EntsoeBodies.series(
            EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", "PT60M", [(1, "1")]), auction: 1)
        #expect(try await Self.fetch(EntsoeBodies.document(second, short)).minutes == [60, 15, 15, 15, 15])
    }

    @Test func `of one auction in two steps the shorter counts`() async throws {
        func series(_ resolution: String, _ amount: String) -> String {
            EntsoeBodies.series(
                EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", resolution, [(1, amount)]))
        }
        let fetched = try await Self.fetch(EntsoeBodies.document(series("PT15M", "1"), series("PT60M", "2")))
        #expect(fetched.micros == [1_000, 1_000, 1_000, 1_000])
    }

    @Test func `several periods and series follow each other`() async throws {
        let first = EntsoeBodies.period("2025-10-25T22:00Z", "2025-10-25T23:00Z", "PT60M", [(1, "1")])
        let second = EntsoeBodies.period("2025-10-25T23:00Z", "2025-10-26T00:00Z", "PT30M", [(1, "2"), (2, "3")])
        let third = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", "PT60M", [(1, "4")])
        let fetched = try await Self.fetch(
            EntsoeBodies.document(EntsoeBodies.series(first, second), EntsoeBodies.series(third)))
        #expect(fetched.micros == [1_000, 2_000, 3_000, 4_000])
    }

    @Test func `other contracts and currencies are left out, and named when nothing is left`() async throws {
        let period = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", "PT60M", [(1, "7")])
        let document = EntsoeBodies.document(
            EntsoeBodies.series(period, currency: "PLN"), EntsoeBodies.series(period, contract: "A07"))
        #expect(try await Self.fetch(document, currency: "PLN").micros == [7_000])
        let error = try await Self.refusal(document)
        #expect(error.message == "the prices are in PLN, not EUR")
        let unit = try await Self.refusal(EntsoeBodies.document(EntsoeBodies.series(period, unit: "KWH")))
        #expect(unit.message == "the prices are per KWH, not MWH")
    }

    @Test func `the request names zone, time and token, and only the query has the token`() async throws {
        let period = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", "PT60M", [(1, "7")])
        let server = try ReplayServer { _ in
            .answer(
                200, headers: ["Content-Type": "application/xml; charset=utf-8"],
                EntsoeBodies.document(EntsoeBodies.series(period)))
        }
        let source = try EntsoePrice(zone: "BE", token: "geheim+1", endpoint: server.url)
        _ = try await PriceReplay.fetch(source, "2025-10-26T00:00:00Z", "2025-10-27T23:00:00Z")
        let query = try #require(server.requests.first).query
        #expect(
            query == [
                "documentType": "A44", "contract_MarketAgreement.type": "A01", "in_Domain": "10YBE----------2",
                "out_Domain": "10YBE----------2", "periodStart": "202510260000", "periodEnd": "202510272300",
                "securityToken": "geheim+1",
            ])
        #expect(source.name == "entsoe:BE")
    }

    @Test(arguments: [200, 400])
    func `an acknowledgement without data is not found, any other is shown in its words`(status: Int) async throws {
        func failure(_ text: String) async throws -> EnergyError {
            let server = try ReplayServer { _ in
                .answer(status, headers: ["Content-Type": "text/xml"], EntsoeBodies.acknowledgement(text))
            }
            let source = try EntsoePrice(zone: "BE", token: "geheim-1", endpoint: server.url)
            return try await PriceReplay.failure(source, "2025-10-26T00:00:00Z", "2025-10-28T00:00:00Z")
        }
        let none = try await failure("No matching data found for Data item ENERGY_PRICES [12.1.D]")
        #expect(none.code == .notFound)
        #expect(none.message.contains("No matching data found"))
        let other = try await failure("Delivered Area EIC is not valid; securityToken=geheim-1")
        #expect(other.code == .invalidInput)
        #expect(other.message == "entsoe:BE refuses: Delivered Area EIC is not valid; securityToken=…")
    }

    @Test func `a wrong token and too many requests are told apart`() async throws {
        let server = try ReplayServer { request in
            request.query["securityToken"] == "falsch"
                ? .answer(401, headers: ["Content-Type": "text/xml"], EntsoeBodies.acknowledgement("Unauthorized"))
                : .answer(429, headers: ["Retry-After": "60"], "")
        }
        let wrong = try EntsoePrice(zone: "BE", token: "falsch", endpoint: server.url)
        #expect(
            try await PriceReplay.failure(wrong, "2025-10-26T00:00:00Z", "2025-10-28T00:00:00Z").code == .denied)
        let busy = try EntsoePrice(zone: "BE", token: "recht", endpoint: server.url)
        #expect(
            try await PriceReplay.failure(busy, "2025-10-26T00:00:00Z", "2025-10-28T00:00:00Z")
                .retryAfterMilliseconds == 60_000)
    }

    @Test func `half a document is no answer`() async throws {
        let period = EntsoeBodies.period("2025-10-26T00:00Z", "2025-10-26T01:00Z", "PT60M", [(1, "7")])
        let whole = EntsoeBodies.document(EntsoeBodies.series(period))
        for count in [40, 60, 300] {
            #expect(try await Self.refusal(String(whole.dropLast(count))).code == .unavailable)
        }
        #expect(try await Self.refusal("").code == .unavailable)
        #expect(try await Self.refusal("{}").code == .unavailable)
    }

    static let hostile = [
        "a DOCTYPE": "<!DOCTYPE a [<!ENTITY b \"b\">]><Publication_MarketDocument/>",
        "zero bytes": "<\0?xml version=\"1.0\"?>", "another root": "<a/>",
        "nesting": String(repeating: "<a>", count: 5_000),
        "a long text": "<Publication_MarketDocument>" + String(repeating: "x", count: 9_000),
        "position 0": document(position: "0"), "a position beyond the end": document(position: "3"),
        "a negative position": document(position: "-9223372036854775808"),
        "a huge position": document(position: "99999999999999999999"), "an unknown step": document("P1Y"),
        "a decimal comma": document(amount: "1,5"), "an exponent": document(amount: "1e5"),
        "a huge price": document(amount: "999999999999999"),
        "a period of ages": document(start: "1970-01-01T00:00Z", end: "9999-12-31T00:00Z"),
        "a period backwards": document(start: "2025-10-26T03:00Z"),
        "a period of part of a step": document(start: "2025-10-26T00:10Z"),
        "an unreadable time": document(start: "yesterday"),
    ]

    private static func document(
        _ resolution: String = "PT60M", position: String = "1", amount: String = "1",
        start: String = "2025-10-26T00:00Z", end: String = "2025-10-26T02:00Z"
    ) -> String {
        let period = EntsoeBodies.period(start, end, resolution, [(7_777, amount)])
        return EntsoeBodies.document(EntsoeBodies.series(period)).replacing("7777", with: position)
    }

    @Test(arguments: hostile.keys.sorted())
    func `documents of another form are refused`(what: String) async throws {
        let error = try await Self.refusal(try #require(Self.hostile[what]))
        #expect(error.code == .invalidInput, "\(error.message)")
    }

    @Test func `every zone by name has a code whose last character checks it`() throws {
        for (name, code) in BiddingZone.names {
            #expect(BiddingZone.isCode(code), "\(name)")
            #expect(try BiddingZone(code).code == code)
        }
        #expect(try BiddingZone("de-lu").code == "10Y1001A1001A82H")
    }

    @Test(arguments: ["10YBE----------3", "10Y1001A1001A28H", "XX", "", "10YBE----------é", "10ybe----------2"])
    func `a zone that cannot be is refused`(zone: String) {
        #expect(throws: EnergyError.self) { try EntsoePrice(zone: zone, token: "t") }
    }
}
