internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Rules: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "What a device's plan keeps to besides its goals: show it, or set it anew.",
            discussion: """
                Without options it shows the rules; with any, they replace all that were there. They are for vehicles; \
                appliances and home batteries have --priority, and heating and cooling with a building \
                --priority and --start-cost.

                EXAMPLES
                  energyctl schedule rules --device car-1
                  energyctl schedule rules --device car-1 --min-soc 30 --price-max 0.35
                  energyctl schedule rules --device car-1 --away 'mon-fri 08:00-17:30' --carbon-max 300
                  energyctl schedule rules --device car-1 --min-run 30m --min-pause 15m --max-runs 2
                  energyctl schedule rules --device car-1 --one-block --late --margin 30m
                  energyctl schedule rules --device car-1 --start-cost 0.05
                  energyctl schedule rules --device dishwasher --priority 5
                  energyctl schedule rules --device car-1 --none
                """)
        @Option(name: .long, help: ArgumentHelp("The device.", valueName: "id"), completion: .devices)
        var device: String
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Up to there it is charged at once, at any price.", valueName: "percent"))
        var minSoc: Int?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Do not use times that cost more, in the contract's currency per kWh.", valueName: "price"))
        var priceMax: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Do not use times that emit more.", valueName: "g/kWh"))
        var carbonMax: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Before other devices, if not all can have what they need.", valueName: "-100-100"))
        var priority: Int?
        @Option(
            name: .long,
            help: ArgumentHelp(
                "When it is not there: 'mon-fri 08:00-17:30', or two times with a '/' between.", valueName: "when"),
            transform: absenceWords)
        var away: [AbsenceWords] = []
        @OptionGroup var shape: ShapeOptions
        @Flag(name: .long, help: "Take all rules away.") var none = false
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        private var isSetting: Bool { none || hasRules }

        private var hasRules: Bool {
            minSoc != nil || priceMax != nil || carbonMax != nil || priority != nil || !away.isEmpty
                || shape.shape != ChargingShape()
        }

        func validate() throws {
            if let price = priceMax, !(-1_000...1_000 ~= price) {
                throw ValidationError("--price-max must be -1000 to 1000.")
            }
            guard !(none && hasRules) else {
                throw ValidationError("--none takes all rules away: leave out either it or the rules.")
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let managed: ManagedDevice
            if isSetting {
                var absences: [Absence] = []
                for words in away {
                    absences.append(try words.absence(now: context.wallClock.now, in: venue.timeZone))
                }
                let rules = ChargingRules(
                    stateOfChargeMin: minSoc ?? 0,
                    priceMax: priceMax.map { Price(microsPerKilowattHour: Int64(($0 * 1_000_000).rounded())) },
                    carbonMax: carbonMax, absences: absences, priority: priority ?? 0,
                    shape: shape.shape)
                managed = try await context.call(
                    .schedule, Methods.putRules, RulesDraft(venueID: venue.id, deviceID: device, rules: rules))
            } else {
                let devices = try await context.call(.schedule, Methods.listDevices, VenueFilter(venueID: venue.id))
                guard let found = devices.devices.first(where: { $0.device.id == device }) else {
                    throw CommandFailure(
                        .refused, "The scheduler knows no device '\(TerminalText.safe(device))' at the venue.")
                }
                managed = found
            }
            if options.json {
                context.output.line(JSONText.document(ManagedDeviceDocument(managed)))
            } else {
                RulesView(rules: managed.rules, venue: venue, now: context.wallClock.now).lines()
                    .forEach(context.output.line)
            }
        }
    }
}
