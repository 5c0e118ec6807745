internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

/// What an owner does about a plan: one command for each.
extension ScheduleCommand {
    struct Now: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Charge toward the goals at once, with all that limits leave, until the next deadline.")
        static let action = OverrideAction.chargeNow
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Pause: OverrideCommand {
        static let configuration = CommandConfiguration(abstract: "Do not charge until it is resumed.")
        static let action = OverrideAction.pause
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Resume: OverrideCommand {
        static let configuration = CommandConfiguration(abstract: "Go back to the plan.")
        static let action = OverrideAction.resume
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Stop: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Do not charge any more until the next deadline is over.")
        static let action = OverrideAction.stop
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Skip: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave out the next deadline: a goal that repeats goes on with the one after it.")
        static let action = OverrideAction.skipNext
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }
}

protocol OverrideCommand: EnergyCommand {
    static var action: OverrideAction { get }
    var target: OverrideOptions { get }
}

struct OverrideOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The device.", valueName: "id"), completion: .devices) var device: String
    @OptionGroup var place: VenueOption
}

extension OverrideCommand {
    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(target.place.venue, for: .schedule)
        let schedule = try await context.call(
            .schedule, Methods.override,
            OverrideRequest(venueID: venue.id, deviceID: target.device, action: Self.action))
        if options.json {
            context.output.line(JSONText.document(ScheduleDocument(schedule, in: venue.timeZone)))
        } else {
            context.show(schedule, name: try? await context.deviceNames(venue)[target.device], venue)
        }
    }
}
