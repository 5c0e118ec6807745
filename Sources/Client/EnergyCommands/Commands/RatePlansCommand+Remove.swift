internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension RatePlansCommand {
    struct Remove: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a rate plan that no venue has.",
            discussion: """
                What was paid by it stays known. A plan that is in the settings of the guidance-publisher is taken out there \
                first.

                EXAMPLES
                  energyctl rate-plans remove EV9
                  energyctl rate-plans remove EV9 --yes
                """)
        @Argument(help: "The id of the rate plan.", completion: .ratePlans) var id: String
        @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let plan = try await context.ratePlan(id)
            let name = "\(TerminalText.safe(plan.name)) (\(plan.id))"
            if !yes { try context.confirm("Remove the rate plan \(name)", done: "removed") }
            let removed = try await context.call(.guidance, Methods.removeRatePlan, RatePlanRemoval(id: plan.id))
            context.output.line(
                options.json ? JSONText.document(RatePlanDocument(removed)) : "\(name) was removed.")
        }
    }
}
