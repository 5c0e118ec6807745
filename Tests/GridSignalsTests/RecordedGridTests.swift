import EnergyModel
import EnergyStore
import Foundation
import GridSignals
import Testing

enum RecordedGrid {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/us-grid-carbon-hourly/CISO.csv").standardizedFileURL.path
    static var isThere: Bool { FileManager.default.isReadableFile(atPath: path) }
}

/// Two years of California, if the data are there.
@Suite(.enabled(if: RecordedGrid.isThere, "needs ../shared/data/us-grid-carbon-hourly/CISO.csv"))
struct RecordedGridTests {
    static func points(_ start: String, _ end: String, column: String = "ci_direct_g_per_kwh") async throws
        -> SignalSeries
    {
        // CISO labels an hour by its start.
        let format = FileFormat(label: .start, content: .forecast, valueColumn: column)
        return try await FileProvider(path: RecordedGrid.path, format: format).signals(
            region: "CISO", in: try FileProviderTests.interval(start, end), now: try FileProviderTests.time(end)
        ).series
    }

    @Test func `in summer the hours around solar noon are the cleanest`() async throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var (sums, counts) = (Array(repeating: 0.0, count: 24), Array(repeating: 0.0, count: 24))
        for point in try await Self.points("2021-06-01T07:00:00Z", "2021-09-01T07:00:00Z").points {
            let hour = LocalTime(
                point.interval.start, offsetMilliseconds: zone.offsetMilliseconds(at: point.interval.start)
            ).hour
            sums[hour] += point.value
            counts[hour] += 1
        }
        let means = zip(sums, counts).map { $0 / $1 }
        let cleanest = means.indices.sorted { means[$0] < means[$1] }.prefix(5)
        // Solar noon is near 13:00 on the summer clock. With labels taken for ends the middle would be an hour off.
        #expect(cleanest.allSatisfy { 9...15 ~= $0 }, "\(cleanest.sorted())")
    }

    @Test func `the sun's centre says that labels are starts`() async throws {
        // Generation-weighted centre of solar minus solar noon: near 0 for right labels (reference: -0.27 to -0.08 h of
        // the label, that is +0.23 to +0.42 h of the middle of the hour, as CISO reports instants).
        let format = FileFormat(
            label: .start, unit: .gramsPerKilowattHour, content: .forecast, valueColumn: "solar_mwh")
        let series = try await FileProvider(path: RecordedGrid.path, format: format).signals(
            region: "CISO", in: try FileProviderTests.interval("2021-06-01T00:00:00Z", "2021-07-01T00:00:00Z"),
            now: try FileProviderTests.time("2021-07-01T00:00:00Z")
        ).series
        var (weighted, total) = (0.0, 0.0)
        for point in series.points {
            // Mean solar time at 119.5 degrees west, where the panels are.
            let local = point.interval.start.unixMilliseconds - Int64(119.5 / 15 * 3_600_000)
            weighted += Double(local % .millisecondsPerDay) / 3_600_000 * point.value
            total += point.value
        }
        #expect(abs(weighted / total - 12) < 0.4, "\(weighted / total)")
    }

    @Test func `the 28-day mean captures what it should of the perfect saving`() async throws {
        let all = try await Self.points("2021-05-01T00:00:00Z", "2022-01-01T00:00:00Z")
        let zone = TimeZone.gmt  // as in the reference protocol
        var (got, perfect, day) = (0.0, 0.0, try FileProviderTests.time("2021-07-01T00:00:00Z"))
        let end = try FileProviderTests.time("2022-01-01T00:00:00Z")
        while day < end {
            let forecast = SameHourForecast(
                history: all.ended(by: day), stepMilliseconds: .millisecondsPerHour, timeZone: zone)
            let actual = all.overlapping(Interval(start: day, milliseconds: .millisecondsPerDay)).map(\.value)
            let expected = try (0..<24).map {
                try #require(forecast.point(at: day.advanced(byMilliseconds: $0 * .millisecondsPerHour)))
                    .value
            }
            let mean = actual.reduce(0, +) / 24
            let picked = expected.indices.sorted { expected[$0] < expected[$1] }.prefix(4).map { actual[$0] }
            got += mean - picked.reduce(0, +) / 4
            perfect += mean - actual.sorted().prefix(4).reduce(0, +) / 4
            day = day.advanced(byMilliseconds: .millisecondsPerDay)
        }
        // Reference: 0.965.
        #expect(0.95...0.98 ~= got / perfect, "\(got / perfect)")
    }
}
