internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct InsightsRepair: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Set a wrong data point right.",
        discussion: """
            The log keeps what was sent. What is counted is what is said here, now and after every rebuild. It must be \
            what could have been sent: at least what the event before it says and at most what the one after it says, \
            and no more than 1 MW delivers in the time. 'insights repairs' lists every repair, withdraws one, and keeps \
            them in a file. Only the buckets that the session touches change. Needs the permission admin.

            EXAMPLES
              energyctl insights repair --session ID --event ID --ignore --reason "meter jumped"
              energyctl insights repair --session ID --event ID --energy 12.5 --reason "as read from the wallbox"
            """)

    @Option(name: .long, help: ArgumentHelp("The session, as 'energyctl sessions' lists it.", valueName: "uuid"))
    var session: String
    @Option(name: .long, help: ArgumentHelp("The event, as 'energyctl events --json' shows it.", valueName: "uuid"))
    var event: String
    @Flag(
        name: .long,
        help: "As if the event had never come; an end still ends its session, and a begin cannot be ignored.")
    var ignore = false
    @Option(
        // A value that begins with '-' is a mistake to be told, not a missing value.
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("What the session's counter stood at, such as 12.5.", valueName: "kWh"),
        transform: kilowattHours)
    var energy: Energy?
    @Option(name: .long, help: ArgumentHelp("Why, for who wonders later.", valueName: "text")) var reason: String
    @OptionGroup var place: AnyVenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard ignore != (energy != nil) else { throw ValidationError("Say --ignore, or --energy KWH, and not both.") }
        for (name, value) in [("session", session), ("event", event)] where UUID(uuidString: value) == nil {
            throw ValidationError("--\(name) is a UUID, as 'energyctl events' and '--json' show it, not '\(value)'.")
        }
        guard reason.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--reason is empty: say why, for who wonders later.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        var venues = try await context.venues(place.venue, for: .insights)[...]
        guard let sessionID = UUID(uuidString: session), let eventID = UUID(uuidString: event) else {
            throw .usage("--session and --event are UUIDs.")
        }
        let action = energy.map(EventRepair.Action.energy) ?? .ignore
        while let venue = venues.popFirst() {
            let draft = RepairDraft(
                venueID: venue.id, sessionID: sessionID, eventID: eventID, action: action, reason: reason)
            // A session has one venue: where it is not this one, nothing was changed.
            guard let result = try await context.repair(draft, isOnlyVenue: venues.isEmpty) else { continue }
            return context.tellRepair(result, as: action, at: venue, isJSON: options.json)
        }
    }
}

extension CommandContext {
    /// - Returns: `nil` where the venue has no such session, and may not be the right one.
    fileprivate func repair(_ draft: RepairDraft, isOnlyVenue: Bool) async throws(CommandFailure) -> RepairResult? {
        guard !isOnlyVenue else { return try await call(.insights, Methods.repairEvent, draft) }
        let connection = try connection(.insights)
        do throws(EnergyError) {
            return try await connection.call(Methods.repairEvent, draft, timeout: timeout)
        } catch {
            guard error.code == .notFound else { throw await failure(error, from: .insights) }
            return nil
        }
    }

    /// What a repair changed, and what is left to be done.
    func tellRepair(_ result: RepairResult, as action: EventRepair.Action, at venue: Venue, isJSON: Bool) {
        guard !isJSON else {
            struct Document: Encodable {
                let before: SessionInsightDocument
                let after: SessionInsightDocument
                /// What the session's next event breaks now.
                let remaining: String?
            }
            return output.line(
                JSONText.document(
                    Document(
                        before: SessionInsightDocument(result.before, in: venue.timeZone),
                        after: SessionInsightDocument(result.after, in: venue.timeZone),
                        remaining: result.remaining.map(CommandWords.sentence))))
        }
        output.line(
            "\(action.sentence) The session of \(TerminalText.safe(result.after.deviceID)) \(result.words).")
        if let remaining = result.remaining {
            let rule = TerminalText.safe(CommandWords.sentence(remaining))
            output.note("Its next event is wrong too and should be repaired: \(rule).")
        }
    }
}

extension EventRepair.Action {
    fileprivate var sentence: String {
        self == .asSent
            ? "The repair is withdrawn: the event counts as it was sent." : "The event counts as \(words)."
    }
}

extension RepairResult {
    fileprivate var words: String {
        func text(_ session: SessionInsight) -> String {
            session.measuresEnergy
                ? "\(Quantities.kilowattHours(session.amount.energy)) kWh"
                : "\(Quantities.runtime(milliseconds: session.amount.runtimeMilliseconds)) h run time, "
                    + "\(Quantities.runtime(milliseconds: session.amount.weightedRuntimeMilliseconds)) h by stage"
        }
        let (before, after) = (text(before), text(after))
        return before == after ? "has \(after), as before" : "has \(after) now; it had \(before)"
    }
}

/// Plain decimals, exactly: what else computers take for a number is no reading of a meter.
@Sendable private func kilowattHours(_ text: String) throws -> Energy {
    guard let milliwattHours = ExactNumber.read(text, places: 6), Energy.range ~= milliwattHours else {
        throw ValidationError("An energy must be 0 to 1,000,000 kWh, such as 12.5, but is '\(text)'.")
    }
    return Energy(milliwattHours: milliwattHours)
}
