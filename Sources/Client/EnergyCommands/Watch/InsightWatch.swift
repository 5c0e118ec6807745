internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct InsightWatch: WatchFeed {
    let context: CommandContext
    let venues: WatchedVenues
    let service = ServiceKind.insights
    private var told: [UUID: InsightAmount] = [:]

    init(context: CommandContext, venues: WatchedVenues) {
        self.context = context
        self.venues = venues
    }

    var topicPrefix: String {
        get async { venues.only.map { Topics.allInsights + "\($0.id.text)/" } ?? Topics.allInsights }
    }

    /// What each venue has used today.
    mutating func snapshot() async throws(CommandFailure) -> [WatchNews] {
        var news: [WatchNews] = []
        for venue in await venues.some() {
            let today = InsightPeriods.range(last: TimeSpan(1, .d), now: context.wallClock.now, in: venue.timeZone)
            let insight = try await insight(venue, nil, today)
            guard told.updateValue(insight.amount, forKey: venue.id) != insight.amount else { continue }
            news.append(WatchNews(content: .insight(insight), venue: venue))
        }
        return news
    }

    /// The days that changed, as they are now.
    mutating func news(in publication: Publication) async throws(CommandFailure) -> [WatchNews] {
        guard let change = try? InsightChange(decoding: publication.body),
            let venue = await venues.venue(change.venueID)
        else { return [] }
        let insight = try await insight(venue, change.deviceID, change.interval)
        return [WatchNews(content: .insight(insight), venue: venue)]
    }

    private func insight(
        _ venue: Venue, _ deviceID: String?, _ interval: Interval
    ) async throws(CommandFailure) -> InsightNews {
        let answer = try await context.insights(
            InsightQuery(
                venueID: venue.id, deviceID: deviceID, range: interval, granularity: .daily, exactRange: true))
        return InsightNews(
            deviceID: deviceID, interval: interval, amount: InsightTotals.sum(answer.records).total)
    }
}
