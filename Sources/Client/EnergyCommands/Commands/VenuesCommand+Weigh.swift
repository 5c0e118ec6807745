internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension VenuesCommand {
    struct Weigh: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what counts in a venue's ratings: price or carbon.",
            discussion: """
                EXAMPLES
                  energyctl venues weigh Home 0.8
                  energyctl venues weigh Home default
                """)
        static let help = "0 only carbon, 1 only price, where the venue has a rate plan"

        @Argument(help: ArgumentHelp("The venue.", valueName: "name|uuid"), completion: .venues) var venue: String
        @Argument(help: ArgumentHelp("\(help); 'default' is the service's setting.", valueName: "weight"))
        var weight: String
        @OptionGroup var options: GlobalOptions

        static func weight(_ text: String) throws -> Double {
            guard let weight = Double(text), 0...1 ~= weight else {
                throw ValidationError("'\(text)' is no weight. Say a number from 0, only carbon, to 1, only price.")
            }
            return weight
        }

        func validate() throws { if weight != "default" { _ = try Self.weight(weight) } }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let present = try VenueLookup.choose(venue, among: try await context.venues())
            let draft = VenueDraft(
                id: present.id, name: present.name, timeZone: present.timeZone, region: present.region,
                ratePlanID: present.ratePlanID, homeIDs: present.homeIDs,
                priceWeight: weight == "default" ? nil : Double(weight))
            let venue = try await context.call(.guidance, Methods.putVenue, draft)
            if options.json {
                context.output.line(JSONText.document(VenueDocument(venue)))
            } else {
                ListTables.lines([venue], context.style).forEach(context.output.line)
            }
        }
    }
}
