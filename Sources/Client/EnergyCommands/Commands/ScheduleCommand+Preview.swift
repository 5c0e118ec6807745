internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Preview: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "What a goal would do and cost: as planned, at once, and at best. Stores nothing.",
            discussion: """
                For vehicles, appliances and home batteries. Where a battery or heating is planned too, the cost is what \
                the whole home pays more with the goal than without; below 0 the goal saves. Heating and cooling run \
                all the time: set their goal, see energyctl schedule, and take it back with energyctl schedule clear. \
                With --add it is what all of the device's goals do and cost.

                EXAMPLES
                  energyctl schedule preview --device car-1 --ready-by 07:00 --soc 80
                  energyctl schedule preview --device dishwasher --ready-by 07:00 --run
                  energyctl schedule preview --device battery --ready-by 07:00 --soc 80
                """)
        @OptionGroup var goal: GoalOptions
        @OptionGroup var place: VenueOption
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let draft = try goal.draft(venue, now: context.wallClock.now)
            let preview = try await context.call(.schedule, Methods.previewGoal, draft)
            if list.csv {
                context.output.csv(GoalPreviewDocument(preview, in: venue.timeZone).rows)
            } else if options.json {
                context.output.line(JSONText.document(GoalPreviewDocument(preview, in: venue.timeZone)))
            } else {
                PreviewTable(preview: preview, venue: venue).lines(context.style).forEach(context.output.line)
            }
        }
    }
}
