internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

/// What an owner does about a plan: one command for each.
extension ScheduleCommand {
    struct Now: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Charge toward the goals at once, with all that limits leave, until they are reached.",
            discussion: """
                It comes before other devices of the same priority, also before what they need for their own deadlines; the \
                plan that is shown says who will lack what by when. Who must not lack anything for it has a higher \
                priority: energyctl schedule rules --priority. A deadline that passes while it does not charge ends it.

                EXAMPLE
                  energyctl schedule now --device car-1
                """)
        static let action = OverrideAction.chargeNow
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Pause: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Do not charge until it is resumed.",
            discussion: "EXAMPLE\n  energyctl schedule pause --device car-1")
        static let action = OverrideAction.pause
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Resume: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go back to the plan; while it is followed, take the last skip back.",
            discussion: "EXAMPLE\n  energyctl schedule resume --device car-1")
        static let action = OverrideAction.resume
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Stop: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Do not charge any more until the next deadline is over; later goals are planned from then on.",
            discussion: "EXAMPLE\n  energyctl schedule stop --device car-1")
        static let action = OverrideAction.stop
        @OptionGroup var target: OverrideOptions
        @OptionGroup var options: GlobalOptions
    }

    struct Skip: OverrideCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave out the next deadline: a goal that repeats goes on with the one after it.",
            discussion: """
                What is left out is the deadline, not a run: for a later goal the device may run before it. Until it is over \
                energyctl schedule resume has it count again. A stop until then is over with it.

                EXAMPLE
                  energyctl schedule skip --device car-1
                """)
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
