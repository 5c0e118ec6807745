import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Testing

/// 9,802 real sessions, real carbon and a real tariff, answered by SQL that was written apart from ours.
///
/// - Source: ACN-Data (Lee, Li, Low, e-Energy 2019), CC BY 4.0; SCE TOU-EV-4.
struct InsightOracleTests {
    private static let data = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data").standardizedFileURL
    private static let files = [
        "ev-sessions-acn/caltech.csv", "us-grid-carbon-hourly/CISO.csv",
        "tariffs/acnportal/sce_tou_ev_4_march_2019.json",
    ]
    static let isPresent = files.allSatisfy { FileManager.default.fileExists(atPath: data.appending(path: $0).path()) }
    private static let timeZone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt

    @Test(
        .enabled(if: isPresent, "../shared/data is not here"),
        .enabled("no .venv with Python: `make test` makes one") { try await PythonOracle.has("sqlite3") })
    func `SQL over the raw sessions says the same, to the mWh, the millionth and the milligram`() async throws {
        let log = try Self.log()
        let store = InMemoryInsightStore()
        try await InsightProjector(
            store: store, signals: try RealSignals(Self.data), venues: ScriptedVenues(Self.timeZone.identifier)
        ).project(log.records)
        let service = InsightService(store: store, venues: ScriptedVenues(Self.timeZone.identifier))
        let oracle = try await onThread {
            try PythonOracle("insight_oracle.py", files: Self.files.map { "../shared/data/" + $0 })
        }
        for (granularity, station) in [
            (Granularity.hourly, String?.none), (.daily, nil), (.monthly, nil), (.yearly, nil), (.hourly, "CA-305"),
            (.daily, "CA-327"), (.monthly, "CA-322"),
        ] {
            let query = InsightQuery(
                venueID: log.venueID, deviceID: station,
                range: try Interval("2019-04-30T00:00:00Z", "2021-09-10T00:00:00Z"), granularity: granularity,
                byCleanliness: true, exactRange: true)
            let ours = try await service.records(query).filter { $0.total.energy > .zero }.map { record in
                [
                    record.interval.start.unixMilliseconds, record.total.energy.milliwattHours,
                    record.worth.costs.first?.micros ?? 0, record.worth.carbon.first?.milligrams ?? 0,
                    record.worth.carbon.first?.energy.milliwattHours ?? 0,
                    record.byCleanliness?[.cleaner]?.energy.milliwattHours ?? 0,
                ]
            }
            let request = "\(granularity.rawValue) \(station ?? "")"
            let answer = try await onThread { try oracle.ask(request) }
            let theirs = try JSONDecoder().decode([[Int64]].self, from: Data(answer.utf8))
            #expect(ours.count == theirs.count && !ours.isEmpty)
            let differences = zip(ours, theirs).filter { $0 != $1 }
            #expect(differences.isEmpty, "\(request): \(differences.prefix(3))")
        }
        try await onThread { try oracle.stop() }
    }

    private static func log() throws -> SampleLog {
        var log = SampleLog()
        for line in try String(contentsOf: data.appending(path: files[0]), encoding: .utf8).split(separator: "\n")
            .dropFirst()
        {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let energy = Int64((try #require(Double(fields[3])) * 1_000_000).rounded())
            func time(_ text: Substring) throws -> Timestamp {
                try Timestamp(String(text).replacing(" ", with: "T", maxReplacements: 1))
            }
            log.append(
                log.session(device: String(fields[4]), [(try time(fields[0]), 0, 0), (try time(fields[1]), 0, energy)]))
        }
        return log
    }

    /// Recorded carbon, and the tariff as the model prices it.
    private struct RealSignals: SignalSource {
        private let carbon: [Timestamp: Double]
        private let plan: RatePlan

        init(_ folder: URL) throws {
            let lines = try String(contentsOf: folder.appending(path: files[1]), encoding: .utf8).split(separator: "\n")
            carbon = try Dictionary(
                uniqueKeysWithValues: lines.dropFirst().map { line in
                    let fields = line.split(separator: ",")
                    return (try Timestamp(String(fields[0])), try #require(Double(fields[2])))
                })
            plan = try Self.plan(Data(contentsOf: folder.appending(path: files[2])))
        }

        private struct Tariff: Decodable {
            struct Entry: Decodable {
                let effectiveStart, effectiveEnd, dowMask: String
                let times: [Int]
                let tariffs: [Double]
            }
            let schedule: [Entry]
        }

        private static func plan(_ data: Data) throws -> RatePlan {
            func day(_ text: String) throws -> Season.Day {
                let parts = text.split(separator: "-").compactMap { Int($0) }
                return try #require(Season.Day(month: parts[0], day: parts[1]))
            }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let zones = try decoder.decode(Tariff.self, from: data).schedule.flatMap { entry in
                try entry.times.indices.map { index in
                    RateZone(
                        price: Price(microsPerKilowattHour: Int64((entry.tariffs[index] * 1_000_000).rounded())),
                        peak: .offPeak, weekdays: entry.dowMask == "WEEKDAYS" ? 0b001_1111 : 0b110_0000,
                        season: Season(first: try day(entry.effectiveStart), last: try day(entry.effectiveEnd)),
                        startMinute: entry.times[index] * 60,
                        endMinute: index + 1 < entry.times.count ? entry.times[index + 1] * 60 : 1440)
                }
            }
            return RatePlan(
                id: "sce", name: "SCE TOU-EV-4", currency: "USD", timeZone: timeZone, zones: zones,
                changed: Timestamp(unixMilliseconds: 0))
        }

        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            stride(from: interval.start.unixMilliseconds, to: interval.end.unixMilliseconds, by: 3_600_000).map {
                let hour = Interval(start: Timestamp(unixMilliseconds: $0), milliseconds: .millisecondsPerHour)
                let (grams, priced) = (carbon[hour.start], plan.priced(hour).first)
                return SignalInterval(
                    interval: hour, carbonIntensity: grams, kind: .averageLifecycle, price: priced?.price,
                    currency: "USD", cleanliness: grams.map { $0 < 250 ? .cleaner : .lessClean } ?? .unknown,
                    peak: priced?.peak ?? .unknown, isEstimated: false, source: "recorded")
            }
        }
    }
}
