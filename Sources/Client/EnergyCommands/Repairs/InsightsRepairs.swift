internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct InsightsRepairs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repairs",
        abstract: "What was set right by hand, by whom, and why; to withdraw it; to a file, and from one.",
        discussion: """
            Repairs are kept by the insight-service only, not in the log: keep them in a file beside the log's backups.

            EXAMPLES
              energyctl insights repairs
              energyctl insights repairs withdraw EVENT --reason "the meter was right"
              energyctl insights repairs export --output repairs.json
              energyctl insights repairs import repairs.json
            """,
        subcommands: [RepairsList.self, RepairsWithdraw.self, RepairsExport.self, RepairsImport.self],
        defaultSubcommand: RepairsList.self)
}

struct RepairsList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Every repair, in the order in which it was made.",
        discussion: """
            What an event counted as before, and what it counts as since. Of one event the last repair counts, unless \
            that withdraws it: the others are marked.

            EXAMPLE
              energyctl insights repairs list --csv > repairs.csv
            """)

    @OptionGroup var place: AnyVenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venues = try await context.venues(place.venue, for: .insights)
        let repairs = try await context.repairs(at: venues)
        let documents = { repairs.flatMap { venue, made in made.map { RepairDocument($0, in: venue.timeZone) } } }
        guard !list.csv else { return context.output.csv(documents()) }
        guard !options.json else {
            return context.output.line(JSONText.document(RepairsDocument(repairs: documents())))
        }
        guard repairs.contains(where: { !$0.made.isEmpty }) else {
            return context.output.line("Nothing was repaired.")
        }
        for (venue, made) in repairs where !made.isEmpty {
            if venues.count > 1 { context.output.line(TerminalText.safe(venue.name)) }
            tell(made, at: venue, in: context)
        }
    }

    private func tell(_ repairs: [EventRepair], at venue: Venue, in context: CommandContext) {
        let last = Dictionary(repairs.enumerated().map { ($1.eventID, $0) }, uniquingKeysWith: { $1 })
        for (index, repair) in repairs.enumerated() {
            let later = last[repair.eventID].flatMap { $0 == index ? nil : repairs[$0] }
            lines(repair, later: later, venue, context.style).forEach(context.output.line)
        }
    }

    /// Two lines or more: what an event counted as and counts as, and beneath why. An id alone takes half a terminal.
    ///
    /// - Parameter later: the newest repair of the same event, if it is another one.
    private func lines(
        _ repair: EventRepair, later: EventRepair?, _ venue: Venue, _ style: Style
    ) -> [String] {
        let made = VenueTime(repair.made, in: venue.timeZone)
        var change = repair.action == .asSent ? "withdrawn: " : ""
        change += "\(repair.before?.words ?? "-") \(style.arrow) \(repair.action.words)"
        if let before = repair.sessionBefore, let after = repair.sessionAfter {
            change +=
                ", session \(Quantities.kilowattHours(before)) \(style.arrow) \(Quantities.kilowattHours(after)) kWh"
        }
        let head = "event \(repair.eventID.text)  \(made.date.long) \(made.clock)"
        let fate = later.map { $0.action == .asSent ? " (withdrawn since)" : " (replaced since)" } ?? ""
        let maker = TerminalText.safe(Self.maker(repair))
        let body = "\(change), by \(maker): \(TerminalText.safe(repair.reason))\(fate)"
        return TerminalText.fitted(head, to: style.width) + TerminalText.wrap(body, to: style.width, indent: "  ")
    }

    private static func maker(_ repair: EventRepair) -> String {
        repair.principal + (repair.takenOverBy.map { ", taken over by \($0)" } ?? "")
    }
}

extension EventRepair.Action {
    /// What an event counts as.
    var words: String {
        switch self {
        case .ignore: "never sent"
        case .asSent: "as sent"
        case .energy(let energy): "\(Quantities.kilowattHours(energy)) kWh"
        }
    }
}

extension CommandContext {
    /// Those of each venue.
    func repairs(at venues: [Venue]) async throws(CommandFailure) -> [(venue: Venue, made: [EventRepair])] {
        var result: [(venue: Venue, made: [EventRepair])] = []
        for venue in venues { result.append((venue, try await repairs(at: venue))) }
        return result
    }

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
