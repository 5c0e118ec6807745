internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct VenuesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "venues", abstract: "The places where devices use power: list, add and remove them.",
        discussion: """
            EXAMPLES
              energyctl venues
              energyctl venues add --name Home --zone America/Los_Angeles --region CISO --plan pge-ev2
              energyctl venues weigh Home 0.8
              energyctl venues remove Home
              energyctl venues plans
            """,
        subcommands: [List.self, Add.self, Weigh.self, Remove.self, Plans.self], defaultSubcommand: List.self)

    struct List: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the venues.",
            discussion: "EXAMPLE\n  energyctl venues list --csv > venues.csv")
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venues = try await context.venues()
            if list.csv {
                context.output.csv(venues.map(VenueDocument.init))
            } else if options.json {
                context.output.line(JSONText.document(VenuesDocument(venues: venues.map(VenueDocument.init))))
            } else if venues.isEmpty {
                context.say(
                    "There is no venue yet. Try: energyctl venues add --name Home --zone Europe/Berlin --region DE")
            } else {
                ListTables.lines(venues, context.style).forEach(context.output.line)
            }
        }
    }

    struct Add: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a venue.",
            discussion: "EXAMPLE\n  energyctl venues add --name Home --zone America/Los_Angeles --region CISO")
        @Option(name: .long, help: "What to call it.") var name: String
        @Option(
            name: .zone, help: ArgumentHelp("Its time zone, an IANA name.", valueName: "zone"),
            transform: ianaTimeZone)
        var zone: TimeZone
        @Option(name: .long, help: "The grid region of its signals, for example CISO.", completion: .regions)
        var region: String
        @Option(
            name: .long, help: ArgumentHelp("Its rate plan: see 'energyctl rate-plans'.", valueName: "id"),
            completion: .ratePlans)
        var plan: String?
        @Option(
            name: .long, parsing: .unconditional, help: ArgumentHelp("What counts: \(Weigh.help).", valueName: "0...1"),
            transform: Weigh.weight)
        var priceWeight: Double?
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let draft = VenueDraft(
                id: nil, name: name, timeZone: zone, region: region, ratePlanID: plan, priceWeight: priceWeight)
            let venue = try await context.call(.guidance, Methods.putVenue, draft)
            let count = (try? await context.venues())?.count { $0.name.lowercased() == venue.name.lowercased() } ?? 1
            if count > 1 {
                context.output.note(
                    "There are now \(count) venues called \(TerminalText.safe(venue.name)): commands need --venue UUID to "
                        + "tell them apart. To take this one back: energyctl venues remove \(venue.id.text)")
            }
            if options.json {
                context.output.line(JSONText.document(VenueDocument(venue)))
            } else {
                ListTables.lines([venue], context.style).forEach(context.output.line)
            }
        }
    }

    struct Plans: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the rate plans that a venue can have.",
            discussion: "EXAMPLE\n  energyctl venues plans")
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let plans = try await context.call(.guidance, Methods.listRatePlans, Empty()).ratePlans
            if list.csv {
                context.output.csv(plans.map(RatePlanDocument.init))
            } else if options.json {
                context.output.line(JSONText.document(RatePlansDocument(ratePlans: plans.map(RatePlanDocument.init))))
            } else if plans.isEmpty {
                context.output.line("There is no rate plan.")
            } else {
                ListTables.lines(plans, context.style).forEach(context.output.line)
            }
        }
    }
}
