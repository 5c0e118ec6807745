internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct EventWatch: WatchFeed {
    let context: CommandContext
    let venues: WatchedVenues
    let service = ServiceKind.events
    private var tails: [UUID: EventTail] = [:]

    /// So many of the newest events show how things stand.
    private static let snapshotCount = 5

    init(context: CommandContext, venues: WatchedVenues) {
        self.context = context
        self.venues = venues
    }

    var topicPrefix: String {
        get async { venues.only.map { Topics.events(venueID: $0.id) } ?? Topics.allEvents }
    }

    mutating func snapshot() async throws(CommandFailure) -> [WatchNews] {
        var news: [WatchNews] = []
        for venue in await venues.some() { news += try await read(venue, after: .joined) }
        return news
    }

    mutating func news(in publication: Publication) async throws(CommandFailure) -> [WatchNews] {
        guard let record = try? LogRecord(decoding: publication.body), let venue = await venues.venue(record.venueID)
        else { return [] }
        if let tail = tails[venue.id], !tail.mayHaveMore(after: .publication(publication)) { return [] }
        return try await read(venue, after: .publication(publication))
    }

    private mutating func read(_ venue: Venue, after event: SubscriptionEvent) async throws(CommandFailure)
        -> [WatchNews]
    {
        let events: [Event]
        if var tail = tails[venue.id] {
            events = try await tail.next(after: event)
            tails[venue.id] = tail
        } else {
            var tail = EventTail(context: context, venueID: venue.id)
            events = try await tail.newest(limit: Self.snapshotCount)
            if tail.isLogDenied { venues.notes.say(EventTail.deniedNote) }
            tails[venue.id] = tail
        }
        return events.map { WatchNews(content: .event($0), venue: venue) }
    }
}
