internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct GuidanceCommand: StandingCommand {
    static let configuration = CommandConfiguration(
        commandName: "guidance", abstract: "When power is clean and cheap in the hours ahead.",
        discussion: """
            A rating is 0 at best and 1 at worst. Up to 0.3 it is Good, up to 0.6 Fair, above Avoid, as
            it is shown: with two decimals.

            EXAMPLES
              energyctl guidance
              energyctl guidance --action reduce --venue Home
              energyctl guidance --explain
              energyctl guidance --watch
              energyctl guidance --json | jq '.values[] | select(.verdict == "good") | .start'
            """)
    @Option(name: .long, help: "What a device can do: shift its use in time, or reduce it for a while.")
    var action: SuggestedAction = .shift
    @Flag(name: .long, help: "Say what the ratings are made of, and how far to trust them.") var explain = false
    @OptionGroup var place: VenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var following: WatchOption
    @OptionGroup var options: GlobalOptions

    func validate() throws { try following.validate(isFile: list.csv) }

    func show(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .guidance)
        let guidance = try await context.call(
            .guidance, Methods.getGuidance, GuidanceRequest(venueID: venue.id, action: action))
        guard !list.csv else { return context.output.csv(GuidanceDocument(guidance, in: venue.timeZone).values) }
        let explanation = GuidanceExplanation(
            guidance: guidance, venue: venue, now: context.wallClock.now, style: context.style)
        guard !options.json else {
            let document = GuidanceDocument(
                guidance, in: venue.timeZone, explanation: explain ? explanation.sentences : nil)
            return context.answer(document)
        }
        let view = GuidanceView(
            guidance: guidance, venue: venue, now: context.wallClock.now, style: context.style,
            explanation: explain ? explanation : nil)
        view.lines().forEach(context.output.line)
    }

    func news(in context: CommandContext) async throws(CommandFailure) -> [NewsSource] {
        let venue = try await context.venue(place.venue, for: .guidance)
        return [.topic(.guidance, prefix: Topics.guidance(venueID: venue.id, action: action))]
    }
}
