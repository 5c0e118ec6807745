import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Insights
import Testing

/// All parts together, every word between them as bytes of the contract.
struct OverTheWireTests {
    private let start = Timestamp(unixMilliseconds: 1_800_000_000_000)

    @Test func `a logged session is projected, announced and answered`() async throws {
        var log = SampleLog()
        let end = start.advanced(byMilliseconds: .millisecondsPerHour)
        log.append(log.session(device: "the car", [(start, 0, 0), (end, 0, 7_000_001)]))
        let others = TableClient(peers(log))
        let (store, publisher) = (InMemoryInsightStore(), RecordingPublisher())
        let announcer = InsightAnnouncer(publisher: publisher) { _, failure in Issue.record(failure) }
        let projector = InsightProjector(
            store: store, signals: RemoteSignalSource(client: others),
            venues: RemoteVenueSource(client: others), announce: announcer.announce)
        let follower = LogFollower(client: others, subscriber: HandSubscriber(), clock: ManualClock())
        let (caughtUp, say) = AsyncStream<Void>.makeStream()
        let task = Task { try await projector.run(following: follower, whenCaughtUp: { say.yield() }) }
        await caughtUp.next()

        let publication = try #require(await publisher.publications.next())
        #expect(publication.topic == Topics.insights(venueID: log.venueID, deviceID: "the car"))
        let change = try InsightChange(decoding: publication.body)
        #expect(change.interval == Interval(start: start, milliseconds: .millisecondsPerHour))

        var methods = MethodTable()
        let venues = CachedVenueSource(RemoteVenueSource(client: others), clock: SystemWallClock())
        InsightHandler(
            service: InsightService(store: store, venues: venues), projector: projector,
            log: RemoteEventLog(client: others), clock: SystemWallClock()
        ).register(in: &methods)
        let query = InsightQuery(
            venueID: log.venueID, deviceID: nil, range: change.interval, granularity: .daily, byCleanliness: true,
            byTariff: true)
        var pages: [InsightPage] = []
        try await TableClient(methods).stream(Methods.queryInsights, query) { (page) async throws(EnergyError) in
            pages.append(page)
        }
        let record = try #require(pages.first?.records.first)
        let total = InsightAmount(
            energy: Energy(milliwattHours: 7_000_001), runtimeMilliseconds: .millisecondsPerHour)
        #expect(record.total == total)
        #expect(record.byCleanliness == [.cleaner: total])
        #expect(record.byTariff == [.superOffPeak: total])
        #expect(pages.first?.applied.first { $0.partition == log.partition }?.sequence == 1)
        task.cancel()
        try await task.value
    }

    @Test func `what was not known when it happened is taken from what is known by now`() async throws {
        let day = Interval(start: start, milliseconds: .millisecondsPerDay)
        let hour = Interval(start: start, milliseconds: .millisecondsPerHour)
        @Sendable func signal(
            _ interval: Interval, carbon: Double?, _ source: String, cleanliness: Cleanliness
        ) -> SignalInterval {
            SignalInterval(
                interval: interval, carbonIntensity: carbon, kind: .averageDirect, price: nil, currency: nil,
                cleanliness: cleanliness, peak: .unknown, isEstimated: false, source: source)
        }
        var methods = MethodTable()
        methods.on(Methods.signalHistory) { (request, _) in
            SignalHistory(
                intervals: request.isCorrected
                    ? [signal(day, carbon: 300, "late", cleanliness: .avoid)]
                    : [signal(hour, carbon: 100, "in time", cleanliness: .cleaner)])
        }
        let found = try await RemoteSignalSource(client: TableClient(methods)).history(venueID: UUID(), interval: day)
        let rest = try #require(Interval(start: hour.end, end: day.end))
        #expect(
            found == [
                signal(hour, carbon: 100, "in time", cleanliness: .cleaner),
                signal(rest, carbon: 300, "late", cleanliness: .avoid),
            ])
    }

    @Test func `a refused question is refused with its status`() async throws {
        var methods = MethodTable()
        let (peers, store) = (TableClient(peers(SampleLog())), InMemoryInsightStore())
        let venues = RemoteVenueSource(client: peers)
        let projector = InsightProjector(
            store: store, signals: RemoteSignalSource(client: peers), venues: venues)
        InsightHandler(
            service: InsightService(store: store, venues: venues), projector: projector,
            log: RemoteEventLog(client: peers), clock: SystemWallClock()
        ).register(in: &methods)
        let client = TableClient(methods)
        let tooLong = Interval(start: start, milliseconds: 3_000 * .millisecondsPerDay)
        for (range, code) in [
            (tooLong, EnergyError.Code.invalidInput), (Interval(start: start, milliseconds: 1), .notFound),
        ] {
            let query = InsightQuery(venueID: UUID(), deviceID: "car", range: range, granularity: .daily)
            let error = await #expect(throws: EnergyError.self) {
                try await client.stream(Methods.queryInsights, query) { _ in }
            }
            #expect(error?.code == code)
        }
    }

    /// An event-ingestor and a guidance-publisher that know one venue.
    private func peers(_ log: SampleLog) -> MethodTable {
        var methods = MethodTable()
        methods.on(Methods.logHeads) { (_, _) async throws(EnergyError) in
            LogHeads(heads: [LogHead(partition: log.partition, sequence: UInt64(log.records.count))])
        }
        methods.on(Methods.readLog) { (position, _, write) async throws(EnergyError) in
            try await write(LogPage(records: log.records.filter { $0.sequence > position.afterSequence }))
        }
        methods.on(Methods.signalHistory) { (request, _) async throws(EnergyError) in
            SignalHistory(intervals: [.sample(request.interval, .cleaner, .superOffPeak)])
        }
        methods.on(Methods.getVenue) { (reference, _) async throws(EnergyError) in
            guard reference == .id(log.venueID) else { throw EnergyError(.notFound, "no such venue") }
            return Venue(
                id: log.venueID, name: "Home", timeZone: .gmt, region: "CISO", changed: Timestamp(unixMilliseconds: 0))
        }
        return methods
    }
}
