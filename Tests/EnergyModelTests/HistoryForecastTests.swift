import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@Suite struct HistoryForecastTests {
    private static let hour = Int64.millisecondsPerHour
    /// Midnight in UTC of Thursday, 2021-07-01.
    private static let now = Timestamp(unixMilliseconds: 1_625_097_600_000)

    private static func at(hours: Int) -> Timestamp { now.advanced(byMilliseconds: Int64(hours) * hour) }

    /// The last `days` before `now`, hour by hour; the value is told the hours since `now`.
    private static func history(
        days: Int, until end: Int = 0, _ value: (Int) -> Double?
    ) -> SignalSeries {
        SignalSeries(
            (-days * 24..<end).compactMap { index in
                value(index).map {
                    SignalPoint(
                        interval: Interval(start: at(hours: index), milliseconds: hour), value: $0,
                        isEstimated: false)
                }
            })
    }

    private static func forecast(
        _ series: SignalSeries, step: Int64 = hour, zone: TimeZone = .gmt, hours: Int = 24
    ) -> HistoryForecast {
        HistoryForecast(
            history: series, older: HourlyHistory(series), stepMilliseconds: step, timeZone: zone,
            until: at(hours: hours))
    }

    private static func values(_ series: SignalSeries, hours: Int = 24) throws -> [Double] {
        let forecast = forecast(series, hours: hours)
        return try (0..<hours).map { try #require(forecast.point(at: at(hours: $0))).value }
    }

    /// A daily shape, and a deviation that fades by a tenth an hour.
    private static func drifting(seed: UInt64, hours: Range<Int>) -> [Int: Double] {
        var (random, deviation, result) = (SplitMix64(seed: seed), 0.0, [Int: Double]())
        for index in hours {
            deviation = 0.9 * deviation + Double.random(in: -20...20, using: &random)
            result[index] = 300 + 40 * sin(Double(index) / 12 * .pi) + deviation
        }
        return result
    }

    @Test func `a day that always repeats is expected to repeat`() throws {
        let shape: (Int) -> Double = { 200 + Double((($0 % 24) + 24) % 24) }
        let expected = try Self.values(Self.history(days: 100, shape))
        for (index, value) in expected.enumerated() { #expect(abs(value - shape(index)) < 1e-6) }
    }

    @Test func `follows the local clock over a change of time`() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let start = Timestamp(try #require(ISO8601DateFormatter().date(from: "2021-11-07T07:00:00Z")))
        let history = SameHourForecastTests.history(zone, until: start, days: 120)
        let forecast = HistoryForecast(
            history: history, older: HourlyHistory(history), stepMilliseconds: Self.hour, timeZone: zone,
            until: start.advanced(byMilliseconds: 25 * Self.hour))
        let hours = try (0..<25).map {
            try #require(forecast.point(at: start.advanced(byMilliseconds: $0 * Self.hour))).value.rounded()
        }
        #expect(hours == [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])
    }

    @Test func `knows more than the mean of a signal that drifts`() throws {
        var (ours, means) = (0.0, 0.0)
        for seed in UInt64(0)..<20 {
            let all = Self.drifting(seed: seed, hours: -120 * 24..<24)
            let series = Self.history(days: 120) { all[$0] }
            let mean = SameHourForecast(history: series, stepMilliseconds: Self.hour, timeZone: .gmt)
            // Only the near hours can be known better: of later ones the drift says nothing.
            for (index, value) in try Self.values(series, hours: 3).enumerated() {
                let actual = try #require(all[index])
                ours += abs(value - actual)
                means += abs(try #require(mean.point(at: Self.at(hours: index))).value - actual)
            }
        }
        #expect(ours < 0.8 * means, "\(ours) \(means)")
    }

    @Test func `expects a clean Sunday after half a year of them`() throws {
        // now is a Thursday: Sunday begins after 72 hours.
        let zone = TimeZone.gmt
        var random = SplitMix64(seed: 3)
        let series = Self.history(days: 200) { index in
            let day = LocalTime(Self.at(hours: index), offsetMilliseconds: 0).weekday
            let noise = Double.random(in: -10...10, using: &random)
            return 300 + (day == 6 ? -60 : 0) + Double(((index % 24) + 24) % 24) + noise
        }
        let forecast = Self.forecast(series, zone: zone, hours: 120)
        let saturday = try #require(forecast.point(at: Self.at(hours: 2 * 24 + 12))).value
        let sunday = try #require(forecast.point(at: Self.at(hours: 3 * 24 + 12))).value
        #expect(saturday - sunday > 40, "\(saturday) \(sunday)")
    }

    @Test func `one spike does not rule a month`() throws {
        let shape: (Int) -> Double = { 30 + 10 * sin(Double($0) / 12 * .pi) }
        let usual = try Self.values(Self.history(days: 100, shape))
        let spiked = try Self.values(Self.history(days: 100) { $0 == -5 * 24 + 3 ? 9_000 : shape($0) })
        for (left, right) in zip(usual, spiked) { #expect(abs(left - right) < 5) }
    }

    @Test(arguments: [7, 20, 34]) func `with little history it is the mean`(days: Int) throws {
        let all = Self.drifting(seed: 7, hours: -days * 24..<0)
        let series = Self.history(days: days) { all[$0] }
        let mean = SameHourForecast(history: series, stepMilliseconds: Self.hour, timeZone: .gmt)
        for (index, value) in try Self.values(series).enumerated() {
            #expect(abs(value - (mean.point(at: Self.at(hours: index))?.value ?? .nan)) < 1e-9)
        }
    }

    @Test func `with less than a week of history it knows nothing`() {
        #expect(Self.forecast(Self.history(days: 6) { _ in 1 }).point(at: Self.now) == nil)
        #expect(Self.forecast(.empty).point(at: Self.now) == nil)
    }

    @Test(arguments: UInt64(0)..<10) func `tolerates gaps, lags and constant signals`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let all = Self.drifting(seed: seed, hours: -150 * 24..<0)
        let isConstant = seed % 5 == 0
        let gappy = Self.history(days: 150, until: -Int.random(in: 0...200, using: &random)) { index in
            Int.random(in: 0..<4, using: &random) == 0 ? nil : isConstant ? 300 : all[index]
        }
        for value in try Self.values(gappy, hours: 48) { #expect((100.0...500).contains(value), "\(value)") }
    }

    @Test(arguments: UInt64(0)..<10) func `does not depend on the unit`(seed: UInt64) throws {
        let all = Self.drifting(seed: seed, hours: -100 * 24..<0)
        let one = try Self.values(Self.history(days: 100) { all[$0] })
        let other = try Self.values(Self.history(days: 100) { all[$0].map { 3 * $0 + 1_000 } })
        for (left, right) in zip(one, other) { #expect(abs(3 * left + 1_000 - right) < 1e-6) }
    }

    @Test func `never negative, unless the signal was`() throws {
        var random = SplitMix64(seed: 1)
        let noise = (0..<2_400).map { _ in Double.random(in: -30...60, using: &random) }
        let clamped = try Self.values(Self.history(days: 100) { max(0, noise[$0 + 2_400] - 40) })
        #expect(clamped.allSatisfy { $0 >= 0 })
        let prices = try Self.values(Self.history(days: 100) { noise[$0 + 2_400] - 100 })
        #expect(prices.allSatisfy { $0 < 0 })
    }

    @Test func `quarter hours keep their own shape`() throws {
        let quarter = Int64.millisecondsPerMinute * 15
        func start(_ index: Int) -> Timestamp { Self.now.advanced(byMilliseconds: Int64(index) * quarter) }
        func value(_ index: Int) -> Double { 100 + Double((index % 96 + 96) % 96) }
        let points: [SignalPoint] = (-60 * 96..<0).map { index in
            SignalPoint(
                interval: Interval(start: start(index), milliseconds: quarter), value: value(index),
                isEstimated: false)
        }
        let forecast = Self.forecast(SignalSeries(points), step: quarter)
        for index in 0..<96 {
            let point = try #require(forecast.point(at: start(index)))
            #expect(abs(point.value - value(index)) < 1e-6)
        }
    }

    @Test(arguments: UInt64(0)..<10) func `ratings of carbon alone are in the order of the forecast`(seed: UInt64)
        throws
    {
        let all = Self.drifting(seed: seed, hours: -100 * 24..<0)
        let window = try Self.values(Self.history(days: 100) { all[$0] }).enumerated().map { index, value in
            RatingMethod.Input(
                interval: Interval(start: Self.at(hours: index), milliseconds: Self.hour), carbonIntensity: value)
        }
        let ratings = RatingMethod().rate(window, action: .shift).ratings
        let order = window.indices.sorted { window[$0].carbonIntensity < window[$1].carbonIntensity }
        for (before, after) in zip(order, order.dropFirst()) { #expect(ratings[before] <= ratings[after]) }
    }

    @Test func `histories continue each other, with gaps, and have a limit`() {
        let first = HourlyHistory(Self.history(days: 10, until: -48) { Double($0) })
        let second = HourlyHistory(Self.history(days: 3) { _ in 7 })
        let both = first.continued(by: second)
        #expect(both.values.count == 240 && both.end == Self.now)
        #expect(both.values[0] == -240 && both.values[240 - 72] == 7)
        let apart = HourlyHistory(Self.history(days: 10, until: -120) { _ in 1 }).continued(by: second)
        #expect(apart.values.count == 240 && apart.values.count { $0.isNaN } == 48)
        #expect(first.continued(by: .empty) == first && HourlyHistory.empty.continued(by: first) == first)
        #expect(HourlyHistory(Self.history(days: 500) { _ in 1 }).values.count == HourlyHistory.hoursMax)
    }
}
