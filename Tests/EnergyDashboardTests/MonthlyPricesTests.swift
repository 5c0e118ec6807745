import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyDashboard

struct MonthlyPricesTests {
    private let services = FakeServices()
    private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// 2026-07-01T02:00 in Berlin, as the pages' clock says.
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)

    /// A home with a market's prices: by night 10 ct more than the number of the month, by day another 10.
    private func home() -> PageRequest {
        let venue = Venue(
            id: UUID(), name: "Home", timeZone: zone, region: "DE", ratePlanID: "spot",
            changed: Timestamp(unixMilliseconds: 0))
        services.state.venues = [venue]
        services.state.plans = [
            RatePlan(
                id: "spot", name: "Spot", currency: "EUR", timeZone: zone, zones: [], priceSource: "market",
                changed: Timestamp(unixMilliseconds: 0))
        ]
        services.state.history = { [zone] interval in
            var (intervals, start) = ([SignalInterval](), interval.start)
            while start < interval.end {
                let time = LocalTime(start, offsetMilliseconds: zone.offsetMilliseconds(at: start))
                let micros = Int64(time.month) * 10_000 + (time.hour < 12 ? 100_000 : 200_000)
                intervals.append(
                    SignalInterval(
                        interval: Interval(start: start, milliseconds: .millisecondsPerHour), carbonIntensity: nil,
                        kind: .averageDirect, price: Price(microsPerKilowattHour: micros), currency: "EUR",
                        cleanliness: .unknown, peak: .unknown, isEstimated: false, source: "market"))
                start = start.advanced(byMilliseconds: .millisecondsPerHour)
            }
            return intervals
        }
        return .sent("/grid")
    }

    private func page(_ pages: Pages, _ request: PageRequest) async throws -> String {
        String(decoding: await pages.grid(request).body, as: UTF8.self)
    }

    @Test func `each month has the mean of each hour, the newest first, in autumn too`() async throws {
        let html = try await page(services.pages, home())
        let start = try #require(html.range(of: "<caption>Month by month</caption>")).upperBound
        let table = html[start...].prefix { _ in true }
        let names = table.matches(of: #/<th scope="row">(\w+ \d{4})</th>/#).map { String($0.output.1) }
        #expect(names.prefix(3) == ["Jul 2026", "Jun 2026", "May 2026"] && names.count == 12)
        let october = try #require(table.range(of: "Oct 2025")).upperBound
        #expect(table[october...].firstMatch(of: #/<td class="shade-\d">(.*?)</td>/#)?.output.1 == "0,20")
    }

    @Test func `a month that is over is asked for once`() async throws {
        let (request, pages) = (home(), services.pages)
        _ = try await page(pages, request)
        let first = services.state.historyAsked
        _ = try await page(pages, request)
        // What goes on: two of the last hours, the last week, and the month that goes on.
        #expect(first > 20 && services.state.historyAsked - first <= 4)
    }

    @Test func `months of which nothing is known are left out`() {
        let formats = Formats(language: .german, timeZone: zone, country: "DE")
        var means = HourMeans()
        means.add(Price(microsPerKilowattHour: 100_000), hour: 3, milliseconds: 900_000)
        means.add(Price(microsPerKilowattHour: 400_000), hour: 3, milliseconds: 1_800_000)
        let months = [
            MonthlyPrices.Month(start: Self.now, means: means),
            .init(start: .init(unixMilliseconds: 0), means: HourMeans()),
        ]
        let rows = MonthlyPrices(months: months, formats: formats).rows
        #expect(rows.map(\.name) == ["Juli 2026"] && rows[0].cells[3].text == "0,30" && rows[0].cells[4] == .none)
        #expect(MonthlyPrices(months: [], formats: formats).html() == HTML())
    }
}
