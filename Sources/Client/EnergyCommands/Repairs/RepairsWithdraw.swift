internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct RepairsWithdraw: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Let an event count as it was sent again.",
        discussion: """
            Every repair of the event stays in the list, and so does that they were withdrawn, by whom and why. Where \
            several events of a session were repaired, withdraw the last first: an event must not count more than the \
            one after it. Needs the permission admin.

            EXAMPLE
              energyctl insights repairs withdraw EVENT --reason "the meter was right"
            """)

    @Argument(help: ArgumentHelp("The event, as 'energyctl insights repairs' lists it.", valueName: "event"))
    var event: String
    @Option(name: .long, help: ArgumentHelp("Why, for who wonders later.", valueName: "text")) var reason: String
    @OptionGroup var place: AnyVenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard UUID(uuidString: event) != nil else {
            throw ValidationError("The event must be a UUID, but is '\(event)'.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let repairs = try await context.repairs(at: try await context.venues(place.venue, for: .insights)).compactMap {
            venue, made in
            made.last { $0.eventID == UUID(uuidString: event) }.map { (venue: venue, repair: $0) }
        }
        guard repairs.count < 2 else {
            throw .usage("\(repairs.count) venues have such an event: say --venue NAME or --venue UUID.")
        }
        guard let (venue, newest) = repairs.first else {
            throw CommandFailure(
                .refused, "No repair is of this event. 'energyctl insights repairs' lists those that are.")
        }
        guard newest.action != .asSent else {
            return context.output.note("What was set right of this event is withdrawn already.")
        }
        let result = try await context.call(
            .insights, Methods.repairEvent,
            RepairDraft(
                venueID: venue.id, sessionID: newest.sessionID, eventID: newest.eventID, action: .asSent,
                reason: reason))
        context.tellRepair(result, as: .asSent, at: venue, isJSON: options.json)
    }
}
