import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Testing

/// 9,802 real sessions of a workplace in Los Angeles' time, two years with four changes of the clocks.
///
/// - Source: ACN-Data (Lee, Li, Low, e-Energy 2019), CC BY 4.0.
struct RealSessionTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/ev-sessions-acn/caltech.csv").standardizedFileURL
    static let isPresent = FileManager.default.fileExists(atPath: file.path())

    @Test(.enabled(if: isPresent, "../shared/data/ev-sessions-acn/caltech.csv is not here"))
    func `delivered energy is conserved per session, per station and per venue`() async throws {
        var log = SampleLog()
        var delivered: [String: Int64] = [:]
        let classes = TermsTimeline(try await Self.hourlyClasses())
        for line in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let energy = Int64((try #require(Double(fields[3])) * 1_000_000).rounded())
            let (arrival, departure) = (try Self.time(fields[0]), try Self.time(fields[1]))
            let events = log.session(device: String(fields[4]), [(arrival, 0, 0), (departure, 0, energy)])
            log.append(events)
            delivered[String(fields[4]), default: 0] += energy
            #expect(try Self.shares(events, classes).map(\.energy.milliwattHours).reduce(0, +) == energy)
        }
        #expect(log.records.count == 9_802)
        let store = InMemoryInsightStore()
        try await InsightProjector(store: store, signals: RandomSignals(seed: 5), venues: ScriptedVenues()).project(
            log.records)
        let service = InsightService(store: store, venues: ScriptedVenues("America/Los_Angeles"))
        for granularity in [Granularity.daily, .weekly, .monthly, .yearly] {
            var query = InsightQuery(
                venueID: log.venueID, deviceID: nil,
                range: try Interval("2019-05-01T00:00:00Z", "2021-09-10T00:00:00Z"),
                granularity: granularity, byCleanliness: true, byTariff: true)
            #expect(try await total(service, query) == delivered.values.reduce(0, +))
            for (station, energy) in delivered {
                query.deviceID = station
                #expect(try await total(service, query) == energy, "\(station), \(granularity)")
            }
        }
    }

    private func total(_ service: InsightService, _ query: InsightQuery) async throws -> Int64 {
        let records = try await service.records(query)
        let total = records.map(\.total).sum
        #expect(records.compactMap(\.byCleanliness).flatMap(\.values).sum == total)
        #expect(records.compactMap(\.byTariff).flatMap(\.values).sum == total)
        return total.energy.milliwattHours
    }

    private static func shares(_ events: [Event], _ classes: TermsTimeline) throws -> [InsightAmount] {
        var progress: CountedSession?
        var shares: [InsightAmount] = []
        for event in events {
            let (next, segment) = try #require(CountedSession.following(progress, event))
            progress = next
            shares += segment?.shares(terms: classes).map(\.tally.amount) ?? []
        }
        return shares
    }

    private static func hourlyClasses() async throws -> [SignalInterval] {
        try await RandomSignals(seed: 9).history(
            venueID: UUID(), interval: Interval("2019-05-01T00:00:00Z", "2021-09-10T00:00:00Z"))
    }

    /// `2019-05-01 01:18:45-07:00`
    private static func time(_ text: Substring) throws -> Timestamp {
        try Timestamp(String(text).replacing(" ", with: "T", maxReplacements: 1))
    }
}
