internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct InsightsRebuild: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Count the log again from its beginning.",
        discussion: """
            What is there answers until the new is complete, and is replaced at once. The result is the same unless \
            something was wrong, or was counted by an earlier version, whose rules may have been others. Where retention has removed the log's first records, what they held would be lost: \
            that needs --accept-loss. Ends when interrupted. Needs the permission admin.

            EXAMPLE
              energyctl insights rebuild
            """)

    @Flag(name: .long, help: "Lose what was counted from records that the log no longer has.") var acceptLoss = false
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        var chunks = try await context.read(
            .insights, Methods.rebuildInsights, RebuildRequest(acceptsLoss: acceptLoss), timeout: nil)
        var last: RebuildProgress?
        while let progress = try await chunks.next() { last = progress }
        guard let last, last.isDone else { throw CommandFailure(.failure, "The rebuild did not end.") }
        guard !options.json else {
            struct Document: Encodable {
                let records: UInt64
                let isIdentical: Bool
                let hadOlderRules: Bool
            }
            return context.output.line(
                JSONText.document(
                    Document(
                        records: last.records, isIdentical: last.isIdentical, hadOlderRules: last.hadOlderRules)))
        }
        let records = Quantities.count(Int(clamping: last.records), "record")
        let result =
            if last.isIdentical {
                "the result is what was there before."
            } else if last.hadOlderRules {
                "some of it was counted by an earlier version's rules, and now all of it is by this one's, so that what "
                    + "sessions saved may be other amounts than before."
            } else {
                "the result differs from what was there before, and is in its place."
            }
        context.say("\(records) counted again: \(result)")
    }
}
