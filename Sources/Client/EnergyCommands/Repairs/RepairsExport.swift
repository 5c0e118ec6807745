internal import ArgumentParser
internal import EnergyModel
internal import ServiceEndpoints

struct RepairsExport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every repair to a file, for 'insights repairs import'.",
        discussion: """
            The file is there when it is complete; one that is there already is not replaced.

            EXAMPLE
              energyctl insights repairs export --output repairs.json
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var place: AnyVenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let repairs = try await context.repairs(at: try await context.venues(place.venue, for: .insights))
        let documents = repairs.flatMap { venue, made in made.map { RepairDocument($0, in: venue.timeZone) } }
        let text = JSONText.document(RepairsDocument(repairs: documents)) + "\n"
        if let output {
            let file = try CompleteFile(path: output)
            try file.write(Array(text.utf8))
            try file.finish()
        } else {
            context.output.bytes(Array(text.utf8))
        }
        context.noteExport(documents.count, "repair", file: output, format: "json", isJSON: options.json)
    }
}
