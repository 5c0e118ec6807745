import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct ChartTests {
    private static let start = Timestamp(unixMilliseconds: 1_792_879_200_000)  // 2026-10-25T00:00 in Berlin

    private func value(_ hour: Int64, _ rating: Double) -> GuidanceValue {
        GuidanceValue(
            interval: Interval(
                start: Self.start.advanced(byMilliseconds: hour * .millisecondsPerHour),
                milliseconds: .millisecondsPerHour), rating: rating)
    }

    @Test func `bands change at 0.3 and 0.6, as ratings are shown`() {
        let spans = RatingSpan.spans(of: [
            value(0, 0.1), value(1, 0.304), value(2, 0.306), value(3, 0.6), value(4, 0.61), value(6, 0.9),
        ])
        #expect(spans.map(\.band) == [.good, .fair, .avoid, .avoid])
        #expect(spans.map { $0.interval.milliseconds / .millisecondsPerHour } == [2, 2, 1, 1])
    }

    @Test func `a day of 25 hours has its ticks where the clocks show them`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let axis = TimeAxis(interval: Interval(start: Self.start, milliseconds: 25 * .millisecondsPerHour))
        let ticks = axis.ticks(Formats(language: .english, timeZone: zone))
        #expect(ticks.map(\.label) == ["Sun", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00"])
        #expect(ticks[1].instant.milliseconds(since: Self.start) == 4 * .millisecondsPerHour)
        #expect(ticks.filter { !$0.isMinor }.map(\.label) == ["Sun", "06:00", "12:00", "18:00"])
    }

    @Test(arguments: ["Asia/Kolkata", "Asia/Kathmandu"])
    func `hours that begin at a half or a quarter have their ticks`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let axis = TimeAxis(interval: Interval(start: Self.start, milliseconds: .millisecondsPerDay))
        let ticks = axis.ticks(Formats(language: .english, timeZone: zone, country: "GB"))
        #expect(ticks.map(\.label) == ["06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "Mon", "03:00"])
    }

    @Test func `of two days a narrow screen shows noon and midnight`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let axis = TimeAxis(interval: Interval(start: Self.start, milliseconds: 2 * .millisecondsPerDay))
        let ticks = axis.ticks(Formats(language: .english, timeZone: zone))
        #expect(ticks.count > 12 && ticks.filter { !$0.isMinor }.map(\.label) == ["Sun", "12:00", "Mon", "12:00"])
    }

    @Test(arguments: [(0.0, 4), (0.9, 5), (7.4, 4), (37, 4), (1_001, 6), (1e-7, 6), (.infinity, 4)])
    func `an axis ends at a round number above what is on it`(largest: Double, ticksMax: Int) {
        let axis = QuantityAxis(largest: largest, height: 100)
        #expect(axis.max >= (largest.isFinite ? largest : 0))
        #expect(2...ticksMax + 1 ~= axis.ticks.count)
        #expect(axis.y(0) == 100)
        #expect(axis.y(axis.max) == 0)
        #expect(axis.y(.infinity) == 0)
    }

    @Test func `a chart says the same to eyes, keyboards and tables`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let values = [value(0, 0.1), value(1, 0.5), value(2, 0.9)]
        let guidance = Guidance(
            token: UUID(), venueID: UUID(), action: .shift,
            interval: Interval(start: Self.start, milliseconds: 3 * .millisecondsPerHour), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: Self.start,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
        let chart = GuidanceChart(
            guidance: guidance, now: Self.start, formats: Formats(language: .english, timeZone: zone))
        let html = chart.html().description
        // In Germany decimals stand behind a comma, whatever the language.
        #expect(chart.text(values[0]) == "00:00–01:00 · Good (0,10)")
        for text in values.map(chart.text) { #expect(html.contains("data-text=\"\(text)\"")) }
        #expect(html.contains("<th scope=\"row\">01:00–02:00 (+02:00)</th><td>Fair (0,50)</td>"))
        #expect(html.contains("fill=\"url(#hatch-avoid)\""))
        #expect(!html.contains("style="))
    }

    @Test func `bars are cut to what is seen, in percent`() {
        let axis = TimeAxis(interval: Interval(start: Self.start, milliseconds: 4 * .millisecondsPerHour))
        let before = Interval(
            start: Self.start.advanced(byMilliseconds: -.millisecondsPerHour),
            milliseconds: 2 * .millisecondsPerHour)
        #expect(axis.extent(before)?.left == 0)
        #expect(axis.extent(before)?.width == 25)
        #expect(Attribute.percent("x", 33.337).value == "33.33%")
        #expect(Attribute.percent("x", -0.5).value == "-0.50%")
        #expect(Attribute.percent("x", .nan).value == "0%")
    }
}
