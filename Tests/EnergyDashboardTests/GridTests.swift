import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

/// What guidance is made of, as the page of the grid shows it.
struct GridTests {
    private static let start = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T00:00Z
    private static let day = Interval(start: start, milliseconds: .millisecondsPerDay)

    private func formats(_ country: String = "GB") throws -> Formats {
        Formats(language: .english, timeZone: try #require(TimeZone(identifier: "UTC")), country: country)
    }

    private func hour(
        _ hour: Int64, _ grams: Double?, isEstimated: Bool = false, isUsual: Bool = false
    ) -> SignalInterval {
        SignalInterval(
            interval: Interval(
                start: Self.start.advanced(byMilliseconds: hour * .millisecondsPerHour),
                milliseconds: .millisecondsPerHour),
            carbonIntensity: grams, kind: .averageDirect, price: nil, currency: nil, cleanliness: .unknown,
            peak: .unknown, isEstimated: isEstimated, source: "test", isUsual: isUsual)
    }

    private func chart(_ expected: [SignalInterval], _ came: [SignalInterval]) throws -> PastChart {
        PastChart(expected: expected, came: came, in: Self.day, now: Self.day.end, formats: try formats())
    }

    @Test func `what was expected stands beside what came, and what did not come yet is no value`() throws {
        let chart = try chart(
            [hour(0, 100, isEstimated: true), hour(1, 200, isEstimated: true), hour(2, 300, isEstimated: true)],
            [hour(0, 130), hour(1, 190), hour(2, 300, isEstimated: true)])
        #expect(chart.steps.map(\.expected) == [100, 200, 300])
        #expect(chart.steps.map(\.came) == [130, 190, nil])
        #expect(chart.summary == "Expected and came differ by 20 g/kWh on average.")
        #expect(chart.text(chart.steps[0]) == "Wed 00:00–01:00 · expected 100 g/kWh · came 130 g/kWh")
        let html = chart.html().description
        for step in chart.steps { #expect(html.contains("data-text=\"\(chart.text(step))\"")) }
    }

    @Test func `usual values are neither expected nor do they come`() throws {
        let usual = hour(0, 100, isEstimated: true, isUsual: true)
        #expect(try chart([usual], [usual]).steps.isEmpty)
        #expect(try chart([usual], [usual]).html().description.contains("Nothing that came is known"))
        #expect(try chart([hour(0, 130)], [hour(0, 130)]).summary == "It came as expected.")
    }

    private func plan() throws -> RatePlan {
        func zone(_ start: Int, _ end: Int, _ micros: Int64, _ weekdays: UInt32 = 0) -> RateZone {
            RateZone(
                price: Price(microsPerKilowattHour: micros), peak: .unknown, weekdays: weekdays, startMinute: start,
                endMinute: end)
        }
        return RatePlan(
            id: "test", name: "Test", currency: "EUR", timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            zones: [
                zone(0, 420, 200_000), zone(420, 1_050, 300_000), zone(1_050, 1_440, 400_000, 0b001_1111),
                zone(1_050, 1_440, 300_000, 0b110_0000),
            ], changed: Self.start)
    }

    @Test func `a contract is a table of months and hours, and an hour with two prices says so`() throws {
        let map = RateHeatMap(plan: try plan(), formats: try formats())
        let workday = map.cells(0...4)
        #expect(workday.count == 12 && workday.allSatisfy { $0.count == 24 })
        #expect(workday[0].map(\.text)[6...8] == ["0.20", "0.30", "0.30"])
        #expect(workday[0][17] == HeatTable.Cell(text: "*", shade: 5))
        #expect(workday[11].map(\.shade).suffix(7) == [5, 5, 5, 5, 5, 5, 5])
        #expect(map.cells(5...6)[0].map(\.shade)[16...18] == [3, 3, 3])
        let html = map.html().description
        #expect(html.contains("<caption>Monday to Friday</caption>"))
        #expect(html.contains("* differs within the hour or the month."))
    }

    @Test func `what is paid on top of a market's price at all times is a sentence and no table`() throws {
        var plan = try plan()
        plan.priceSource = "market"
        #expect(RateHeatMap(plan: plan, formats: try formats()).html().description.contains("<table>"))
        plan.zones = [
            RateZone(price: Price(microsPerKilowattHour: 140_000), peak: .unknown, startMinute: 0, endMinute: 1_440)
        ]
        let html = RateHeatMap(plan: plan, formats: try formats()).html().description
        #expect(!html.contains("<table>"))
        #expect(html.contains("At all times €0.140 per kWh are paid on top of the price of market"), "\(html)")
        plan.zones = []
        let bare = RateHeatMap(plan: plan, formats: try formats()).html().description
        #expect(bare.contains("What market says is paid, hour by hour."), "\(bare)")
    }

    @Test func `a contract that is the same every day has one table, and no hour without a price is dear`() throws {
        var plan = try plan()
        plan.zones = [plan.zones[0]]
        let map = RateHeatMap(plan: plan, formats: try formats("DE"))
        #expect(map.cells(0...6)[5].map(\.text)[6...7] == ["0,20", ""])
        #expect(map.cells(0...6)[5].map(\.shade)[6...7] == [1, 0])
        #expect(map.html().description.components(separatedBy: "<table>").count == 2)
    }
}
