internal import ArgumentParser
internal import EnergyModel
internal import EnergyPlanning
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Limits: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fuses, circuits and more that a venue's plans keep to: show, set or clear them.",
            discussion: """
                EXAMPLES
                  energyctl schedule limits
                  energyctl schedule limits set limits.json
                  echo '{"fuse": {"current_a": 25}, "base_load_kw": 0.5}' | energyctl schedule limits set -
                  energyctl schedule limits set --schema
                  energyctl schedule limits clear
                """,
            subcommands: [LimitsShow.self, LimitsSet.self, LimitsClear.self], defaultSubcommand: LimitsShow.self)
    }

    struct LimitsShow: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show what holds: what was set, or the scheduler's settings.",
            discussion: "EXAMPLE\n  energyctl schedule limits show --json > limits.json")
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            context.show(
                try await context.call(.schedule, Methods.getLimits, PlannedVenue(venueID: venue.id)), options)
        }
    }

    struct LimitsSet: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set limits in place of all that held, and plan anew.",
            discussion: """
                The file is JSON, in the words of the limits of a problem for `schedule solve`; \
                loads are the ids of devices, which the scheduler must know (energyctl schedule \
                devices). --schema says the rest.

                EXAMPLES
                  energyctl schedule limits set limits.json
                  energyctl schedule limits set --schema
                """)
        @OptionGroup var input: JSONFileOption
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            guard let file = input.file else {
                context.output.line(VenueFile.limitsSchema)
                return
            }
            let read = try context.reading(file, VenueFile.limits)
            let venue = try await context.venue(place.venue, for: .schedule)
            let limits = VenueLimits(
                read.limits, of: venue.id, baseLoad: read.baseLoad ?? [], exportPrice: read.exportPrice)
            let stored = try await context.call(.schedule, Methods.putLimits, limits) {
                FileFields.ofLimits($0, hasFuse: read.hasFuse)
            }
            context.show(stored, options)
        }
    }

    struct LimitsClear: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Go back to the limits of the scheduler's settings.",
            discussion: "EXAMPLE\n  energyctl schedule limits clear")
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let cleared = VenueLimits(venueID: venue.id, isDefault: true)
            context.show(try await context.call(.schedule, Methods.putLimits, cleared), options)
        }
    }
}

extension CommandContext {
    /// A file, or standard input, read by one of the readers of ``VenueFile``.
    func reading<Value>(
        _ file: String, _ reader: ([UInt8]) throws(ProblemError) -> Value
    ) throws(CommandFailure) -> Value {
        let bytes = [UInt8](try InputFile.bytes(of: file))
        do throws(ProblemError) { return try reader(bytes) } catch {
            throw CommandFailure(.refused, TerminalText.safe(error.description))
        }
    }

    fileprivate func show(_ limits: VenueLimits, _ options: GlobalOptions) {
        if options.json {
            output.line(JSONText.document(VenueLimitsDocument(limits)))
        } else {
            VenueLimitsView(limits: limits).lines().forEach(say)
        }
    }
}
