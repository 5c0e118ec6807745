internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct ScheduleWatch: WatchFeed {
    let context: CommandContext
    let venues: WatchedVenues
    let service = ServiceKind.schedule
    private var told: [DeviceReference: UUID] = [:]

    init(context: CommandContext, venues: WatchedVenues) {
        self.context = context
        self.venues = venues
    }

    var topicPrefix: String {
        get async { venues.only.map { Topics.allSchedules + "\($0.id.text)/" } ?? Topics.allSchedules }
    }

    mutating func snapshot() async throws(CommandFailure) -> [WatchNews] {
        let filter = ScheduleFilter(venueID: venues.only?.id)
        let schedules = try await context.call(.schedule, Methods.listSchedules, filter).schedules
        var news: [WatchNews] = []
        for schedule in schedules { news += await note(schedule) }
        return news
    }

    mutating func news(in publication: Publication) async throws(CommandFailure) -> [WatchNews] {
        // A goal that was taken away is published as an empty body: there is no plan to tell.
        guard let schedule = try? Schedule(decoding: publication.body) else { return [] }
        return await note(schedule)
    }

    private mutating func note(_ schedule: Schedule) async -> [WatchNews] {
        let device = DeviceReference(venueID: schedule.venueID, deviceID: schedule.deviceID)
        guard told.updateValue(schedule.id, forKey: device) != schedule.id,
            let venue = await venues.venue(schedule.venueID)
        else { return [] }
        return [WatchNews(content: .schedule(schedule), venue: venue)]
    }
}
