import EnergyModel
import EnergyStore
import Foundation
import GridSignals
import Testing

@Suite struct ClimatologyProviderTests {
    static func interval(_ start: String, hours: Int64) throws -> Interval {
        Interval(start: try FileProviderTests.time(start), milliseconds: hours * .millisecondsPerHour)
    }

    @Test(arguments: ["CISO", "PJM", "ERCO", "ISNE", "caiso", "US-CAL-CISO", "ISO-NE"])
    func `every hour of a year is known and marked as estimated`(region: String) async throws {
        let year = try Self.interval("2026-01-01T00:00:00Z", hours: 8760)
        let report = try await ClimatologyProvider().signals(region: region, in: year, now: year.start)
        #expect(report.series.points.count == 8760)
        #expect(report.series.points.allSatisfy { $0.isEstimated && $0.value > 50 })
        #expect(
            zip(report.series.points, report.series.points.dropFirst()).allSatisfy {
                $0.interval.end == $1.interval.start
            })
        #expect(report.newestMeasured == nil)
    }

    @Test func `reads the table on the local clock, on days of 23 and 25 hours too`() async throws {
        // January, midnight in Los Angeles: the first row.
        let january = try Self.interval("2026-01-15T08:30:00Z", hours: 1)
        let first = try await ClimatologyProvider().signals(region: "CISO", in: january, now: january.start)
        #expect(first.series.points.map(\.value).first == 252.1)
        let lifecycle = try await ClimatologyProvider(kind: .averageLifecycle).signals(
            region: "CISO", in: january, now: january.start)
        #expect(lifecycle.series.points.map(\.value).first == 338.6)
        let autumn = try Self.interval("2026-11-01T07:00:00Z", hours: 25)
        let long = try await ClimatologyProvider().signals(region: "CISO", in: autumn, now: autumn.start)
        #expect(long.series.points.count == 25)
        #expect(long.series.points[1].value == long.series.points[2].value)
    }

    @Test func `an unknown region is told which there are`() async throws {
        let day = try Self.interval("2026-01-01T00:00:00Z", hours: 24)
        let error = await #expect(throws: EnergyError.self) {
            try await ClimatologyProvider().signals(region: "DE", in: day, now: day.start)
        }
        #expect(error?.code == .notFound)
        #expect(error?.message == "knows CISO, ERCO, ISNE, PJM, not DE")
        #expect(throws: EnergyError.self) { try ClimatologyProvider(kind: .marginal) }
    }
}
