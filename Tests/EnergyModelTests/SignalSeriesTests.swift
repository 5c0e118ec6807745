import EnergyModel
import Foundation
import Testing

@Suite struct SignalSeriesTests {
    static let start = Timestamp(unixMilliseconds: 1_625_097_600_000)  // 2021-07-01T00:00Z

    static func point(minute: Int64, length: Int64 = 60, _ value: Double) -> SignalPoint {
        SignalPoint(
            interval: Interval(
                start: start.advanced(byMilliseconds: minute * .millisecondsPerMinute),
                milliseconds: length * .millisecondsPerMinute),
            value: value, isEstimated: false)
    }

    static func resampled(_ points: [SignalPoint], hours: Int64, stepMinutes: Int64 = 60) -> [SignalPoint?] {
        SignalSeries(points).resampled(
            over: Interval(start: start, milliseconds: hours * .millisecondsPerHour),
            stepMilliseconds: stepMinutes * .millisecondsPerMinute)
    }

    @Test func `means are weighted by time`() {
        let steps = Self.resampled(
            [Self.point(minute: 0, length: 45, 100), Self.point(minute: 45, length: 15, 500)], hours: 1)
        #expect(steps.map(\.?.value) == [200])
        #expect(steps.map(\.?.isEstimated) == [false])
    }

    @Test func `a long value serves every shorter step`() {
        let steps = Self.resampled(
            [Self.point(minute: 0, 100), Self.point(minute: 60, 300)], hours: 2, stepMinutes: 15)
        #expect(steps.map(\.?.value) == [100, 100, 100, 100, 300, 300, 300, 300])
    }

    @Test func `gaps of up to two steps are bridged and marked, longer ones are unknown`() {
        let two = Self.resampled([Self.point(minute: 0, 100), Self.point(minute: 180, 200)], hours: 5)
        #expect(two.map(\.?.value) == [100, 150, 150, 200, nil])
        #expect(two.map(\.?.isEstimated) == [false, true, true, false, nil])
        let three = Self.resampled([Self.point(minute: 0, 100), Self.point(minute: 240, 200)], hours: 5)
        #expect(three.map(\.?.value) == [100, nil, nil, nil, 200])
    }

    @Test func `a step that the data cover in part is unknown`() {
        let steps = Self.resampled([Self.point(minute: 30, 100)], hours: 2)
        #expect(steps == [nil, nil])
    }

    @Test func `of overlapping values the later given wins, in any order`() {
        let series = SignalSeries([
            Self.point(minute: 60, 2), Self.point(minute: 0, 1), Self.point(minute: 60, 3),
            Self.point(minute: 150, length: 60, 4), Self.point(minute: 120, length: 60, 5),
        ])
        #expect(series.points.map(\.value) == [1, 3, 5, 4])
        #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.interval.end <= $1.interval.start })
    }

    @Test func `finds what touches an interval and what has ended`() throws {
        let series = SignalSeries((0..<10).map { Self.point(minute: $0 * 60, Double($0)) })
        let middle = try #require(
            Interval(start: Self.point(minute: 90, 0).interval.start, end: Self.point(minute: 180, 0).interval.start))
        #expect(series.overlapping(middle).map(\.value) == [1, 2])
        #expect(series.ended(by: middle.end).points.count == 3)
        #expect(SignalSeries.empty.overlapping(middle).isEmpty)
    }
}

@Suite struct SameHourForecastTests {
    /// 40 days whose value is the local hour, on a clock that changes on 2021-11-07.
    static func history(_ zone: TimeZone, until end: Timestamp, days: Int64 = 40) -> SignalSeries {
        let interval = Interval(
            start: end.advanced(byMilliseconds: -days * .millisecondsPerDay), milliseconds: days * .millisecondsPerDay)
        return SignalSeries(
            stride(from: interval.start.unixMilliseconds, to: end.unixMilliseconds, by: 3_600_000).map { start in
                let start = Timestamp(unixMilliseconds: start)
                let local = LocalTime(start, offsetMilliseconds: zone.offsetMilliseconds(at: start))
                return SignalPoint(
                    interval: Interval(start: start, milliseconds: .millisecondsPerHour),
                    value: Double(local.hour), isEstimated: false)
            })
    }

    @Test(arguments: [0, 30]) func `follows the local clock over a change of time`(lagHours: Int64) throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let now = Timestamp(try #require(ISO8601DateFormatter().date(from: "2021-11-07T07:00:00Z")))
        let history = Self.history(zone, until: now.advanced(byMilliseconds: -lagHours * .millisecondsPerHour))
        let forecast = SameHourForecast(history: history, stepMilliseconds: .millisecondsPerHour, timeZone: zone)
        // Midnight to midnight of a day of 25 hours: 1 o'clock comes twice.
        let hours = (0..<25).map { now.advanced(byMilliseconds: $0 * .millisecondsPerHour) }
        #expect(
            hours.map { forecast.point(at: $0)?.value }
                == [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])
        #expect(hours.allSatisfy { forecast.point(at: $0)?.isEstimated == true })
    }

    @Test func `needs seven days, and tolerates gaps`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Kolkata"))  // half an hour off
        let now = Timestamp(unixMilliseconds: 1_625_097_600_000)
        func forecast(_ history: SignalSeries) -> SameHourForecast {
            SameHourForecast(history: history, stepMilliseconds: .millisecondsPerHour, timeZone: zone)
        }
        #expect(forecast(Self.history(zone, until: now, days: 6)).point(at: now) == nil)
        #expect(forecast(Self.history(zone, until: now, days: 7)).point(at: now)?.value == 5)
        #expect(forecast(.empty).point(at: now) == nil)
        let gappy = SignalSeries(
            Self.history(zone, until: now, days: 20).points.enumerated().filter { $0.offset / 24 % 3 != 0 }.map(
                \.element))
        #expect(forecast(gappy).point(at: now)?.value == 5)
    }
}
