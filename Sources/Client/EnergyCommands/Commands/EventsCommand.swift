internal import ArgumentParser
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

struct EventsCommand: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "What devices reported: the newest events of the log, oldest first.",
        discussion: """
            EXAMPLES
              energyctl events
              energyctl events --device car-1 --since yesterday
              energyctl events --follow
              energyctl events --csv --since 2026-11-01 > events.csv
              energyctl events --json --follow | jq .vehicle_load.power_mw

            Reading the log needs the permission admin. With events alone, what the event-ingestor still has in memory
            of the venue is shown, and with --follow what comes in.
            """)
    static let limitMax = 100_000

    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id"), completion: .devices)
    var device: String?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only from then on: \(TimeExpression.help).", valueName: "time"),
        transform: timeExpression)
    var since: TimeExpression?
    @Option(name: .long, parsing: .unconditional, help: "At most so many, the newest. Default: 20, with --since 10000.")
    var limit: Int?
    @Flag(name: .long, help: "Go on with what comes in, until interrupted.") var follow = false
    @OptionGroup var place: VenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard limit.map({ 1...Self.limitMax ~= $0 }) ?? true else {
            throw ValidationError("--limit must be 1 to \(Self.limitMax).")
        }
        if follow, list.csv {
            throw ValidationError("--csv is a table that ends, and --follow does not: use --json, a line per event.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .events)
        let start = since?.timestamp(now: context.wallClock.now, in: venue.timeZone, toward: .past)
        var tail = EventTail(context: context, venueID: venue.id, deviceID: device)
        let events = try await tail.newest(limit: limit ?? (start == nil ? 20 : 10_000), since: start)
        if tail.isLogDenied { context.output.note(EventTail.deniedNote) }
        if options.json || list.csv, !follow {
            let documents = events.map { EventDocument($0, in: venue.timeZone) }
            guard !list.csv else { return context.output.csv(documents) }
            context.output.line(JSONText.document(EventsDocument(events: documents)))
            return
        }
        if events.isEmpty {
            await context.noteIfUnknown(device, venue)
            if !follow { context.output.line("No events.") }
        }
        show(events, venue, context)
        if follow { try await follow(&tail, venue, context) }
    }

    private func follow(
        _ tail: inout EventTail, _ venue: Venue, _ context: CommandContext
    ) async throws(CommandFailure) {
        let noteLoss = { (failure: CommandFailure) in
            context.output.note("\(failure.message)\nWaiting for it to return.")
        }
        var news = tail.news(from: try context.connection(.events)).makeAsyncIterator()
        while let event = await news.next() {
            guard tail.mayHaveMore(after: event) else { continue }
            let events = try await context.untilAvailable(onLoss: noteLoss) { () async throws(CommandFailure) in
                try await tail.next(after: event)
            }
            show(events ?? [], venue, context)
        }
    }

    private func show(_ events: [Event], _ venue: Venue, _ context: CommandContext) {
        for event in events {
            if options.json {
                context.output.line(JSONText.line(EventDocument(event, in: venue.timeZone)))
            } else {
                let text = EventLine(event: event, zone: venue.timeZone).text()
                TerminalText.fitted(text, to: context.style.width).forEach(context.output.line)
            }
        }
    }
}
