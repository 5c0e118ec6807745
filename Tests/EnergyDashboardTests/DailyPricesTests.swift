import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct DailyPricesTests {
    /// 2026-10-25T00:00 in Berlin, a day of 25 hours.
    private static let start = Timestamp(unixMilliseconds: 1_792_879_200_000)

    private func formats() throws -> Formats {
        Formats(language: .english, timeZone: try #require(TimeZone(identifier: "Europe/Berlin")), country: "GB")
    }

    private func interval(_ hours: Double, _ length: Double = 1) -> Interval {
        Interval(
            start: Self.start.advanced(byMilliseconds: Int64(hours * 3_600_000)),
            milliseconds: Int64(length * 3_600_000))
    }

    private func was(_ hours: Double, _ micros: Int64?, _ length: Double = 1) -> SignalInterval {
        SignalInterval(
            interval: interval(hours, length), carbonIntensity: nil, kind: .averageDirect,
            price: micros.map(Price.init(microsPerKilowattHour:)), currency: micros.map { _ in "EUR" },
            cleanliness: .unknown, peak: .unknown, isEstimated: false, source: "test")
    }

    private func ahead(_ hours: Double, _ micros: Int64?) -> GuidanceValue {
        GuidanceValue(
            interval: interval(hours), rating: 0.5, carbonIntensity: nil,
            price: micros.map(Price.init(microsPerKilowattHour:)))
    }

    @Test func `hours have the mean of their prices, on the home's clocks, and dearer ones are darker`() throws {
        let prices = DailyPrices(
            past: [was(0, 100_000, 0.5), was(0.5, 300_000, 0.5), was(2, 200_000), was(3, 400_000), was(4, nil)],
            ahead: [ahead(25, 500_000), ahead(26, nil)], currency: "EUR", formats: try formats())
        #expect(prices.rows.map(\.name) == ["Mon 26 Oct", "Sun 25 Oct"])
        let sunday = prices.rows[1].cells
        #expect(sunday.map(\.text).prefix(5) == ["0.20", "", "0.30", "", ""], "the clocks read 2 twice")
        #expect(prices.rows[0].cells[0] == HeatTable.Cell(text: "0.50", shade: HeatTable.shades))
        #expect(prices.rows[0].cells[1] == .none)
        #expect(sunday[0].shade == 1)
    }

    @Test func `what is ahead counts where the past says it, too`() throws {
        let prices = DailyPrices(
            past: [was(0, 100_000, 3)], ahead: [ahead(2, 300_000)], currency: "EUR", formats: try formats())
        #expect(prices.rows[0].cells.map(\.text).prefix(3) == ["0.10", "0.10", "0.30"])
    }

    @Test func `without any price nothing is shown`() throws {
        let prices = DailyPrices(past: [], ahead: [ahead(0, nil)], currency: "EUR", formats: try formats())
        #expect(prices.html() == HTML())
    }
}
