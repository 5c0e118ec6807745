internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Objective: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "What a venue's plans make small, money, carbon or guidance's rating: show it, or set it.",
            discussion: """
                Without options it shows what holds. A mix is a weighted sum: of what is paid, of each kg CO2, and of \
                each kWh that guidance rates 1, the worst. What guidance does not tell is left out.

                EXAMPLES
                  energyctl schedule objective
                  energyctl schedule objective money
                  energyctl schedule objective --money 1 --carbon 0.2
                  energyctl schedule objective --default
                """)
        enum Word: String, ExpressibleByArgument, CaseIterable {
            case money, carbon, rating
        }

        @Argument(help: "All of it: money, carbon or rating.") var word: Word?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Of the contract's currency: 0 to 1000000.", valueName: "weight"))
        var money: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Of a kg CO2: 0 to 1000000.", valueName: "weight"))
        var carbon: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Of a kWh at rating 1: 0 to 1000000.", valueName: "weight"))
        var rating: Double?
        @Flag(name: .customLong("default"), help: "Go back to that of the scheduler's settings.")
        var isDefault = false
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        private var weights: [Double] { [money, carbon, rating].compactMap(\.self) }

        func validate() throws {
            let ways = [word != nil, !weights.isEmpty, isDefault].count { $0 }
            guard ways <= 1 else { throw ValidationError("Say one word, weights or --default.") }
            for (name, weight) in [("money", money), ("carbon", carbon), ("rating", rating)] {
                guard weight.map({ VenueObjective.weightRange ~= $0 }) ?? true else {
                    throw ValidationError("--\(name) must be 0 to 1000000.")
                }
            }
            guard weights.isEmpty || weights.contains(where: { $0 > 0 }) else {
                throw ValidationError("One weight must be more than 0; --default goes back to the settings.")
            }
        }

        /// `nil`: it is only shown.
        private var asked: VenueObjective? {
            switch word {
            case .money: .money
            case .carbon: .carbon
            case .rating: .rating
            case nil where isDefault: VenueObjective.none
            case nil where weights.isEmpty: nil
            case nil: VenueObjective(money: money ?? 0, carbon: carbon ?? 0, rating: rating ?? 0)
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let limits =
                if let asked {
                    try await context.call(
                        .schedule, Methods.putObjective, ObjectiveDraft(venueID: venue.id, objective: asked))
                } else {
                    try await context.call(.schedule, Methods.getLimits, PlannedVenue(venueID: venue.id))
                }
            let objective = limits.objective ?? .rating
            context.output.line(
                options.json
                    ? JSONText.document(VenueObjectiveDocument(objective))
                    : VenueObjectiveView(objective: objective).line)
        }
    }
}
