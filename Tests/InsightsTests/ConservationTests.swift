import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Testing

/// What sessions report is what insights say, to the mWh and the ms, wherever and however it is cut.
struct ConservationTests {
    /// A zone and a change of its clocks, or a plain day where it has none.
    static let places = [
        ("America/Los_Angeles", "2026-03-08T10:00:00Z"), ("America/Los_Angeles", "2026-11-01T09:00:00Z"),
        ("Asia/Kolkata", "2026-05-05T18:30:00Z"), ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"), ("Europe/London", "2026-03-29T01:00:00Z"),
        ("Europe/London", "2026-10-25T01:00:00Z"), ("UTC", "2025-12-31T23:00:00Z"),
    ]

    @Test(arguments: places, UInt64(0)..<12)
    func `every cut of random sessions sums to what they report`(place: (String, String), seed: UInt64) async throws {
        let log = SampleLog.random(seed: seed, around: try Timestamp(place.1))
        let store = InMemoryInsightStore()
        try await project(log, into: store, seed: seed)
        let service = InsightService(store: store, venues: ScriptedVenues(place.0))
        var runtimes: Set<Int64> = []
        for query in try Self.queries(log, around: place.1) {
            let records = try await service.records(query)
            let expected = log.energies.filter { series, _ in
                series.direction == query.direction && (query.deviceID ?? series.deviceID) == series.deviceID
            }
            #expect(records.map(\.total).sum.energy.milliwattHours == expected.values.reduce(0, +), "\(query)")
            for record in records {
                #expect(record.byCleanliness?.values.sum == record.total)
                #expect(record.byTariff?.values.sum == record.total)
            }
            if query.deviceID == nil, query.direction == .imported {
                runtimes.insert(records.map(\.total).sum.runtimeMilliseconds)
            }
        }
        #expect(runtimes.count == 1, "run time depends on the granularity: \(runtimes)")
    }

    @Test(arguments: UInt64(100)..<104)
    func `a rebuild answers as the increments did, in every store`(seed: UInt64) async throws {
        let log = SampleLog.random(seed: seed, around: try Timestamp("2026-03-29T01:00:00Z"))
        var answers: [[[InsightPage]]] = []
        for kind in InsightStoreKind.allCases {
            try await withStore(kind) { store in
                let service = InsightService(store: store, venues: ScriptedVenues("Europe/London"))
                try await project(log, into: store, seed: seed)
                answers.append(try await self.answers(of: service, log))
                try await store.adopt(log: nil, anew: true)
                try await InsightProjector(store: store, signals: RandomSignals(seed: seed), venues: ScriptedVenues())
                    .project(log.records)
                answers.append(try await self.answers(of: service, log))
            }
        }
        #expect(Set(answers).count == 1)
        #expect(answers[0].contains { pages in pages.contains { !$0.records.isEmpty } })
    }

    /// In pages of any size, some of them sent again.
    private func project(_ log: SampleLog, into store: any InsightStore, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let projector = InsightProjector(store: store, signals: RandomSignals(seed: seed), venues: ScriptedVenues())
        var done = 0
        while done < log.records.count {
            let again = Int.random(in: 0...min(3, done), using: &random)
            let next = min(log.records.count, done + .random(in: 1...7, using: &random))
            try await projector.project(Array(log.records[(done - again)..<next]))
            done = next
        }
    }

    private func answers(of service: InsightService, _ log: SampleLog) async throws -> [[InsightPage]] {
        var answers: [[InsightPage]] = []
        for query in try Self.queries(log, around: "2026-03-29T01:00:00Z") {
            answers.append(try await service.pages(query))
        }
        return answers
    }

    /// Every granularity and direction, each device and the venue, over all that happened.
    private static func queries(_ log: SampleLog, around middle: String) throws -> [InsightQuery] {
        let start = try Timestamp(middle).advanced(byMilliseconds: -10 * .millisecondsPerDay)
        let range = Interval(start: start, milliseconds: 60 * .millisecondsPerDay)
        return Granularity.allCases.flatMap { granularity in
            FlowDirection.allCases.flatMap { direction in
                [nil, "car 0", "car 1", "car 2"].map { device in
                    InsightQuery(
                        venueID: log.venueID, deviceID: device, range: range, granularity: granularity,
                        direction: direction, byCleanliness: true, byTariff: true, exactRange: granularity == .daily)
                }
            }
        }
    }
}
