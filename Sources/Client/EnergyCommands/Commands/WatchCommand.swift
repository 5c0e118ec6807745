internal import ArgumentParser

struct WatchCommand: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Everything that happens, as it happens, until interrupted.",
        discussion: """
            Begins with how things stand: guidance, the newest events, today's energy and the plans. A service that \
            goes away is said to be lost, and is followed again when it returns.

            EXAMPLES
              energyctl watch
              energyctl watch --venue Home
              energyctl watch --json | jq 'select(.kind == "event") | .event.device.name'
            """)
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venues = try await WatchedVenues(context, wanted: place.venue)
        let reporter = WatchReporter(context: context, venues: venues, isJSON: options.json)
        let feeds: [any WatchFeed] = [
            GuidanceWatch(context: context, venues: venues), EventWatch(context: context, venues: venues),
            InsightWatch(context: context, venues: venues), ScheduleWatch(context: context, venues: venues),
        ]
        await withDiscardingTaskGroup { group in
            for feed in feeds {
                let watch = ServiceWatch(context: context, reporter: reporter, service: feed.service)
                group.addTask { await watch.run(feed) }
            }
        }
    }
}
