internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct InsightsRepair: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Set a wrong data point right.",
        discussion: """
            The log keeps what was sent. What is counted is what is said here, now and after every rebuild, and \
            'insights repairs' lists it. Only the buckets that the session touches change. Needs the permission admin.

            EXAMPLES
              energyctl insights repair --session ID --event ID --ignore --reason "meter jumped"
              energyctl insights repair --session ID --event ID --energy 12.5 --reason "as read from the wallbox"
            """)

    @Option(name: .long, help: ArgumentHelp("The session, as 'energyctl sessions' lists it.", valueName: "uuid"))
    var session: String
    @Option(name: .long, help: ArgumentHelp("The event, as 'energyctl events --json' shows it.", valueName: "uuid"))
    var event: String
    @Flag(name: .long, help: "As if the event had never come; an end still ends its session.") var ignore = false
    @Option(name: .long, help: ArgumentHelp("What the session's counter stood at.", valueName: "kWh"))
    var energy: Double?
    @Option(name: .long, help: ArgumentHelp("Why, for who wonders later.", valueName: "text")) var reason: String
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard ignore != (energy != nil) else { throw ValidationError("Say --ignore, or --energy KWH, and not both.") }
        guard UUID(uuidString: session) != nil, UUID(uuidString: event) != nil else {
            throw ValidationError("--session and --event are UUIDs.")
        }
        guard energy.map({ 0...1_000_000 ~= $0 }) ?? true else {
            throw ValidationError("--energy is 0 to 1,000,000 kWh.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        guard let sessionID = UUID(uuidString: session), let eventID = UUID(uuidString: event) else {
            throw .usage("--session and --event are UUIDs.")
        }
        let action =
            energy.map { EventRepair.Action.energy(Energy(milliwattHours: Int64(($0 * 1_000_000).rounded()))) }
            ?? .ignore
        let result = try await context.call(
            .insights, Methods.repairEvent,
            RepairDraft(
                venueID: venue.id, sessionID: sessionID, eventID: eventID, action: action, reason: reason))
        guard !options.json else {
            struct Document: Encodable {
                let before: SessionInsightDocument
                let after: SessionInsightDocument
            }
            return context.output.line(
                JSONText.document(
                    Document(
                        before: SessionInsightDocument(result.before, in: venue.timeZone),
                        after: SessionInsightDocument(result.after, in: venue.timeZone))))
        }
        let (before, after) = (
            Quantities.kilowattHours(result.before.amount.energy), Quantities.kilowattHours(result.after.amount.energy)
        )
        context.output.line(
            "The session of \(TerminalText.safe(result.after.deviceID)) has \(after) kWh now; it had \(before) kWh.")
    }
}

struct InsightsRepairs: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "repairs", abstract: "What was set right by hand, by whom, and why.")

    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let repairs = try await context.call(
            .insights, Methods.listRepairs, RepairFilter(venueID: venue.id)
        ).repairs
        guard !options.json else {
            struct Document: Encodable { let repairs: [RepairDocument] }
            return context.output.line(
                JSONText.document(Document(repairs: repairs.map { RepairDocument($0, in: venue.timeZone) })))
        }
        guard !repairs.isEmpty else { return context.output.line("Nothing was repaired.") }
        var table = Table([
            .init("when"), .init("by"), .init("event"), .init("counts as"), .init("reason", wraps: true),
        ])
        for repair in repairs {
            let made = VenueTime(repair.made, in: venue.timeZone)
            table.add([
                .init("\(made.date.short) \(made.clock)"), .init(repair.principal), .init(repair.eventID.text),
                .init(Self.words(repair.action)), .init(repair.reason),
            ])
        }
        table.lines(context.style).forEach(context.output.line)
    }

    private static func words(_ action: EventRepair.Action) -> String {
        switch action {
        case .ignore: "never sent"
        case .energy(let energy): "\(Quantities.kilowattHours(energy)) kWh"
        }
    }
}

private struct RepairDocument: Encodable {
    let sessionId: String
    let eventId: String
    let ignore: Bool
    let energyMwh: Int64?
    let reason: String
    let principal: String
    let made: String

    init(_ repair: EventRepair, in zone: TimeZone) {
        sessionId = repair.sessionID.text
        eventId = repair.eventID.text
        ignore = repair.action == .ignore
        if case .energy(let energy) = repair.action { energyMwh = energy.milliwattHours } else { energyMwh = nil }
        reason = repair.reason
        principal = repair.principal
        made = repair.made.iso8601(in: zone)
    }
}
