import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EventIngestion
import Foundation
import Insights
import Testing

/// What insights make of a log.
enum Counting {
    /// Counts a log until everything in it is counted.
    ///
    /// - Returns: why it was another log than the one counted before.
    @discardableResult
    static func count(_ log: any EventLogStore, into insights: any InsightStore) async throws -> [String] {
        var methods = MethodTable()
        IngestorSetup(store: log).ingestor.register(in: &methods)
        let (client, differences) = (TableClient(methods), Box<[String]>([]))
        let (caughtUp, catchUp) = AsyncStream<Void>.makeStream()
        let run = Task {
            try await InsightProjector(store: insights, signals: NoSignals(), venues: NoVenues()).run(
                following: LogFollower(
                    client: client, subscriber: HandSubscriber(), clock: ManualClock(), reader: "insight-service"),
                whenAnother: { difference in differences.update { $0.append(difference) } },
                whenCaughtUp: { catchUp.yield() })
        }
        var waits = caughtUp.makeAsyncIterator()
        await waits.next()
        run.cancel()
        try await run.value
        return differences.value
    }

    /// What the sample venue imported by the hour, in the four days before the samples' now.
    static func totals(_ insights: any InsightStore) async throws -> [InsightTotals.Entry] {
        let range = try #require(
            Interval(start: EventSamples.now.advanced(byMilliseconds: -4 * .millisecondsPerDay), end: EventSamples.now))
        return try await insights.totals(
            of: InsightScope(venueID: EventSamples.venueID, deviceID: nil, direction: .imported),
            over: PeriodGrid(CalendarPeriods(.hourly, timeZone: .gmt), touching: range), from: 0, limit: 500
        ).entries
    }
}
