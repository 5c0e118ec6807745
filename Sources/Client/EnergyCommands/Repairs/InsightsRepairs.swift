internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct InsightsRepairs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repairs", abstract: "What was set right by hand, by whom, and why; to a file, and from one.",
        discussion: """
            Repairs are kept by the insight-service only, not in the log: keep them in a file beside the log's backups.

            EXAMPLES
              energyctl insights repairs
              energyctl insights repairs export --output repairs.json
              energyctl insights repairs import repairs.json
            """,
        subcommands: [RepairsList.self, RepairsExport.self, RepairsImport.self],
        defaultSubcommand: RepairsList.self)
}

struct RepairsList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Every repair, in the order in which it was made.",
        discussion: "What an event counted as before, and what it counts as since; of one event the last line counts.")

    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let repairs = try await context.repairs(at: venue)
        guard !options.json else {
            let documents = repairs.map { RepairDocument($0, in: venue.timeZone) }
            return context.output.line(JSONText.document(RepairsDocument(repairs: documents)))
        }
        guard !repairs.isEmpty else { return context.output.line("Nothing was repaired.") }
        var table = Table([
            .init("when"), .init("by"), .init("event"), .init("counted as"), .init("counts as"),
            .init("session kWh", .right), .init("reason", wraps: true),
        ])
        for repair in repairs {
            let made = VenueTime(repair.made, in: venue.timeZone)
            table.add([
                .init("\(made.date.long) \(made.clock)"), .init(Self.maker(repair)), .init(repair.eventID.text),
                .init(repair.before.map(Self.words) ?? "-"), .init(Self.words(repair.action)),
                .init(Self.change(repair, context.style)), .init(repair.reason),
            ])
        }
        table.lines(context.style).forEach(context.output.line)
    }

    private static func maker(_ repair: EventRepair) -> String {
        repair.principal + (repair.takenOverBy.map { ", taken over by \($0)" } ?? "")
    }

    private static func words(_ action: EventRepair.Action) -> String {
        switch action {
        case .ignore: "never sent"
        case .energy(let energy): "\(Quantities.kilowattHours(energy)) kWh"
        }
    }

    private static func change(_ repair: EventRepair, _ style: Style) -> String {
        guard let before = repair.sessionBefore, let after = repair.sessionAfter else { return "-" }
        return "\(Quantities.kilowattHours(before)) \(style.arrow) \(Quantities.kilowattHours(after))"
    }
}

extension CommandContext {
    /// All of a venue's, in the order in which they were kept.
    func repairs(at venue: Venue) async throws(CommandFailure) -> [EventRepair] {
        var repairs: [EventRepair] = []
        while true {
            let page = try await call(
                .insights, Methods.listRepairs, RepairFilter(venueID: venue.id, skipped: repairs.count))
            repairs += page.repairs
            guard page.hasMore, !page.repairs.isEmpty else { return repairs }
        }
    }
}
