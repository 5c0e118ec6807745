internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension VenuesCommand {
    struct Remove: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a venue: no more guidance for it.",
            discussion: """
                What its devices reported stays, and so do its insights: ask for them by the venue's id, with --venue. \
                Goals of its devices stay until they are cleared. A venue of the configuration is taken out there first.

                EXAMPLES
                  energyctl venues remove Cabin
                  energyctl venues remove 4c1fd6a2-8d0b-4f6e-9f0a-0f6c2b7f3f11 --yes
                """)
        @Argument(help: ArgumentHelp("The venue.", valueName: "name|uuid"), completion: .venues) var venue: String
        @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try VenueLookup.choose(venue, among: try await context.venues())
            let name = "\(TerminalText.safe(venue.name)) (\(venue.id.text))"
            if !yes { try context.confirm("Remove the venue \(name)", done: "removed") }
            let removed = try await context.call(.guidance, Methods.removeVenue, VenueRemoval(id: venue.id))
            context.output.line(
                options.json ? JSONText.document(VenueDocument(removed)) : "\(name) was removed.")
        }
    }
}
